# SPDX-License-Identifier: Apache-2.0
"""Device domains, selections of devices, and transfer graphs, used without kernels."""

import pytest
import ttl


def edges(graph):
    """Returns the edges of a graph as pairs of devices' row-major numbers."""
    index = graph.domain.index_order
    return [(index(edge.source), index(edge.destination)) for edge in graph.iter_edges()]


def test_a_domain():
    devices = ttl.DeviceDomain((2, 4))
    assert devices.shape == devices.flattened_extent == (2, 4) and devices.component_names == ("device",)
    assert devices == ttl.DeviceDomain([2, 4]) and devices != ttl.DeviceDomain((2, 4), name="chips")
    assert [devices.index_order(each) for each in devices.iter_device_refs()] == list(range(8))
    assert devices.index_order((1, 2)) == devices.index_order(ttl.DeviceRef((1, 2))) == 6


def test_a_product():
    product = ttl.DeviceDomain.product(host=(2,), chip=(2, 4))
    assert product.component_count == 2 and product.flattened_extent == (2, 2, 4)
    assert product.component_index("chip") == 1
    named = ttl.DeviceRef(chip=(1, 2), host=1)
    assert product.flattened_coordinates(named) == (1, 1, 2) and product.index_order(named) == 14
    assert product.device_ref(named) == ttl.DeviceRef(1, (1, 2))
    with pytest.raises(ValueError, match="product DeviceDomain does not have one rectangular shape"):
        product.shape
    nested = ttl.DeviceDomain.product(a=ttl.DeviceDomain((3,)), b=(2,))
    assert nested.flattened_extent == (3, 2)


