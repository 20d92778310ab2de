# ===- _device_pipes.py - the pipes of a net between devices ------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The compiler asks for the pipes of a net. Their order is that of the net's transfer graphs, then that of
# the edges of a graph, then that of the pipes between nodes. Pipes inside of a device come before pipes
# between devices. A net that names no devices has its pipes on every device.
# ===--------------------------------------------------------------------------=== #

from ttl import _domains, _pipes, _routes

# The most columns, of all devices together, that a multicast can reach: hw::NocAddress::kMostOfMulticast
# less the first coordinate of Wormhole's cores.
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
            found += [_device_pipe(owner, pipe, device, device) for device in range(call.devices)
                      if call.placed is None or call.placed[device]]
        else:
            domain, source, destination = pipe.devices
            ends = [domain.index_order(_domains.DevicePoint(domain, each)) for each in (source, destination)]
            found.append(_device_pipe(owner, pipe, *ends))
    return found


def _domains_of(net):
    if net.mappings is not None:
        return {mapping.graph.domain for mapping in net.mappings}
    return {pipe.devices[0] for pipe in net.pipes if pipe.devices is not None}


def _why_not_placed(call, records):
    """Returns why devices at the ends of pipes do not run the operation; None if they do."""
    ends = {end for each in records for end in (each.source_device, each.destination_device)}
    missing = [end for end in sorted(ends) if call.placed is not None and not call.placed[end]]
    if not missing:
        return None
    return ("mesh_program_placements must cover every PipeNet endpoint; missing "
            f"{[_routes.coordinates(end, call.mesh) for end in missing]}")


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
    problem = _why_not_placed(call, records)
    if problem is not None:
        return problem
    columns = call.devices * call.grid[0]
    if columns > MOST_COLUMNS and any(each.range is not None for each in records):
        return (f"multicasts on several devices can reach at most {MOST_COLUMNS} columns of nodes, but "
                f"{call.devices} devices with {call.grid[0]} columns each have {columns}: use fewer columns, "
                "or pipes with one destination")
    if any(each.source_device != each.destination_device for each in records):
        problem = _routes.check(call, records)
        if problem is not None and _routes.is_strict(call):
            return problem
        if problem is not None:
            _routes.report(call, problem, _routes.location_of(call, owner))
        call.device_records[_key(owner)] = (owner, records)
    return _same_device_first(records)


def _key(owner):
    return id(getattr(owner, "canonical", owner))


def note_slices(call, net, name):
    """Notes that the pipes of a net end in slices of tensors. `name` is the name of the net in the IR."""
    call.nets_of_slices[_key(net)] = name


def forget_slices(call, name):
    """Notes that the net with this name in the IR has room for one block, as nets without slices have."""
    call.nets_of_slices = {key: each for key, each in call.nets_of_slices.items() if each != name}


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
