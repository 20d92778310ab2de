# SPDX-License-Identifier: Apache-2.0
"""Random nets between the devices of a mesh, as text and as the transfers that they make."""

import itertools
import math
from dataclasses import dataclass

MOST_OF_ALL = 4  # devices that all send to all
PRODUCT_SHARE = 0.15  # of the meshes with two extents above 1


@dataclass
class Net:
    """A net. A place is a pair: the number of a device, and that of a node on it."""

    text: str  # what follows `ttl.PipeNet`
    transfers: list  # pairs of places, in the order of the records
    keeps_node: bool  # every transfer ends at the node with the coordinates of its source

    def arrivals(self):
        """Returns how many transfers end at each place."""
        return _counted(end for _, end in self.transfers)

    def departures(self):
        return _counted(start for start, _ in self.transfers)


def _counted(places):
    counts = {}
    for place in places:
        counts[place] = counts.get(place, 0) + 1
    return counts


def domain_text(random, shape):
    """Returns the text of a domain for a mesh of this shape: one component, or a product of two."""
    if len(shape) == 2 and min(shape) > 1 and random.random() < PRODUCT_SHARE:
        return f"ttl.DeviceDomain.product(host=({shape[0]},), chip=({shape[1]},))"
    return f"ttl.DeviceDomain({shape})"


