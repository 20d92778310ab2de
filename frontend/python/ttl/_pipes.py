# ===- _pipes.py - pipes, nets and semaphores ---------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The body of an operation makes pipes, nets and semaphores; nets and pipes may also be made outside of
# it. The data movement functions use these objects, and the compiler handles their methods.
# ===--------------------------------------------------------------------------=== #

import itertools
import operator
import weakref

import _ttjit
from ttl import _capture, _domains, _location, _transfer_graphs
from ttl._ttnn import words

FAR = 2**31  # larger than the extents of every grid


def _fail(message):
    """Raises a CompileError at the program's line; outside of operations, raises a ValueError."""
    if _capture.current() is None:
        raise ValueError(words.readable(message))
    _capture.fail(message)


def _kind_of(value):
    return "None" if value is None else type(value).__name__


def _coordinate(value, what):
    """Returns a coordinate as a tuple of integers."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    try:
        coordinate = tuple(operator.index(item) for item in items)
    except TypeError:
        return _fail(f"{what} of a pipe must be a coordinate, found {value!r}")
    if any(abs(item) >= FAR for item in coordinate):
        _fail(f"{what} of a pipe must be inside the grid, found {value!r}")
    return coordinate


def _range(value):
    """Returns a range of nodes as a tuple of slices and integers."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    if items and all(isinstance(item, (tuple, list)) for item in items):
        if len(items) != 2:
            _fail(f"a range of nodes must have two corners, found {len(items)}: {value!r}")
        first, last = (_coordinate(corner, "a corner of the range") for corner in items)
        if len(first) != len(last):
            _fail(f"the corners of a range must have the same rank, found {value!r}")
        if any(item < 0 for item in first + last):
            _fail(f"a corner of the range must be inside the grid, found {value!r}")
        return tuple(slice(low, high + 1) for low, high in zip(first, last))
    for item in items:
        if not isinstance(item, slice) and not hasattr(item, "__index__"):
            _fail(f"a range of nodes must consist of slices and integers, found {item!r}")
        bounds = (item.start, item.stop, item.step) if isinstance(item, slice) else (item,)
        for bound in bounds:
            if bound is not None and not hasattr(bound, "__index__"):
                _fail(f"the bounds of a range of nodes must be integers, found {bound!r}")
            if bound is not None and abs(operator.index(bound)) >= FAR:
                _fail(f"a range of nodes must be inside the grid, found {item!r}")
        if isinstance(item, slice):
            _check_slice(item)
    return tuple(items)


def _check_slice(item):
    """Checks one dimension of a range of nodes."""
    if item.start is None or item.stop is None:
        _fail("a range of nodes must have explicit start and stop, found "
              f"{_slice_text(item)}: write for example slice(0, 4)")
    if item.step is not None and operator.index(item.step) != 1:
        _fail(f"a range of nodes must have step 1 or None, found {_slice_text(item)}: make a pipe for "
              "each node, or for each run of adjacent nodes")
    start, stop = operator.index(item.start), operator.index(item.stop)
    if start >= stop and (start < 0) == (stop < 0):
        _fail(f"a range of nodes is empty: start must be < stop, found {_slice_text(item)}")


def _slice_text(item):
    step = "" if item.step is None else f", {item.step}"
    return f"slice({item.start}, {item.stop}{step})"


def _extents(items, grid):
    return list(grid) if len(items) == len(grid) else [_number_of_nodes(grid)] * len(items)


def _leaves(item, extent):
    bounds = (item.start, item.stop) if isinstance(item, slice) else ()
    return any(bound is not None and not -extent <= bound <= extent for bound in bounds)


def outside(items, grid):
    """Returns a text that names the first slice with a bound outside of the grid, or None if there
    is none."""
    for dimension, (item, extent) in enumerate(zip(items, _extents(items, grid))):
        if _leaves(item, extent):
            start, stop = ("" if bound is None else bound for bound in (item.start, item.stop))
            return (f"is {start}:{stop} in dimension {dimension}, which has {words.plural(extent, 'node')}: "
                    f"write bounds from 0 to {extent}")
    return None