DOMAIN = ttl.DeviceDomain((2, 4))
PRODUCT = ttl.DeviceDomain.product(host=(2,), chip=(2, 4))
REFUSALS = [
    (lambda: ttl.DeviceDomain((2, True)), TypeError, "dimension must be an integer, found True"),
    (lambda: ttl.DeviceDomain((2, 0)), ValueError, "axis 1 must be positive, found 0"),
    (lambda: ttl.DeviceDomain(()), ValueError, "at least one dimension"),
    (lambda: ttl.DeviceDomain((2,), topology="ring"), TypeError, "topology"),
    (lambda: DOMAIN.device_ref((2, 0)), ValueError, "axis 0 requires 0 <= coord < 2, got 2"),
    (lambda: DOMAIN.device_ref((0, 0, 0)), ValueError, "has rank 3, expected 2"),
    (lambda: DOMAIN.component_index("host"), ValueError, "unknown domain component 'host'"),
    (lambda: PRODUCT.device_ref((0, 1)), ValueError, "product domain must be DeviceRef values"),
    (lambda: PRODUCT.device_ref(ttl.DeviceRef(host=0)), ValueError, "the components of the domain are"),
    (lambda: ttl.DeviceRef(0, chip=1), ValueError, "not both"),
    (lambda: ttl.DeviceRef(-1), ValueError, "must be non-negative"),
    (lambda: DOMAIN.resolve_device_range(ttl.DeviceRange(ttl.DeviceRef((1, 0)), ttl.DeviceRef((1, 2)))),
     ValueError, "requires low < high on every axis"),
    (lambda: DOMAIN.current_index(), RuntimeError, "should only be called inside a TTL kernel"),
    (lambda: DOMAIN.is_current((9, 9)), ValueError, "requires 0 <= coord < 2, got 9"),
    (lambda: DOMAIN[0, 0, 0], IndexError, "device view has rank 2, got 3 indices"),
    (lambda: DOMAIN[2], IndexError, "device index 2 is out of range"),
    (lambda: DOMAIN[0] | ttl.DeviceDomain((2,))[0], ValueError, "must share a parent domain, found"),
    (lambda: DOMAIN.select([ttl.DeviceDomain((2,))[0]]), ValueError, "must belong to the parent domain"),
    (lambda: DOMAIN[0, 0].at_node(0, -1), ValueError, "must not be negative"),
    (lambda: ttl.TransferGraph.edges(DOMAIN, []), ValueError, "at least one edge"),
    (lambda: ttl.TransferGraph.edges(DOMAIN, [((0, 0), (0, 1))] * 2), ValueError, "edges must be unique"),
    (lambda: ttl.TransferGraph.edges(DOMAIN, [((0, 0), ttl.DeviceRange(ttl.DeviceRef((1, 0)), ttl.DeviceRef((2, 2))))]),
     ValueError, "an edge to a DeviceRange is not supported"),
    (lambda: ttl.TransferGraph.axis_neighbor(PRODUCT), ValueError, "require an explicit component"),
    (lambda: ttl.TransferGraph.axis_neighbor(DOMAIN, axis=2), ValueError, "axis 2 does not exist"),
    (lambda: ttl.TransferGraph.axis_neighbor(DOMAIN, offset=0), ValueError, "offset must be positive"),
    (lambda: ttl.TransferGraph.stencil(DOMAIN, offsets=[(0, 0)]), ValueError, "zero offset"),
    (lambda: ttl.TransferGraph.stencil(DOMAIN, offsets=[(1,)]), ValueError, "has rank 1, expected 2"),
    (lambda: ttl.TransferGraph.gather(DOMAIN, (0, 4)), ValueError, "requires 0 <= coord < 4, got 4"),
    (lambda: ttl.TransferGraph.gather(PRODUCT, ttl.DeviceRef(host=0, chip=(0, 1)), component="chip"), ValueError,
     "the root has 2 coordinates: expected one, of component 'chip'"),
    (lambda: ttl.Pipe(DOMAIN[0, 0].at_node(0, 0), (0, 0)), ValueError, "both Pipe endpoints must specify"),
    (lambda: ttl.Pipe(DOMAIN[0].at_node(0, 0), DOMAIN[1].at_node(0, 0)), ValueError, "requires point endpoints"),
    (lambda: ttl.Pipe(DOMAIN[0, 0].at_node(0, 0), ttl.DeviceDomain((2,))[0].at_node(0, 0)), ValueError,
     "must share a parent device domain"),
    (lambda: ttl.Pipe.pairwise(src=DOMAIN[0].at_node(0, 0), dst=DOMAIN[:, 0].at_node(0, 0)), ValueError,
     "must have equal extents"),
    (lambda: ttl.Pipe.pairwise(src=(DOMAIN[0] | DOMAIN[1, 0]).at_node(0, 0), dst=DOMAIN[:, 0].at_node(0, 0)),
     TypeError, "coordinate-structured device views"),
    (lambda: ttl.PipeNet(), ValueError, "needs a list of pipes, or graph="),
    (lambda: ttl.PipeNet(graph=DOMAIN), TypeError, "must be a ttl.TransferGraph"),
    (lambda: ttl.PipeNet(graph=ttl.TransferGraph.gather(DOMAIN, (0, 0)), pipes=[ttl.Pipe((0, 0), (0, slice(0, 2)))]),
     ValueError, "node collective destinations require graph multicast lowering"),
    (lambda: ttl.PipeNet([ttl.Pipe((0, 0), (1, 0)), ttl.Pipe(DOMAIN[0, 0].at_node(0, 0), DOMAIN[0, 1].at_node(0, 0))]),
     ValueError, "cannot mix complete endpoints with device-relative pipes"),
    (lambda: ttl.PipeNet([ttl.Pipe(DOMAIN[0, 0].at_node(0, 0), DOMAIN[0, 1].at_node(0, 0)) for _ in range(2)]),
     ValueError, "must be different, found one twice"),
    (lambda: ttl.operation(grid=(1, 1), device_domain=(2, 4))(lambda x: None), TypeError, "must be a ttl.DeviceDomain"),
    (lambda: ttl.operation(grid=(1, 1), mesh_program_placements=[])(lambda x: None), ValueError, "must not be empty"),
    (lambda: ttl.operation(grid=(1, 1), mesh_program_placements=[(0, 0), (0, 0, 1)])(lambda x: None), ValueError,
     "placement 1 has rank 3, expected rank 2"),
    (lambda: ttl.operation(grid=(1, 1), mesh_program_placements=[(0, 0), (0, 0)])(lambda x: None), ValueError,
     "indices 0 and 1 must not overlap"),
    (lambda: ttl.MeshProgramPlacement((1, 0), (0, 0)), ValueError, "must not exceed its end"),
]


