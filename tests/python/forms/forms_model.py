# SPDX-License-Identifier: Apache-2.0
"""The model: `ttl` written in numpy, so that Python can run programs of the matrix. They run here first:
the model gives their results, and the order in which the thread under test acquires and publishes blocks.

Each thread of a node is a Python thread. Buffers have room for any number of blocks. A copy is complete when
ttl.copy() returns."""

import math
import threading
import types

import numpy as np
from forms_values import FUNCTIONS, TILE, Block, Buffer, Expression, Part, Tensor, View, raw, rounded

WAIT_SECONDS = 5


class Stuck(Exception):
    """Raised if a thread of the model waits longer than WAIT_SECONDS."""


# ===--------------------------------------------------------------------------=== #
# Copies, pipes, semaphores
# ===--------------------------------------------------------------------------=== #


class Handle:
    """A copy, which is already complete, or a receive, which takes its block in wait()."""

    def __init__(self, receive=None):
        self.receive = receive

    def wait(self):
        if self.receive is not None:
            self.receive, receive = None, self.receive
            receive()


class Group:
    def __init__(self):
        self.handles = []

    def add(self, handle):
        self.handles.append(handle)

    def wait_all(self):
        for handle in self.handles:
            handle.wait()


def copy(source, target):
    machine = MACHINE.current
    if isinstance(target, Pipe):
        machine.send(target, np.array(_contents(source)))
        return Handle()
    if isinstance(source, Pipe):
        queue = (source.number, machine.node())
        handle = Handle(lambda: _fill(target, machine.receive(queue)))
        handle.queue = queue
        return handle
    _fill(target, _contents(source))
    return Handle()


def _contents(source):
    if isinstance(source, Tensor):
        source = source[:, :]
    return source.get() if isinstance(source, (View, Part)) else source.value


def _fill(target, value):
    if isinstance(target, Tensor):
        target = target[:, :]
    if isinstance(target, Block):
        target.value = np.array(value).reshape(target.extents())
    else:
        target.set(value)


class Pipe:
    def __init__(self, src, dst):
        machine = MACHINE.current
        self.src, self.dst, self.number = src, dst, machine.next_pipe()
        self.source = machine.number(src)
        self.targets = [machine.number(each) for each in _range(dst)]

    def has_current_core(self):
        return MACHINE.current.node() in (self.source, *self.targets)


def _range(place):
    if not isinstance(place, tuple):
        return [place]
    lists = [list(range(each.start, each.stop)) if isinstance(each, slice) else [each] for each in place]
    found = [()]
    for values in lists:
        found = [(*before, value) for before in found for value in values]
    return found


class Net:
    def __init__(self, pipes):
        self.pipes = pipes

    def if_src(self, function):
        for pipe in self.pipes:
            if pipe.source == MACHINE.current.node():
                function(pipe)

    def if_dst(self, function):
        for pipe in self.pipes:
            if MACHINE.current.node() in pipe.targets:
                function(pipe)

    def is_src(self):
        return any(pipe.source == MACHINE.current.node() for pipe in self.pipes)

    def is_dst(self):
        return self.destination_count() > 0

    def is_active(self):
        return self.is_src() or self.is_dst()

    def destination_count(self):
        return sum(MACHINE.current.node() in pipe.targets for pipe in self.pipes)


class Semaphore:
    def __init__(self, initial=0):
        machine = MACHINE.current
        self.key = ("semaphore", machine.next_pipe())
        machine.words.setdefault(self.key, [initial] * machine.nodes)

    def _change(self, nodes, function):
        machine = MACHINE.current
        with machine.changed:
            words = machine.words[self.key]
            for node in nodes:
                words[node] = function(words[node])
            machine.changed.notify_all()

    def set(self, value):
        self._change([MACHINE.current.node()], lambda _: value)

    def wait_eq(self, value):
        machine, node = MACHINE.current, MACHINE.current.node()
        machine.until(lambda: machine.words[self.key][node] == value)

    def wait_ge(self, value):
        machine, node = MACHINE.current, MACHINE.current.node()
        machine.until(lambda: machine.words[self.key][node] >= value)

    wait_min = wait_ge

    def get_remote(self, place):
        nodes = [MACHINE.current.number(place)]
        return types.SimpleNamespace(
            set=lambda value: self._change(nodes, lambda _: value),
            inc=lambda value: self._change(nodes, lambda word: word + value))

    def get_remote_multicast(self, place=None):
        machine = MACHINE.current
        nodes = range(machine.nodes) if place is None else [machine.number(each) for each in _range(place)]
        return types.SimpleNamespace(set=lambda value: self._change(nodes, lambda _: value))


class Ready:
    def __init__(self, number):
        self.number = number

    def index(self):
        return self.number