def resolve(items, grid):
    """Converts slices and integers to (start, stop, step). Negative numbers count from the end of the
    grid."""
    result = []
    for item, extent in zip(items, _extents(items, grid)):
        if isinstance(item, slice):
            result.append(item.indices(extent))
        else:
            index = operator.index(item)
            index += extent if index < 0 else 0
            result.append((index, index + 1, 1))
    return result


def node_number(coordinate, grid):
    """Returns the row-major number of a node. A coordinate of rank 1 is such a number."""
    if len(coordinate) != len(grid):
        return coordinate[0]
    number = 0
    for index, extent in zip(coordinate, grid):
        number = number * extent + index
    return number


def _number_of_nodes(grid):
    count = 1
    for extent in grid:
        count *= extent
    return count


def net_of(call, pipe):
    """Returns the only net that has the pipe, and the pipe of the net. Returns a message if no net or
    several nets have the pipe."""
    nets = _nets_with(call, pipe)
    if len(nets) == 1:
        return nets[0], _member_of(nets[0], pipe)
    if not nets:
        return (f"this copies over '{pipe.name}', which belongs to no net: make one in the body "
                f"of the operation: net = ttl.PipeNet([{pipe.name}]); then copy under a condition on "
                "the node, or in a callback of net.if_src() or net.if_dst()")
    names = ", ".join(f"'{net.name}'" for net in nets)
    return (f"this copies over '{pipe.name}', which belongs to {len(nets)} nets, {names}: give each "
            "net a pipe of its own, or copy inside a callback of the net")


def nets_key(call, pipe):
    """Returns the key of the nets that have a pipe."""
    return tuple(net.key() for net in _nets_with(call, pipe))


def _nets_with(call, pipe):
    """Returns the nets that have the pipe: those that the call made, else those made before."""
    nets = [item for run in call.runs for item in run.named if isinstance(item, PipeNet)]
    found = [net for net in nets if any(member is pipe for member in net.pipes)]
    if not found:
        found = [net for net in (known() for known in pipe.nets) if net is not None]
    return list(dict.fromkeys(net.canonical for net in found))


def _member_of(net, pipe):
    """Returns the pipe itself if the net has it, else the equal pipe of the net, which the body made
    when it ran for another node."""
    if any(member is pipe for member in net.pipes):
        return pipe
    return next(member for member in net.pipes if member.key() == pipe.key())


def destination_counts(pipes, grid, devices):
    """Returns for each node, device by device, the number of the pipes that end there."""
    nodes = _number_of_nodes(grid)
    counts = [0] * (nodes * devices)
    for pipe in pipes:
        first = getattr(pipe, "destination_device", 0) * nodes
        for node in pipe.destinations(grid):
            counts[first + node] += 1
    return counts


class _Named:
    """The base class of objects that the compiler names after the variable that holds them."""

    _scope = None  # the variables of the module that made the object, until its name is known

    def __init__(self, prefix):
        self._name = prefix
        # The object that the compiled kernel uses for this one. It is another object only if the body
        # runs once for each node.
        self.canonical = self
        self.location = _location.program_location()
        call = _capture.current()
        if call is not None:
            call.named.append(self)
            call.note_frame(_location.program_frame())
        elif (frame := _location.program_frame()).f_locals is frame.f_globals:
            self._scope = frame.f_globals

    @property
    def name(self):
        if self._scope is not None:
            self._name = next((name for name, held in self._scope.items() if held is self), self._name)
            self._scope = None
        return self._name

    @name.setter
    def name(self, name):
        self._name = name

    def _outside(self, *args, **kwargs):
        raise RuntimeError(
            f"methods of '{self.name}' can only be called inside kernel functions: write the call in "
            "a function with @ttl.datamovement()"
        )


