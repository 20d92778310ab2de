# ===- _nodes.py - bodies that ask for the coordinates of their node ----------=== #
# SPDX-License-Identifier: Apache-2.0
#
# If the body of an operation asks for the coordinates of its node, it runs once for every node. The
# kernel functions of the nodes are combined as follows:
#
# * Numbers that differ between nodes become a table, which the kernel reads when it runs. Each
# launch fills the table, so calls with other numbers run the same program.
#
# * A net has the pipes of all nodes.
#
# * If anything else differs, such as a buffer or a text, the nodes are put into different groups.
# The kernel functions are compiled once for each group.
# ===--------------------------------------------------------------------------=== #

import types

import _ttjit
import numpy
from ttl import _buffers, _errors, _pipes, _values
from ttl._keys import array_key

MAX_GROUPS = 64
_NUMBERS = (int, float, bool)
_RESOURCES = (_pipes.PipeNet, _pipes.Semaphore)
_MISSING = object()


def run_others(call, run):
    """Runs the body for all nodes but the first. `run(node)` returns the call of a node."""
    count = 1
    for extent in call.grid:
        count *= extent
    call.runs = [call, *(run(node) for node in range(1, count))]
    _share_resources(call)


# ===--------------------------------------------------------------------------=== #
# Nodes that run different code


class _Describer:
    """Describes the values that the kernel functions of one node capture, in a form that can be
    compared between nodes. If `exact`, the description includes the numbers and pipes that may
    differ between nodes of one group."""

    def __init__(self, exact):
        self.exact = exact
        self.numbers = {}
        self.leaves = []  # the numbers that the description leaves out
        self.resources = []  # keys of the nets and semaphores that the description leaves out

    def run(self, call):
        threads = tuple((thread.kind, thread.name, thread.hint, self.of(thread.function))
                        for thread in call.threads)
        return (threads, tuple(buffer.key() for buffer in call.buffers))

    def of(self, value, inside=False):
        """Returns the description of a value. `inside` is true for a part of an object; such a
        part must be known when the kernel is compiled."""
        kind = type(value)
        if kind in _NUMBERS and not self.exact and not inside:
            self.leaves.append(value)
            return "number"
        known = _values.constant(value)
        if known is not None:
            return known
        if kind is not tuple:
            if id(value) in self.numbers:
                return ("seen", self.numbers[id(value)])
            self.numbers[id(value)] = len(self.numbers)
        return self._of_object(value, kind, inside)

    def _of_object(self, value, kind, inside):
        if kind is _buffers.DataflowBuffer:
            return ("buffer", value.index)
        if kind in (*_RESOURCES, _pipes.Pipe):
            exact = self.exact or kind is _pipes.Pipe
            self.resources.append(value.key())
            return (kind, value.key() if exact else value.location)
        if kind is _pipes.RemoteSemaphore:
            node = self.of(value.node, inside)
            return (kind, self.of(value.semaphore, inside), node, repr(value.range))
        if kind is types.FunctionType:
            return (value.__code__, *self._cells(value))
        if kind in (tuple, list):
            return (kind, *(self.of(item, inside) for item in value))
        if kind in _values.MAPPINGS:
            return (kind, *((self.of(k, True), self.of(v, True)) for k, v in value.items()))
        if kind is slice:
            return (slice, *(self.of(part, True) for part in (value.start, value.stop, value.step)))
        if _ttjit.is_tensor(value):
            return (kind, tuple(value.shape), str(value.dtype))
        if kind is numpy.ndarray:
            return array_key(value) or _values.Same(value)
        if isinstance(value, (type, types.ModuleType)) or not hasattr(value, "__dict__"):
            return _values.Same(value)
        return (kind, *((name, self.of(part, True)) for name, part in vars(value).items()))

    def _cells(self, function):
        for cell in function.__closure__ or ():
            try:
                yield self.of(cell.cell_contents)
            except ValueError:  # the variable has no value yet
                yield None


def exact_facts(call):
    """Returns a description of the values that the kernel functions of each node capture."""
    return tuple(_Describer(exact=True).run(run) for run in call.runs)