@pytest.mark.parametrize("make, kind, message", REFUSALS, ids=[message[:45] for _, _, message in REFUSALS])
def test_refusals_of_domains(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def coordinates(selection):
    return [point.coordinates for point in selection]


def test_selections():
    assert coordinates(DOMAIN[0, 1]) == [(0, 1)] and coordinates(DOMAIN[1]) == [(1, each) for each in range(4)]
    assert DOMAIN[:, 1].shape == (2,) and DOMAIN[:, 1:3].shape == (2, 2)
    assert coordinates(DOMAIN[::-1, 0]) == [(1, 0), (0, 0)]
    assert coordinates(DOMAIN[:, ::2][1]) == [(1, 0), (1, 2)]
    assert coordinates(DOMAIN[1, 1] | DOMAIN[0, 3] | DOMAIN[1, 1]) == [(0, 3), (1, 1)]
    assert coordinates(DOMAIN.select([DOMAIN[1, 0], DOMAIN[0, 0]])) == [(0, 0), (1, 0)]
    assert coordinates(DOMAIN[-1, -1]) == [(1, 3)]


def test_graphs_along_an_axis():
    graph = ttl.TransferGraph.axis_neighbor
    assert edges(graph(ttl.DeviceDomain((4,)))) == [(0, 1), (1, 2), (2, 3)]
    assert edges(graph(ttl.DeviceDomain((4,)), wrap=True)) == [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert edges(graph(DOMAIN, axis=1, offset=2)) == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert edges(graph(PRODUCT, component="host")) == [(each, each + 8) for each in range(8)]
    assert edges(graph(ttl.DeviceDomain((1,)), wrap=True)) == []


def test_the_other_graphs():
    line = ttl.DeviceDomain((3,))
    make = ttl.TransferGraph
    assert edges(make.stencil(line, offsets=[(-1,), (1,)])) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert edges(make.stencil(ttl.DeviceDomain((2,)), offsets=[(-1,), (1,)], wrap=True)) == [(0, 1), (1, 0)]
    assert edges(make.gather(line, 1)) == [(0, 1), (2, 1)]
    assert edges(make.scatter(line, 1)) == [(1, 0), (1, 2)]
    assert edges(make.all_to_all(line)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    explicit = make.edges(line, [(2, 0), (0, 2)])
    assert edges(explicit) == [(2, 0), (0, 2)] and explicit.is_explicit and explicit.explicit_edge_count == 2
    assert explicit.transfer_edges == tuple(explicit.iter_edges())
    assert edges(ttl.TransferGraph(line, edges=explicit.transfer_edges)) == [(2, 0), (0, 2)]
    ring = ttl.TransferGraph.axis_neighbor(line, wrap=True)
    assert ring.is_structured and ring.explicit_edge_count is None and ring.transfer_edges == ()
    assert make.all_to_all(line).is_structured


def test_relations_of_pipes():
    rows = ttl.Pipe.pairwise(src=DOMAIN[0].at_node(0, 0), dst=DOMAIN[1, ::-1].at_node(1, 0))
    assert [pipe.devices[1:] for pipe in rows] == [((0, i), (1, 3 - i)) for i in range(4)]
    line = ttl.DeviceDomain((2,))
    every = line.at_node(0, 0)
    assert len(ttl.Pipe.all_to_all(src=every, dst=every)) == 2
    assert len(ttl.Pipe.all_to_all(src=every, dst=every, include_self=True)) == 4