@_ttjit.public_methods
class Pipe(_Named):
    """A connection from one node to another node, or to a range of nodes.

    src and dst are coordinates in the grid, or numbers of nodes; a slice in dst stands for a range
    of nodes, which all receive. `src` and `dst` are its ends. A pipe belongs to one ttl.PipeNet.
    Between devices both ends are nodes of devices, as devices[0].at_node(0, 0); Pipe.pairwise and
    Pipe.all_to_all make lists of such pipes.

    Raises a ttl.CompileError for coordinates that are not in the grid, or ends of different ranks.

    Example, in the body of an operation:

        pipe = ttl.Pipe((0, 0), (0, slice(0, 1)))
        net = ttl.PipeNet([pipe])
    """

    def __init__(self, src=None, dst=None, *, src_core=None, dst_core=None, dst_core_range=None,
                 dst_range=None):
        super().__init__("pipe")
        self.nets = []  # weak references to the nets with this pipe that were made outside of operations
        src = src_core if src is None else src
        dst = dst_core if dst is None else dst
        self.devices = None  # the devices at both ends of a pipe between devices
        if isinstance(src, _domains.NodeSelection) or isinstance(dst, _domains.NodeSelection):
            self.devices = _device_ends(src, dst)
            src, dst = src.node, dst.node
        dst_core_range = dst_range if dst_core_range is None else dst_core_range
        if src is None or (dst is None) == (dst_core_range is None):
            _fail("a pipe must have one source and one destination: write ttl.Pipe(src, dst)")
        self.src, self.is_flat = _coordinate(src, "the source"), not isinstance(src, (tuple, list))
        items = dst if isinstance(dst, (tuple, list)) else (dst,)
        if dst_core_range is not None or any(isinstance(item, slice) for item in items):
            self.dst, self.range = None, _range(dst if dst_core_range is None else dst_core_range)
        else:
            self.dst, self.range = _coordinate(dst, "the destination"), None
        rank = len(self.range if self.dst is None else self.dst)
        if rank != len(self.src):
            _fail(f"both ends of a pipe must have the same rank, found {len(self.src)} and {rank}: "
                  "give each end a coordinate for every dimension of the grid")

    @classmethod
    def pairwise(cls, *, src, dst):
        """Returns pipes from the i-th device of one view to the i-th device of another."""
        _check_selections(src, dst, "pairwise")
        for end in (src, dst):
            if not isinstance(end.devices, _domains.DeviceView):
                raise TypeError("pairwise requires coordinate-structured device views, such as those of "
                                f"devices[0] or devices[:, 1], found {end.devices!r}")
        if src.devices.shape != dst.devices.shape:
            _fail("pairwise device views must have equal extents, found "
                  f"{src.devices.shape} and {dst.devices.shape}")
        return [cls(one.at_node(*src.node), other.at_node(*dst.node))
                for one, other in zip(src.devices, dst.devices)]

    @classmethod
    def all_to_all(cls, *, src, dst, include_self=False):
        """Returns pipes from every device of one selection to every device of another."""
        _check_selections(src, dst, "all_to_all")
        return [cls(one.at_node(*src.node), other.at_node(*dst.node))
                for one in src.devices for other in dst.devices
                if include_self or one != other]

    def key(self):
        return (self.src, self.dst, repr(self.range), self.is_flat, self.devices)

    def nodes(self, grid):
        """Returns the row-major numbers of the nodes at both ends."""
        return {node_number(self.src, grid), *self.destinations(grid)}

    def destinations(self, grid):
        """Returns the row-major numbers of the nodes at which the pipe ends."""
        ranges = resolve(self.dst if self.range is None else self.range, grid)
        ends = itertools.product(*(range(*bounds) for bounds in ranges))
        return {node_number(coordinate, grid) for coordinate in ends}

    has_current_core = _Named._outside

    def __repr__(self):
        ends = f"{self.src} -> {self.range if self.dst is None else self.dst}"
        if self.devices is not None:
            domain, source, destination = self.devices
            ends = f"{source} {self.src} -> {destination} {self.dst}"
        return f"<Pipe {ends}>"