def facts(call):
    """Returns a description of all nodes' runs on which a compiled program depends. Numbers that
    differ between the nodes of a group are there only by their kind: each launch gets the
    numbers."""
    if not _ttjit.takes_numbers():
        return exact_facts(call)
    leaves, places, resources = {}, [], []
    for run in call.runs:
        describer = _Describer(exact=False)
        description = describer.run(run)
        leaves.setdefault(description, []).append(describer.leaves)
        places.append(description)
        resources.append(tuple(describer.resources))
    numbers = {description: place for place, description in enumerate(leaves)}
    kinds = tuple(tuple(map(_kind_of, zip(*columns))) for columns in leaves.values())
    return (tuple(leaves), kinds, tuple(numbers[each] for each in places), tuple(resources))


def _kind_of(numbers):
    """`numbers` are the values of one variable on the nodes of a group. Returns what the program
    depends on: their common value, or their kind."""
    constants = {_values.constant(number) for number in numbers}
    if len(constants) == 1:
        return constants.pop()
    kinds = {type(number) for number in numbers}
    if float in kinds:
        return "floats"
    if not all(-(2**31) <= number < 2**31 for number in numbers):
        return tuple(numbers)  # too large: the compiler reports an error if the kernel reads them
    return "bools" if kinds == {bool} else "integers"


def split(call, exact):
    """Puts nodes that run different code into different groups. If `exact`, nodes with different
    numbers go into different groups, too. Returns False if there are too many groups."""
    groups = {}
    for node, run in enumerate(call.runs):
        groups.setdefault(_Describer(exact).run(run), []).append(node)
    if len(groups) > MAX_GROUPS:
        return False
    call.tables.clear()
    call.groups = [Group(call, *group) for group in enumerate(groups.values())]
    _share_buffers(call)
    return True


def require_groups(call):
    """Splits the nodes into groups; fails if there are too many groups."""
    if not split(call, exact=False):
        raise _errors.CompileError(
            f"the kernel functions of {call.name}() capture different values on too many nodes: "
            f"at most {MAX_GROUPS} groups of nodes can run different code, and inside a group "
            "only numbers, tuples of numbers and nets of pipes may differ",
            call.location,
        )


# ===--------------------------------------------------------------------------=== #
# Resources of all nodes
# ===--------------------------------------------------------------------------=== #


def _share_resources(call):
    """Makes the nodes share resources: the nets, or the semaphores, that one statement makes on all
    nodes become one net or one semaphore of the kernel."""
    shared = {}
    for node, run in enumerate(call.runs):
        times = {}
        for item in run.named:
            if type(item) in _RESOURCES:
                place = (type(item), item.location)
                times[place] = times.get(place, 0) + 1
                shared.setdefault((place, times[place]), {})[node] = item
    for items in shared.values():
        first = next(iter(items.values()))
        if type(first) is _pipes.PipeNet and len({item.key() for item in items.values()}) > 1:
            first = _merged(first, items, call)
        for item in items.values():
            item.canonical = first


def _merged(first, nets, call):
    """Returns the net with the pipes of all nodes. It keeps the order of the pipes on each
    node."""
    pipes = {}
    for net in nets.values():
        for pipe in net.pipes:
            pipes.setdefault(pipe.key(), pipe)
    for pipe in pipes.values():
        for node in pipe.nodes(call.grid):
            _check_member(pipe, node, nets.get(node), call)
    merged = _pipes.PipeNet.__new__(_pipes.PipeNet)
    merged.__dict__.update(first.__dict__, pipes=tuple(pipes.values()))
    merged.canonical = merged
    places = {key: place for place, key in enumerate(pipes)}
    for node, net in nets.items():
        own = [places[pipe.key()] for pipe in net.pipes if node in pipe.nodes(call.grid)]
        if own != sorted(own):
            _fail(net, f"node {node} lists its pipes in a different order than the nodes before "
                       "it: list them in the same order on every node")
    return merged


def _check_member(pipe, node, net, call):
    if net is None or all(pipe.key() != other.key() for other in net.pipes):
        _fail(
            pipe,
            f"node {node} is an end of {pipe!r}, but the body does not make this pipe when it "
            "runs for that node: make every pipe on both its ends",
        )


