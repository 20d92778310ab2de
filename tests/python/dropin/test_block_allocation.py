"""ttl.utils.block_allocation divides work among nodes."""

import math

import pytest

from ttl.utils.block_allocation import (
    get_large_matmul_params,
    get_maximum_block_dim,
    get_number_of_nodes_from_ranges,
    num_cores_to_grid_ranges,
    split_work_to_cores,
    split_work_to_nodes,
)

GRIDS = [(8, 8), (4, 8), (7, 9), (13, 10), (5, 7), (3, 12), (2, 3), (3, 2), (1, 6), (64,)]


def nodes_of(ranges):
    """Returns all nodes of a list of (first, last) ranges, in order."""
    found = []
    for first, last in ranges:
        extents = [range(low, high + 1) for low, high in zip(first, last)]
        nodes = [()]
        for extent in extents:
            nodes = [node + (index,) for node in nodes for index in extent]
        found += nodes
    return found


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("units", [0, 1, 5, 6, 10, 63, 64, 65, 100, 129, 200])
@pytest.mark.parametrize("row_wise", [True, False])
def test_work_is_divided_evenly_and_once(grid, units, row_wise):
    count, group1, group2, each1, each2 = split_work_to_nodes(grid, units, row_wise)
    first, second = nodes_of(group1), nodes_of(group2)
    assert len(set(first + second)) == len(first + second) == count <= math.prod(grid)
    assert count == min(units, math.prod(grid))
    assert len(first) * each1 + len(second) * each2 == units
    assert not second or each1 == each2 + 1
    assert len(group1) <= 3 and len(group2) <= 3
    assert get_number_of_nodes_from_ranges(group1) == len(first)


def test_ranges_are_lines_and_rectangles():
    assert split_work_to_nodes((4, 8), 50) == (
        32, [((0, 0), (1, 7)), ((2, 0), (2, 1))], [((2, 2), (2, 7)), ((3, 0), (3, 7))], 2, 1)
    assert split_work_to_nodes((4, 8), 3, row_wise=False) == (3, [((0, 0), (2, 0))], [], 1, 0)
    assert split_work_to_nodes((1, 4, 8), 32)[1] == [((0, 0, 0), (0, 3, 7))]
    assert split_work_to_nodes((64,), 65) == (64, [((0,), (0,))], [((1,), (63,))], 2, 1)


def test_the_older_form_names_the_ends_of_a_group():
    assert split_work_to_cores((4, 8), 50) == (32, ((0, 0), (2, 1)), ((2, 2), (3, 7)), 2, 1)
    assert split_work_to_cores((4, 8), 3) == (3, ((0, 0), (0, 2)), (), 1, 0)
    assert split_work_to_cores((4, 8), 0) == (0, (), (), 0, 0)


def test_ranges_from_a_node_on():
    assert num_cores_to_grid_ranges((1, 6), 13, (4, 8)) == [
        ((1, 6), (1, 7)), ((2, 0), (2, 7)), ((3, 0), (3, 2))]
    with pytest.raises(ValueError, match=r"fewer than 40 nodes from \(0, 0\) on"):
        num_cores_to_grid_ranges((0, 0), 40, (4, 8))


@pytest.mark.parametrize("grid, message", [((0, 8), "at least 1"), ((2, 4, 8), "two dimensions")])
def test_grids_that_cannot_be(grid, message):
    with pytest.raises(ValueError, match=message):
        split_work_to_nodes(grid, 4)


def test_number_of_nodes():
    assert get_number_of_nodes_from_ranges([]) == 0
    assert get_number_of_nodes_from_ranges([((0, 0), (3, 7)), ((4, 0), (4, 3))]) == 36
    assert get_number_of_nodes_from_ranges([((0, 0, 0), (0, 2, 4))]) == 15


@pytest.mark.parametrize("rows, columns, Mt, Nt, K, expected", [
    (8, 8, 1, 1, 8, (1, 1, 1, 1)), (8, 8, 16, 16, 8, (16, 2, 4, 2)),
    (8, 8, 21, 42, 8, (7, 6, 7, 1)), (8, 8, 77, 77, 4, (11, 11, 1, 1)),
    (8, 8, 256, 256, 1, (0, 0, 0, 0)), (13, 10, 40, 65, 8, (5, 13, 5, 1)),
    (13, 10, 64, 256, 1, (8, 32, 4, 2)), (13, 10, 128, 128, 2, (16, 16, 4, 2)),
])
def test_blocks_of_a_matrix_product(rows, columns, Mt, Nt, K, expected):
    assert get_large_matmul_params(Mt, Nt, rows, columns, K) == expected


def test_a_block_covers_the_result_and_fits():
    for Mt, Nt, K in [(32, 32, 8), (35, 70, 8), (64, 64, 8), (96, 24, 2), (7, 91, 4)]:
        block = get_large_matmul_params(Mt, Nt, 8, 8, K)
        assert Mt % block.block_h == Nt % block.block_w == 0
        assert Mt // block.block_h <= 8 and Nt // block.block_w <= 8
        assert block.block_w <= get_maximum_block_dim(block.block_h, K)