def _check_selections(src, dst, name):
    for end in (src, dst):
        if not isinstance(end, _domains.NodeSelection):
            raise TypeError(f"{name} requires nodes of devices, as devices[:, 0].at_node(0, 0), found "
                            f"{end!r}")
    if src.domain != dst.domain:
        _fail(f"Pipe endpoints must share a parent device domain, found {src.domain!r} and {dst.domain!r}")


def _device_ends(src, dst):
    """Returns the domain, and the coordinates of the devices at both ends of a pipe."""
    if not (isinstance(src, _domains.NodeSelection) and isinstance(dst, _domains.NodeSelection)):
        _fail("both Pipe endpoints must specify devices and nodes, or none of them")
    if src.domain != dst.domain:
        _fail(f"Pipe endpoints must share a parent device domain, found {src.domain!r} and {dst.domain!r}")
    for end in (src, dst):
        if not isinstance(end.devices, _domains.DevicePoint):
            _fail(f"Pipe requires point endpoints, found {end!r}: name one node of one device, or make the "
                  "pipes of several devices with Pipe.pairwise or Pipe.all_to_all")
    return src.domain, src.devices.coordinates, dst.devices.coordinates


@_ttjit.public_methods
class PipeMapping:
    """The pipes of every edge of a transfer graph: `graph`, and `pipes` between nodes.

    Raises a TypeError or a ValueError for pipes that name devices, or end at a range of nodes.

    Example:

        graph = ttl.TransferGraph.all_to_all(ttl.DeviceDomain((2,)))
        net = ttl.PipeNet(mappings=[ttl.PipeMapping(graph=graph, pipes=[ttl.Pipe((0, 0), (0, 0))])])
    """

    def __init__(self, *, graph, pipes):
        if not isinstance(graph, _transfer_graphs.TransferGraph):
            raise TypeError(f"PipeMapping graph must be a ttl.TransferGraph, found {_kind_of(graph)}")
        self.graph, self.pipes = graph, _flattened(pipes)
        if not self.pipes:
            _fail("PipeMapping requires at least one pipe")
        for pipe in self.pipes:
            if pipe.devices is not None:
                _fail("the pipes of a graph must not name devices, because the edges of the graph name them")
            if pipe.range is not None:
                _fail(f"a pipe of a graph must end at one node, found {pipe!r}: write one pipe for each node "
                      "of the range (node collective destinations require graph multicast lowering, which is "
                      "not supported)")
        keys = [pipe.key() for pipe in self.pipes]
        if len(set(keys)) < len(keys):
            _fail("the pipes of a graph must be different")

    def key(self):
        return (self.graph.key(), *(pipe.key() for pipe in self.pipes))


def _flattened(pipes):
    """Returns the pipes of nested lists."""
    if not isinstance(pipes, (list, tuple)) and not hasattr(pipes, "__iter__"):
        _fail(f"the argument of ttl.PipeNet must be a list of pipes, found {_kind_of(pipes)}")
    found = []
    for pipe in pipes:
        if isinstance(pipe, (list, tuple)) and all(isinstance(each, (list, tuple, Pipe)) for each in pipe):
            found += _flattened(pipe)
        elif isinstance(pipe, Pipe):
            found.append(pipe)
        else:
            _fail("the argument of ttl.PipeNet must be a list of pipes, found "
                  f"{_kind_of(pipe)}: write ttl.Pipe(src, dst) for each of them")
    return tuple(found)