def _fail(item, message):
    raise _errors.CompileError(message, item.location)


def _share_buffers(call):
    """Replaces the buffers with equal properties by one buffer; the call gets the buffers of all
    groups."""
    known = {buffer.key(): buffer for buffer in call.buffers}
    for group in call.groups:
        for buffer in call.runs[group.first].buffers:
            same = known.setdefault(buffer.key(), buffer)
            buffer.shared = None if same is buffer else same
    call.buffers[:] = known.values()


# ===--------------------------------------------------------------------------=== #
# Values of a variable on the nodes of a group


class Group:
    """A group of nodes that run the same code. The walk reads the values that the first of these
    nodes captured."""

    is_common = False

    def __init__(self, call, number, nodes):
        self.call = call
        self.number = number
        self.nodes = nodes
        self.first = nodes[0]
        self.threads = call.runs[self.first].threads
        self.peers = {}  # id of a function of the first node -> the same function on each node
        self.paths = {}  # id of a function of the first node -> steps that lead to it
        for number, thread in enumerate(self.threads):
            peers = [run.threads[number].function for run in self._runs()]
            self._add_peers(thread.function, peers, (("thread", number),))

    def parameter(self, name):
        """Returns None: unified bodies do not run for each node."""
        return None

    def _runs(self):
        return [self.call.runs[node] for node in self.nodes]

    def _add_peers(self, function, peers, path):
        self.peers.setdefault(id(function), peers)
        self.paths.setdefault(id(function), path)

    def captured(self, function, name):
        """Returns the values of variable `name` of a function on the nodes of the group: ("same",
        value), ("numbers", one number per node, the number of their table), ("items", such a tuple
        for each item) or ("remote", a semaphore, such a tuple for its coordinates). Returns None
        if the variable cannot differ."""
        peers = self.peers.get(id(function))
        if peers is None or name not in function.__code__.co_freevars:
            return None
        place = function.__code__.co_freevars.index(name)
        path = (*self.paths[id(function)], ("cell", place))
        return self._classify([_contents(peer, place) for peer in peers], path)

    def _classify(self, values, path):
        first = values[0]
        if all(value is first for value in values):
            return ("same", first)
        if isinstance(first, types.FunctionType):
            self._add_peers(first, values, path)
        if all(type(value) in _NUMBERS for value in values):
            return self._numbers(values, path)
        if type(first) is _pipes.RemoteSemaphore and first.node is not None:
            node = self._classify([value.node for value in values], (*path, ("node", None)))
            return ("remote", first, node) if node[0] != "same" else ("same", first)
        if type(first) in (tuple, list):
            items = [
                self._classify(list(column), (*path, ("item", place)))
                for place, column in enumerate(zip(*values))
            ]
            if any(item[0] != "same" for item in items):
                return ("items", items)
        return ("same", first)

    def _numbers(self, values, path):
        if all(_values.constant(value) == _values.constant(values[0]) for value in values):
            return ("same", values[0])
        table = (self.number, path, any(type(value) is float for value in values))
        return ("numbers", values, self.call.tables.setdefault(table, len(self.call.tables)))


def launch_numbers(call, tables):
    """Returns the content of each table for a launch: one number for each node, or only one number."""
    if call.scalars is not None:
        return [call.scalars.column(*table) for table in tables]
    return [_column(call, *table) for table in tables]


def _column(call, group, path, is_float):
    column = [0] * len(call.runs)
    for node in call.groups[group].nodes:
        value = _follow(call.runs[node], path)
        column[node] = float_bits(value) if is_float else int(value)
    return column


def _follow(run, path):
    """Returns the value to which the steps of a path lead on the node of a run."""
    value = None
    for kind, place in path:
        if kind == "thread":
            value = run.threads[place].function
        elif kind == "node":
            value = value.node
        else:
            value = _contents(value, place) if kind == "cell" else value[place]
    return value


def float_bits(number):
    """Returns the bits of a number that is rounded to 32 bits, as an integer."""
    with numpy.errstate(over="ignore"):
        return int(numpy.float32(number).view(numpy.int32))


def _contents(function, place):
    try:
        return function.__closure__[place].cell_contents
    except ValueError:
        return _MISSING
