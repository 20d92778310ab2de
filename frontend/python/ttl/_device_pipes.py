# ===- _device_pipes.py - the pipes of a net between devices ------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The compiler asks for the pipes of a net in the order of their records: the graphs in order, in each the
# edges in order, in each the pipes between nodes in order. Pipes inside of a device come first. A net
# without devices has its pipes on every device.
# ===--------------------------------------------------------------------------=== #

from ttl import _domains, _pipes, _warnings
from ttl._ttnn import fabric

FabricConfig = fabric.FabricConfig
_warned = set()

# The columns of all devices that a multicast reaches: hw::NocAddress::kMostOfMulticast less the first
# coordinate of Wormhole's cores.
MOST_COLUMNS = 236


class DevicePipe(_pipes.Pipe):
    """A pipe with the numbers of the devices at its ends."""

    def __init__(self, pipe, source, destination):
        self.__dict__.update(pipe.__dict__)
        self.source_device, self.destination_device = source, destination

    def key(self):
        return (super().key(), self.source_device, self.destination_device)


def _device_pipe(owner, pipe, source, destination):
    """Returns the same object for the same ends, because the compiler knows pipes by their objects."""
    made = owner.__dict__.setdefault("device_pipes", {})
    place = (id(pipe), source, destination)
    if place not in made:
        made[place] = (DevicePipe(pipe, source, destination), pipe)
    return made[place][0]


def _records_of_graphs(call, net):
    for mapping in net.mappings:
        graph = mapping.graph
        pipes = mapping.pipes_in(call.grid) if hasattr(mapping, "pipes_in") else mapping.pipes
        numbers = {device: number for number, device in enumerate(graph.domain.iter_device_refs())}
        for edge in graph.iter_edges():
            for pipe in pipes:
                yield _device_pipe(net, pipe, numbers[edge.source], numbers[edge.destination])


def _records(call, net, pipes):
    if net is not None and net.mappings is not None:
        return list(_records_of_graphs(call, net))
    found = []
    for pipe in pipes:
        owner = pipe if net is None else net
        if pipe.devices is None:
            found += [_device_pipe(owner, pipe, device, device) for device in range(call.devices)]
        else:
            domain, source, destination = pipe.devices
            ends = [domain.index_order(_domains.DevicePoint(domain, each)) for each in (source, destination)]
            found.append(_device_pipe(owner, pipe, *ends))
    return found


def _domains_of(net):
    if net.mappings is not None:
        return {mapping.graph.domain for mapping in net.mappings}
    return {pipe.devices[0] for pipe in net.pipes if pipe.devices is not None}


def _same_device_first(records):
    return tuple(sorted(records, key=lambda each: each.source_device != each.destination_device))


def on_devices(call, owner, pipes):
    """Returns the pipes of a net, of a pipe or of a list of pipes as DevicePipes, or a text that says why
    that is not possible."""
    net = owner.canonical if isinstance(owner, _pipes.PipeNet) else None
    for domain in _domains_of(net) if net is not None else ():
        problem = _domains.why_not_of(call, domain)
        if problem is not None:
            return f"net '{net.name}': {problem}"
    records = _records(call, net, pipes)
    columns = call.devices * call.grid[0]
    if columns > MOST_COLUMNS and any(each.range is not None for each in records):
        return (f"multicasts on several devices can reach at most {MOST_COLUMNS} columns of nodes, but "
                f"{call.devices} devices with {call.grid[0]} columns each have {columns}: use fewer columns, "
                "or pipes with one destination")
    if any(each.source_device != each.destination_device for each in records):
        problem = _why_no_route(call, records)
        if problem is not None:
            return problem
    return _same_device_first(records)


def selected_node(call, selection):
    """Returns (device, coordinates) of the only node of a selection, or a text that says what is wrong."""
    problem = _domains.why_not_of(call, selection.domain)
    if problem is not None:
        return problem
    if not isinstance(selection.devices, _domains.DevicePoint):
        return (f"get_remote() names one node, found {selection!r}: call it for each device of the "
                "selection")
    if len(call.grid) != 2 or any(place >= extent for place, extent in zip(selection.node, call.grid)):
        return f"get_remote() names node {selection.node}, outside the grid {tuple(call.grid)}"
    return selection.domain.index_order(selection.devices), list(selection.node)


# ===--------------------------------------------------------------------------=== #
# Routes


def why_no_fabric(name, chosen, location):
    """Returns why an operation cannot send between devices where no fabric is configured, if that is an
    error; else warns once."""
    message = (f"operation {name}() sends between devices, but no fabric is configured: call "
               "ttnn.set_fabric_config before ttnn.open_mesh_device, or use --fabric")
    if chosen.strict or chosen.fabric:
        return message
    if name not in _warned:
        _warned.add(name)
        _warnings.warn(_warnings.CardWarning(f"{message}; on a card the kernel hangs", location))
    return None


def _why_no_route(call, records):
    """Returns why the fabric cannot carry the transfers; None if it can."""
    config = fabric.current()
    if config is FabricConfig.DISABLED:
        return why_no_fabric(call.name, call.settings, call.location)
    if not (call.settings.strict or call.settings.fabric):
        return None
    for record in records:
        problem = _why_no_way(config, _coordinates(record.source_device, call.mesh),
                              _coordinates(record.destination_device, call.mesh), call.mesh)
        if problem is not None:
            return problem
    return None


def _coordinates(number, mesh):
    place = []
    for extent in reversed(mesh):
        number, index = divmod(number, extent)
        place.insert(0, index)
    return tuple(place)


def _why_no_way(config, source, destination, mesh):
    axes = [axis for axis, (a, b) in enumerate(zip(source, destination)) if a != b]
    way = f"from device {source} to device {destination}"
    if config in (FabricConfig.FABRIC_1D, FabricConfig.FABRIC_1D_RING) and len(axes) > 1:
        return f"FABRIC_1D routes must connect devices on one logical mesh axis, found one {way}"
    if config is FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE:
        if len(axes) > 1 or any(abs(source[axis] - destination[axis]) != 1 for axis in axes):
            return ("FABRIC_1D_NEIGHBOR_EXCHANGE only supports adjacent device routes, found one "
                    f"{way}")
    return None
