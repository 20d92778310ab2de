# ===- _routes.py - the ways of transfers between devices ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The emulated fabric has a way between any two devices. A card's fabric has only the ways of its
# configuration, and each node has few connections to it. A transfer that a card cannot make gives a
# warning; with --fabric or --strict it is an error.
# ===--------------------------------------------------------------------------=== #

from ttl import _errors, _pipes, _warnings
from ttl._ttnn import fabric

FabricConfig = fabric.FabricConfig
LINES = (FabricConfig.FABRIC_1D, FabricConfig.FABRIC_1D_RING,
         FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE)
MAX_CONNECTIONS = 2  # the most connections of a node to a fabric in one dimension
MAX_LINKS = 4  # the most links between two neighbouring chips of any machine: docs/mesh.md
_warned = {}  # name of a function -> the text of why_no_fabric() that it has warned of


def coordinates(number, mesh):
    """Returns the coordinates of a device on the mesh."""
    place = []
    for extent in reversed(mesh):
        number, index = divmod(number, extent)
        place.insert(0, index)
    return tuple(place)


def location_of(call, owner):
    """Returns where the program made the net or the pipe."""
    return getattr(owner, "location", call.location)


def is_strict(call):
    """Returns whether a transfer that a card cannot make is an error. With --emit it is one, because
    emitted kernels run on a card; but if the program configures no fabric, run_on_device.py does."""
    is_emitted = call.settings.emit_folder and fabric.current() is not FabricConfig.DISABLED
    return bool(call.settings.strict or call.settings.fabric or is_emitted)


def report(call, problem, location):
    """`problem` says what a card cannot do. Raises it as an error if is_strict(), else warns of it once
    for each compilation."""
    if is_strict(call):
        raise _errors.CompileError(problem, location)
    if problem not in call.card_problems and problem != _warned.get(call.name):
        call.card_problems.add(problem)
        _warnings.warn(_warnings.CardWarning(f"{problem}; the kernel runs here, but not on a card",
                                             location))


def _why_no_way(config, source, destination):
    axes = [axis for axis, (a, b) in enumerate(zip(source, destination)) if a != b]
    way = f"from device {source} to device {destination}"
    if config in LINES[:2] and len(axes) > 1:
        return (f"FABRIC_1D routes must connect devices on one logical mesh axis, found one {way}: "
                "use FABRIC_2D, or send along one axis after the other")
    if config is FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE:
        if len(axes) > 1 or any(abs(source[axis] - destination[axis]) != 1 for axis in axes):
            return ("FABRIC_1D_NEIGHBOR_EXCHANGE only supports adjacent device routes, found one "
                    f"{way}: use FABRIC_1D or FABRIC_2D")
    return None


def no_fabric(name):
    return (f"operation {name}() sends between devices, but no fabric is configured: call "
            "ttnn.set_fabric_config before ttnn.open_mesh_device, or use --fabric")


def why_no_fabric(name, chosen, location):
    """For a function that is no operation and sends between devices without a configured fabric.
    Returns the text of the error if that is an error; else warns once and returns None."""
    if chosen.strict or chosen.fabric:
        return no_fabric(name)
    if name not in _warned:
        _warned[name] = no_fabric(name)
        _warnings.warn(_warnings.CardWarning(f"{no_fabric(name)}; on a card the kernel hangs", location))
    return None


def check(call, records):
    """Returns why the fabric cannot carry the transfers of a net; None if it can."""
    config = fabric.current()
    if config is FabricConfig.DISABLED:
        return no_fabric(call.name)
    for record in records:
        problem = _why_no_way(config, coordinates(record.source_device, call.mesh),
                              coordinates(record.destination_device, call.mesh))
        if problem is not None:
            return problem
    return None


# ===--------------------------------------------------------------------------=== #
# Connections


def _direction(config, source, destination, mesh):
    """Returns (axis, step): the direction of the first link of a way along one axis."""
    axis = next(axis for axis, (a, b) in enumerate(zip(source, destination)) if a != b)
    step = 1 if destination[axis] > source[axis] else -1
    if config is FabricConfig.FABRIC_1D_RING and mesh[axis] > 2 and \
            abs(destination[axis] - source[axis]) == mesh[axis] - 1:
        step = -step  # the link that closes the ring
    return axis, step


def _ends(call, net, config):
    """Yields (node, direction) for each end of a transfer at which a node sends. A receiver sends,
    too: it tells the sender that its block has room. A slice of a tensor needs no room."""
    for record in call.device_records[net][1]:
        source, destination = (coordinates(each, call.mesh) for each in
                               (record.source_device, record.destination_device))
        if sum(a != b for a, b in zip(source, destination)) != 1:
            continue
        node = coordinates(_pipes.node_number(record.src, call.grid), call.grid)
        yield (source, node), _direction(config, source, destination, call.mesh)
        if net not in call.nets_of_slices:
            for number in record.destinations(call.grid):
                yield (destination, coordinates(number, call.grid)), _direction(config, destination, source, call.mesh)


def _text(direction):
    axis, step = direction
    return f"{'+' if step > 0 else '-'} on axis {axis}"


def _check_links(call, config):
    """Fails if nodes of a device need more links in one direction than there are between neighbours.
    Each node that sends needs a link of its own."""
    used = {}
    for net, (owner, _) in call.device_records.items():
        for (device, node), direction in _ends(call, net, config):
            nodes = used.setdefault((device, direction), set())
            nodes.add(node)
            if len(nodes) > MAX_LINKS:
                raise _errors.CompileError(
                    f"--emit: more than {MAX_LINKS} nodes of device {device} send in direction "
                    f"{_text(direction)}, but machines have at most {MAX_LINKS} links between two chips, and "
                    "each node needs one: let fewer nodes send", location_of(call, owner))


def check_connections(call):
    """Reports nodes that need more connections to the fabric than a card's node has."""
    config = fabric.current()
    if call.devices > 1 and call.settings.emit_folder:
        _check_links(call, config)
    if call.devices == 1 or config not in LINES:
        return
    used = {}
    for net, (owner, _) in call.device_records.items():
        for (device, node), direction in _ends(call, net, config):
            directions = used.setdefault((device, node), {})
            directions.setdefault(direction, owner)
            if len(directions) > MAX_CONNECTIONS:
                ways = ", ".join(map(_text, sorted(directions)))
                report(call, f"node {node} of device {device} needs connections in {len(directions)} "
                       f"directions ({ways}), but {config.name} has {MAX_CONNECTIONS} for each node: "
                       "use FABRIC_2D, or let several nodes send", location_of(call, owner))
                return