def wait_any(handles, start=0):
    """Waits until one of these receives has a block; returns the first such receive in cyclic order."""
    machine = MACHINE.current
    order = [(start + step) % len(handles) for step in range(len(handles))]
    waiting = [k for k in order if handles[k].receive is not None]
    machine.until(lambda: any(machine.queues.get(handles[k].queue) for k in waiting))
    for k in waiting:
        if machine.queues.get(handles[k].queue):
            handles[k].wait()
            return Ready(k)


# ===--------------------------------------------------------------------------=== #
# The machine
# ===--------------------------------------------------------------------------=== #


class Machine:
    """The nodes of one launch, and the state that their threads share."""

    def __init__(self, grid=(1, 1)):
        self.grid, self.nodes = grid, math.prod(grid)
        self.changed, self.log = threading.Condition(), []
        self.queues, self.words, self.counters = {}, {}, threading.local()
        self.place, self.threads, self.printed = threading.local(), [], []

    def node(self):
        return self.place.node

    def number(self, coordinates):
        if not isinstance(coordinates, tuple):
            return coordinates
        number = 0
        for extent, each in zip(self.grid, coordinates):
            number = number * extent + each
        return number

    def next_pipe(self):
        self.place.made = getattr(self.place, "made", 0) + 1
        return self.place.made

    def until(self, condition):
        with self.changed:
            if not self.changed.wait_for(condition, WAIT_SECONDS):
                raise Stuck("a thread of the model waits for ever")

    def take(self, buffer):
        self.until(lambda: buffer.pushed)
        return buffer.pushed.pop(0)

    def send(self, pipe, value):
        with self.changed:
            for node in pipe.targets:
                self.queues.setdefault((pipe.number, node), []).append(value)
            self.changed.notify_all()

    def receive(self, queue):
        self.until(lambda: self.queues.get(queue))
        return self.queues[queue].pop(0)


class Current:
    """Holds the machine of the launch that runs now; launches run one at a time."""

    current = None


MACHINE = Current()


def node_of(dims=2):
    machine = MACHINE.current
    number = machine.node()
    if dims == 1:
        return number
    coordinates = []
    for extent in reversed(machine.grid):
        coordinates.insert(0, number % extent)
        number //= extent
    return tuple((*coordinates, 0, 0)[:dims])


def make_dataflow_buffer_like(tensor, shape, block_count=2):
    return Buffer(MACHINE.current, "w", tensor.dtype, shape, tiled=tensor.tiled)


class Signpost:
    def __init__(self, name):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def _element(block, coordinates):
    return np.asarray(raw(block))[tuple(coordinates)]


def raw_element_read(block, *coordinates):
    return float(_element(block, coordinates))


def read_index(block, *coordinates):
    return int(_element(block, coordinates))


def raw_element_write(block, *coordinates, value=None):
    if value is None:
        *coordinates, value = coordinates
    if block.value is None:
        block.value = np.zeros(block.extents(), np.float32)
    block.value = np.array(block.value)
    block.value[tuple(coordinates)] = rounded(np.float32(value), block.buffer.dtype)


def language():
    """Returns the namespace that programs use as `ttl`."""
    names = types.SimpleNamespace(**FUNCTIONS)
    ttl = types.SimpleNamespace(**FUNCTIONS)
    ttl.math = ttl.block = names
    ttl.copy, ttl.GroupTransfer, ttl.wait_any, ttl.node, ttl.signpost = copy, Group, wait_any, node_of, Signpost
    ttl.core, ttl.make_dataflow_buffer_like = node_of, make_dataflow_buffer_like
    ttl.grid_size = lambda dims=2: MACHINE.current.nodes if dims == 1 else (*MACHINE.current.grid, 1)[:dims]
    ttl.Pipe, ttl.PipeNet, ttl.Semaphore = Pipe, Net, Semaphore
    ttl.core_in_pipe = lambda pipe: pipe.has_current_core()
    ttl.raw_element_read, ttl.raw_element_write, ttl.read_index = raw_element_read, raw_element_write, read_index
    ttl.unsafe = types.SimpleNamespace(element_read=raw_element_read, element_write=raw_element_write)
    ttl.static_range = range
    ttl.TILE_SHAPE = (TILE, TILE)
    ttl.KernelKind = types.SimpleNamespace(COMPUTE=1, DATA_MOVEMENT=2)
    ttl.host_function = lambda function, *_, **__: function
    return ttl


def plus(function):
    """Returns min or max for numbers and for blocks."""

    def apply(*operands, **keywords):
        if any(isinstance(each, Expression) for each in operands):
            result = operands[0]
            for each in operands[1:]:
                result = FUNCTIONS[function.__name__](result, each)
            return result
        return function(*operands, **keywords)

    return apply


MODEL_BUILTINS = {"min": plus(min), "max": plus(max), "print": lambda *_, **__: None}