@_ttjit.public_methods
class PipeNet(_Named):
    """A list of pipes. In data movement functions if_src(fn) calls fn(pipe) for each pipe that
    starts at this node and if_dst(fn) for each that ends there, in this order; is_src(), is_dst()
    and is_active() tell whether there is a pipe that starts, ends, or does either at this node.

    All pipes end at one node each, or all at a range of nodes. With graph=, a ttl.TransferGraph, the
    net has the pipes of each edge of the graph, between its devices; without pipes, one from every
    node to the node with the same coordinates. In callbacks source_device_index and
    destination_device_index are the numbers of the devices.

    Raises a ttl.CompileError for an empty list, or for pipes of different ranks or kinds.

    Example, in the body of an operation:

        net = ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))])
    """

    def __init__(self, pipes=None, *, graph=None, mappings=None, _may_be_empty=False):
        super().__init__("net")
        self.mappings = _mappings_of(pipes, graph, mappings)  # None: the net has no graph
        self.pipes = () if self.mappings is not None else _flattened(pipes)
        if self.mappings is None and not self.pipes and not _may_be_empty:
            _fail("ttl.PipeNet must have at least one pipe, found an empty list")
        _check_kinds(self.pipes)
        _check_devices(self.pipes)
        if _capture.current() is None:
            for pipe in self.pipes:
                pipe.nets.append(weakref.ref(self))

    @property
    def has_devices(self):
        """Whether the pipes are between devices that the net names."""
        return self.mappings is not None or any(pipe.devices is not None for pipe in self.pipes)

    def key(self):
        if self.mappings is not None:
            return (self.name, "graphs", *(mapping.key() for mapping in self.mappings))
        return (self.name, *(pipe.key() for pipe in self.pipes))

    if_src = if_dst = is_src = is_dst = is_active = destination_count = _Named._outside


def _mappings_of(pipes, graph, mappings):
    """Returns the mappings of a net from graphs to pipes; None for a net without graphs. For graph=
    without pipes it is an _IdentityMapping, whose pipes depend on the grid."""
    if mappings is not None:
        if graph is not None or pipes is not None:
            _fail("PipeNet mappings cannot be combined with graph or pipes")
        mappings = tuple(mappings)
        if not mappings:
            _fail("PipeNet mappings require at least one mapping")
        for mapping in mappings:
            if not isinstance(mapping, PipeMapping):
                raise TypeError("PipeNet mappings must contain only PipeMapping values, found "
                                f"{_kind_of(mapping)}")
        return mappings
    if graph is None:
        if pipes is None:
            _fail("ttl.PipeNet needs a list of pipes, or graph=")
        return None
    if not isinstance(graph, _transfer_graphs.TransferGraph):
        raise TypeError(f"PipeNet graph must be a ttl.TransferGraph, found {_kind_of(graph)}")
    return (_IdentityMapping(graph),) if pipes is None else (PipeMapping(graph=graph, pipes=pipes),)


class _IdentityMapping:
    """The mapping for graph= without pipes: a pipe from every node to the node with the same
    coordinates."""

    def __init__(self, graph):
        self.graph = graph
        self.made = {}  # grid -> its pipes

    def key(self):
        return (self.graph.key(), "every node")

    def pipes_in(self, grid):
        grid = tuple(grid)
        if grid not in self.made:
            every = itertools.product(*map(range, grid))
            self.made[grid] = tuple(_plain_pipe(place) for place in every)
        return self.made[grid]


def _plain_pipe(place):
    """Returns the pipe from a node to the node with the same coordinates, for an _IdentityMapping."""
    pipe = Pipe.__new__(Pipe)
    pipe.name, pipe.canonical, pipe.location = "pipe", pipe, _location.UNKNOWN
    pipe.nets, pipe.devices, pipe.range, pipe.is_flat = [], None, None, False
    pipe.src = pipe.dst = tuple(place)
    return pipe


def _check_devices(pipes):
    """Fails if only some of the pipes name devices, or two are the same."""
    named = [pipe for pipe in pipes if pipe.devices is not None]
    if not named:
        return
    if len(named) < len(pipes):
        _fail("PipeNet cannot mix complete endpoints with device-relative pipes: give all pipes devices, "
              "or none")
    if len({pipe.devices[0] for pipe in named}) > 1:
        _fail("all pipes of a net must share a parent device domain")
    keys = [pipe.key() for pipe in named]
    if len(set(keys)) < len(keys):
        _fail("the pipes of a net must be different, found one twice: "
              f"{next(pipe for pipe, key in zip(named, keys) if keys.count(key) > 1)!r}")


