# ===- _capture.py - one run of an operation's body ---------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# While the body of an operation runs, the buffers and kernel functions that it makes are collected
# here, in order.
# ===--------------------------------------------------------------------------=== #

import contextvars

from ttl import _errors, _location
from ttl._ttnn import words

_current = contextvars.ContextVar("ttl_operation_call", default=None)
_last_grid = contextvars.ContextVar("ttl_last_grid", default=None)


class Thread:
    """A kernel function. `kind` is "compute", "datamovement" or "unified". A unified thread is the
    body of an operation without kernel functions."""

    def __init__(self, kind, function, name, location):
        self.kind = kind
        self.function = function
        self.name = name
        self.location = location
        self.selector = None  # the ttl.Kernel or ttl.KernelKind that the program gave it
        self.hint = None  # the processor that the program bound it to, as the compiler spells it
        self.bound_at = location  # the position of the decorator that bound it


class Tensor:
    """A tensor of a kernel. `value` is the program's object: a ttnn.Tensor or an array. `argument`
    is the tensor that is passed to the launch."""

    def __init__(self, name, value, argument):
        self.name = name
        self.value = value
        self.argument = argument
        self.mesh_shards = ()  # how a mesh grid cuts it (_mesh_grids.py)


class OperationCall:
    """The input of the compiler: everything that one run of the body produced."""

    def __init__(self, name, body_code, location, grid, tensors, options):
        self.name = name
        self.body_code = body_code
        self.location = location
        self.grid = grid
        self.tensors = tensors
        self.options = options
        self.buffers = []
        self.named = []  # pipes, nets and semaphores
        self.allocation_groups = []  # the groups that the buffers of the call belong to
        self.devices, self.mesh = 1, (1, 1)  # the devices that the kernel sees, and their mesh
        self.placed = None  # for each device, whether it runs the kernel; None if all do
        self.device_records = {}  # id of a net -> (the net, its transfers between devices)
        self.nets_of_slices = {}  # id of a net whose pipes end in slices that are used once -> its name in the IR
        self.card_problems = set()  # warnings about the fabric that were shown
        self.node = 0  # the node for which the body runs
        self.selectors = []  # the selectors of threads that statements of a unified body name
        self.defines = {}  # macros of C++ functions, "NAME VALUE", by the name of the thread
        self.resets = []  # the boundary of each reset of buffers; None for a reset without a boundary
        self.notes = []  # lines for --stats that say what the frontend chose
        # only operations of @pykernel_gen set the next three fields (_pykernel_bind.py)
        self.block_factors = None
        self.collapsed = []  # (tensor of the program, matrix that stands for it)
        self.checks_outputs = False  # the launch checks that outputs are written
        # whether the body asks for the coordinates of its node, so that it runs once for each node
        self.asks_node = False
        # whether nodes with different numbers run separately compiled code
        self.has_exact_groups = False
        self.runs = [self]  # the runs of all nodes, if the body asks for its node
        # groups of nodes that run the same code (_nodes.py); None if all nodes run the same code
        self.groups = None
        self.tables = {}  # a table of numbers that each launch fills (_nodes.py) -> its index
        self.arguments = {}  # the arguments of the operation, by name
        self.scalars = None  # the numbers among them that are run-time arguments (_scalars.py)
        self.reported = None  # what the compiler reported about integers at run time (_scalars.Reported)
        self.threads = []
        self.frames = []

    @property
    def walked_threads(self):
        """Returns the threads that the compiler walks, group by group."""
        if self.groups is None:
            return self.threads
        return [thread for group in self.groups for thread in group.threads]

    @property
    def is_unified(self):
        """Returns whether the body is the only thread."""
        return any(thread.kind == "unified" for thread in self.threads)

    def note_frame(self, frame):
        """Remembers the frames that may hold a new buffer in a variable: the frame of the body and
        the frame that made the buffer."""
        if is_walking():  # during the walk, the compiler names the resources
            return
        body = frame
        while body is not None and body.f_code is not self.body_code:
            body = body.f_back
        for candidate in (body, frame):
            if candidate is not None and candidate not in self.frames:
                self.frames.append(candidate)

    def tensor(self, value):
        """Returns the entry of a tensor object, or None."""
        return next((entry for entry in self.tensors if entry.value is value), None)

    def name_buffers(self):
        """Names each buffer after the variable that holds it when the body has run."""
        held = {}
        for frame in self.frames:
            for name, value in frame.f_locals.items():
                _note_names(held, name, value)
        self.frames.clear()
        taken = set()
        for index, buffer in enumerate(self.buffers):
            name = held.get(id(buffer), buffer.name or f"dfb{index}")
            while name in taken:
                name += "_"
            taken.add(name)
            buffer.name = name
        for item in self.named:
            name = held.get(id(item), item.name)
            while name in taken:
                name += "_"
            taken.add(name)
            item.name = name


def name_in(frame, value):
    """Returns the name of the variable of a frame that holds an object; "" if there is none."""
    return next((name for name, held in frame.f_locals.items() if held is value), "")


def _note_names(held, name, value):
    held.setdefault(id(value), name)
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            held.setdefault(id(item), f"{name}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            held.setdefault(id(item), f"{name}[{key!r}]")


_walking = contextvars.ContextVar("ttl_walking", default=False)


def walk(compiler, call):
    """Calls `compiler`, a function of _ttjit, with a call and returns its result. Meanwhile
    is_walking() is true: the compiler may run Python code of the program and, in a unified
    operation, make resources of the call."""
    token = _walking.set(True)
    call_token = _current.set(call if call.is_unified else None)
    try:
        return compiler(call)
    finally:
        _current.reset(call_token)
        _walking.reset(token)


def is_walking():
    return _walking.get()


def current():
    """Returns the call whose body is running, or None."""
    return _current.get()


def last_grid():
    """Returns the grid of the last launch, or None."""
    return _last_grid.get()


def run(call, body):
    """Runs `body` while `call` is the current call. Returns the result of `body`."""
    token = _current.set(call)
    try:
        result = body()
        call.name_buffers()
    finally:
        _current.reset(token)
        call.frames.clear()
    _last_grid.set(call.grid)
    return result


def note_grid(grid):
    """Records the grid of the last launch."""
    _last_grid.set(grid)


def fail(message, notes=(), location=None, kind=_errors.CompileError):
    """Raises a CompileError at `location`, or at the line of the program that called this
    package."""
    location = location or _location.program_location()
    raise kind(words.readable(message), location, notes)