class Nets:
    """Chooses nets of the domain `chips`, whose text is given, on devices with this grid."""

    def __init__(self, random, domain, shape, grid):
        import ttl

        self.random, self.shape, self.grid = random, shape, grid
        self.is_product = "product" in domain
        self.names = {"ttl": ttl}
        self.names["chips"] = self.chips = eval(domain, self.names)
        self.devices = list(itertools.product(*map(range, shape)))
        self.nodes = list(itertools.product(*map(range, grid)))

    def choose(self):
        """Returns a net between devices with at least one transfer."""
        kinds = [self._graph] * 5 + ([] if self.is_product else [self._points, self._pairwise, self._views])
        while True:
            text = self.random.choice(kinds)()
            net = text and self.of(text)
            if net and net.transfers and self._is_small(net) and _are_different(net):
                return net

    def _is_small(self, net):
        return len(net.transfers) <= MOST_OF_ALL * (MOST_OF_ALL - 1) * 4

    def ring(self):
        """Returns a net in which each device sends to one other one, and receives from one."""
        axis = self.random.choice([axis for axis, extent in enumerate(self.shape) if extent > 1])
        component, place = ("", axis)
        if self.is_product:
            component, place = f", component={('host', 'chip')[axis]!r}", 0
        return self.of(f"(graph=ttl.TransferGraph.axis_neighbor(chips, axis={place}{component}, wrap=True))")

    def edges(self, pairs):
        """Returns a net of one transfer for each pair of numbers of devices, at every node."""
        return self.of(f"(graph=ttl.TransferGraph.edges(chips, {self._edge_text(pairs)}))")

    def of(self, text):
        """Returns the net of this text."""
        net = eval(f"ttl.PipeNet{text}", self.names)
        if net.mappings is None:
            transfers = [self._of_pipe(pipe) for pipe in net.pipes]
        else:
            transfers = [each for mapping in net.mappings for each in self._of_mapping(mapping)]
        return Net(text, transfers, all(start[1] == end[1] for start, end in transfers))

    def _of_pipe(self, pipe):
        _, source, destination = pipe.devices
        return ((self.devices.index(tuple(source)), self.nodes.index(pipe.src)),
                (self.devices.index(tuple(destination)), self.nodes.index(pipe.dst)))

    def _of_mapping(self, mapping):
        pipes = [(node, node) for node in range(len(self.nodes))]
        if hasattr(mapping, "pipes"):
            pipes = [(self.nodes.index(pipe.src), self.nodes.index(pipe.dst)) for pipe in mapping.pipes]
        for edge in mapping.graph.iter_edges():
            source, destination = (self.chips.index_order(end) for end in (edge.source, edge.destination))
            yield from (((source, start), (destination, end)) for start, end in pipes)

    # ===----------------------------------------------------------------------=== #
    # Graphs
    # ===----------------------------------------------------------------------=== #

    def _graph(self):
        kinds = [self._neighbor, self._neighbor, self._stencil, self._rooted, self._all_to_all]
        graph = self.random.choice(kinds + ([] if self.is_product else [self._edges]))()
        pipes = self._node_pipes()
        if pipes and self.random.random() < 0.3:
            return f"(mappings=[ttl.PipeMapping(graph={graph}, pipes=[{pipes}])])"
        return f"(graph={graph}, pipes=[{pipes}])" if pipes else f"(graph={graph})"

    def _node_pipes(self):
        """Returns pipes between nodes whose ends are all different, or ""."""
        if len(self.nodes) == 1 or self.random.random() < 0.6:
            return ""
        count = self.random.randint(1, len(self.nodes))
        starts, ends = (self.random.sample(self.nodes, count) for _ in range(2))
        return ", ".join(f"ttl.Pipe({start}, {end})" for start, end in zip(starts, ends))

    def _component(self):
        """Returns the argument that names a component of a product, and the extents to choose from."""
        if not self.is_product:
            return "", self.shape
        axis = self.random.randint(0, 1)
        return f", component={('host', 'chip')[axis]!r}", (self.shape[axis],)

    def _neighbor(self):
        component, extents = self._component()
        axis = self.random.choice([axis for axis, extent in enumerate(extents) if extent > 1])
        offset = self.random.randint(1, extents[axis] - 1)
        wrap = self.random.choice(("", ", wrap=True"))
        return f"ttl.TransferGraph.axis_neighbor(chips, axis={axis}, offset={offset}{component}{wrap})"

    def _stencil(self):
        component, extents = self._component()
        every = list(itertools.product(*(range(1 - extent, extent) for extent in extents)))
        every.remove((0,) * len(extents))
        offsets = self.random.sample(every, min(len(every), self.random.randint(1, 3)))
        wrap = self.random.choice(("", ", wrap=True"))
        return f"ttl.TransferGraph.stencil(chips, offsets={offsets}{component}{wrap})"

    def _rooted(self):
        component, extents = self._component()
        place = tuple(self.random.randrange(extent) for extent in extents)
        return f"ttl.TransferGraph.{self.random.choice(('gather', 'scatter'))}(chips, {place}{component})"

    def _all_to_all(self):
        component, extents = self._component()
        if math.prod(extents) > MOST_OF_ALL:
            return self._neighbor()
        return f"ttl.TransferGraph.all_to_all(chips{component})"

    def _edges(self):
        every = list(itertools.product(range(len(self.devices)), repeat=2))
        others = [(one, other) for one, other in every if one != other]
        pairs = self.random.sample(others, self.random.randint(1, min(len(others), 5)))
        if self.random.random() < 0.3:  # a transfer inside of a device
            pairs.insert(self.random.randrange(len(pairs) + 1), (pairs[0][0],) * 2)
        return f"ttl.TransferGraph.edges(chips, {self._edge_text(pairs)})"

    def _edge_text(self, pairs):
        return str([(self.devices[one], self.devices[other]) for one, other in pairs])

    # ===----------------------------------------------------------------------=== #
    # Pipes between devices
    # ===----------------------------------------------------------------------=== #

    def at_node(self, device, node):
        """Returns the text of a node of a device; both are numbers."""
        return f"{self._chip(self.devices[device])}.at_node({self._coordinates(self.nodes[node])})"

    def _chip(self, items):
        return f"chips[{', '.join(map(str, items))}]"

    def _coordinates(self, node):
        return ", ".join(map(str, node))

    def _some_node(self):
        return self._coordinates(self.random.choice(self.nodes))

    def _points(self):
        pipes, ends = [], set()
        for _ in range(self.random.randint(1, 4)):
            (one, other), (start, end) = (
                [self.random.randrange(len(items)) for _ in range(2)] for items in (self.devices, self.nodes))
            if (one, other, end) not in ends:
                ends.add((one, other, end))
                pipes.append(f"ttl.Pipe({self.at_node(one, start)}, {self.at_node(other, end)})")
        return f"([{', '.join(pipes)}])"

    def _pairwise(self):
        """Returns pipes from the devices of one half of an axis to those of the other; some are reversed."""
        axis = self.random.choice([axis for axis, extent in enumerate(self.shape) if extent > 1])
        half = self.shape[axis] // 2
        low, high = f":{half}", f"{self.shape[axis] - half}:"
        if self.random.random() < 0.4:
            high = f":{self.shape[axis] - half - 1}:-1"
        ends = [self._chip([part if each == axis else ":" for each in range(len(self.shape))])
                for part in self.random.sample((low, high), 2)]
        src, dst = (f"{end}.at_node({self._some_node()})" for end in ends)
        return f"([ttl.Pipe.pairwise(src={src}, dst={dst})])"

    def _views(self):
        """Returns pipes from each device of a selection to each of another; from one it is a multicast."""
        src = self._chip(self.random.choice(self.devices)) if self.random.random() < 0.6 else self._selection()
        own = self.random.choice(("", ", include_self=True"))
        src, dst = (f"{end}.at_node({self._some_node()})" for end in (src, self._selection()))
        if self.random.random() < 0.3:
            src, dst = dst, src
        return f"([ttl.Pipe.all_to_all(src={src}, dst={dst}{own})])" if self._has_any(src, dst, own) else ""

    def _has_any(self, src, dst, own):
        return bool(eval(f"ttl.Pipe.all_to_all(src={src}, dst={dst}{own})", self.names))

    def _selection(self):
        if self.random.random() < 0.3:
            chosen = self.random.sample(self.devices, min(len(self.devices), 2))
            return f"({' | '.join(map(self._chip, chosen))})"
        parts = [self.random.choice((":", ":", "::-1", str(self.random.randrange(extent)))) for extent in self.shape]
        return self._chip(parts)


def _are_different(net):
    """Whether no two transfers between two devices end at one node: their slots would be the same."""
    ends = [(start[0], end) for start, end in net.transfers]
    return len(set(ends)) == len(ends)