def _check_kinds(pipes):
    """Fails if some of the pipes end at one node and others at a range of nodes."""
    ranges = [pipe for pipe in pipes if pipe.range is not None]
    if ranges and len(ranges) < len(pipes):
        single = next(pipe for pipe in pipes if pipe.range is None)
        _fail("ttl.PipeNet may not mix point-to-point and collective pipes: "
              f"{single!r} ends at one node, and {ranges[0]!r} at a range of nodes; make two nets, "
              "or write the single node as a range: slice(n, n + 1)")


@_ttjit.public_methods
class Semaphore(_Named):
    """A semaphore: a word of 32 bits on every node, 0 or `initial` at the start of a launch.

    wait_eq(v) and wait_ge(v) wait for the word of this node, set(v) sets it.
    get_remote(node).inc(v) and .set(v) change that of another node,
    get_remote_multicast(range).set(v) those of a range.

    Raises a ttl.CompileError for an initial value that is not 0 to 2**31 - 1, or a node outside the
    grid.

    Example, in the body of an operation:

        semaphore = ttl.Semaphore(initial=1)
        first = semaphore.get_remote((0, 0))
    """

    def __init__(self, initial=0):
        super().__init__("semaphore")
        if not hasattr(initial, "__index__") or not 0 <= operator.index(initial) < 2**31:
            _fail("the initial value of a semaphore must be an integer from 0 to 2**31 - 1, "
                  f"found {initial!r}")
        self.initial = operator.index(initial)

    def key(self):
        return (self.name, self.initial)

    def get_remote(self, core):
        """Returns the semaphore of the node `core`."""
        return RemoteSemaphore(self, _remote_node(core), None)

    def get_remote_multicast(self, core_range=None):
        """Returns the semaphores of the nodes of a range, or of all nodes."""
        return RemoteSemaphore(self, None, _remote_range(core_range))

    wait_eq = wait_ge = wait_min = set = inc = _Named._outside


def _remote_node(core):
    """Returns the coordinates of a node that get_remote() names. Without a current operation, the
    compiler checks them when a kernel function uses the semaphore."""
    if isinstance(core, _domains.NodeSelection):
        return core
    items = core if isinstance(core, (tuple, list)) else (core,)
    if any(isinstance(item, bool) or not hasattr(item, "__index__") for item in items):
        _fail("the argument of get_remote() must be the coordinates of a node, or its number, "
              f"found {core!r}")
    node, call = tuple(operator.index(item) for item in items), _capture.current()
    if call is None:
        return node
    if len(node) not in (1, len(call.grid)):
        _fail("the arguments of get_remote() must be the coordinates of a node in the grid "
              f"{call.grid}, or the node's number; found {len(node)} coordinates")
    for dimension, (index, extent) in enumerate(zip(node, _extents(node, call.grid))):
        if not 0 <= index < extent:
            _fail(f"get_remote() names a node outside the grid {call.grid}: coordinate "
                  f"{dimension} is {index}, but must be from 0 to {extent - 1}")
    return node


def _remote_range(value):
    """Returns the range of nodes that get_remote_multicast() names, or None for all nodes."""
    if value is None:
        return None
    nodes, call = _range(value), _capture.current()
    problem = outside(nodes, call.grid) if call is not None else None
    if problem is not None:
        _fail(f"core_range is not inside the grid: it {problem}")
    return nodes


@_ttjit.public_methods
class RemoteSemaphore:
    """The semaphore of another node (`node` has its coordinates), or the semaphores of a range of
    nodes (`range` is None for all nodes)."""

    def __init__(self, semaphore, node, nodes):
        self.semaphore = semaphore
        self.node = node
        self.range = nodes
        self.location = _location.program_location()

    name = property(lambda self: self.semaphore.name)
    is_range = property(lambda self: self.node is None)

    def key(self):
        node = self.node.key() if isinstance(self.node, _domains.NodeSelection) else self.node
        return (node, repr(self.range))

    set = inc = _Named._outside

    def __repr__(self):
        place = self.range if self.node is None else self.node
        return f"<{self.semaphore.name} of node {place}>"
