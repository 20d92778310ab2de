# SPDX-License-Identifier: Apache-2.0
"""Coordinates of cores, ranges of cores and sets of ranges, and how work is divided among cores."""

import math

import pytest
import ttnn
from ttnn import CoreCoord, CoreRange, CoreRangeSet


def box(x0, y0, x1, y1):
    return CoreRange(CoreCoord(x0, y0), CoreCoord(x1, y1))


def pairs(cores):
    return [tuple(core) for core in cores]


def test_ranges():
    area = box(1, 2, 3, 5)
    assert area.start == CoreCoord(1, 2) and area.end == CoreCoord(3, 5)
    assert area.num_cores() == area.size() == 12 and area.grid_size() == CoreCoord(3, 4)
    assert CoreCoord(2, 5) in area and CoreCoord(0, 2) not in area
    assert area.contains(box(1, 2, 2, 2)) and not area.contains(box(0, 2, 2, 2))
    assert pairs(box(0, 0, 1, 1)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert pairs(box(0, 0, 1, 1).cores(row_wise=False)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert area == box(1, 2, 3, 5) != box(1, 2, 3, 4) and len({area, box(1, 2, 3, 5)}) == 1
    assert CoreRange((4, 5)) == box(4, 5, 4, 5)
    assert repr(box(0, 0, 1, 1)) == "CoreRange(CoreCoord(x=0, y=0), CoreCoord(x=1, y=1))"


def test_sets():
    cores = CoreRangeSet([box(0, 0, 3, 0), box(0, 1, 1, 1)])
    assert cores.ranges() == [box(0, 0, 3, 0), box(0, 1, 1, 1)] and cores.size() == 2
    assert cores.num_cores() == len(cores) == 6
    assert pairs(cores) == [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1)]
    assert cores.bounding_box() == box(0, 0, 3, 1)
    assert cores.contains(CoreCoord(1, 1)) and not cores.contains(CoreCoord(2, 1))
    assert cores.contains(box(0, 0, 1, 1)) and CoreCoord(3, 0) in cores
    assert CoreRangeSet({box(0, 1, 0, 1), box(0, 0, 0, 0)}).ranges()[0] == box(0, 0, 0, 0)
    assert CoreRangeSet(box(0, 0, 1, 1)) == CoreRangeSet([box(0, 0, 1, 0), box(0, 1, 1, 1)])
    assert CoreRangeSet().empty() and not cores.empty() and not CoreRangeSet()


def test_sets_are_combined():
    left, right = CoreRangeSet([box(0, 0, 3, 3)]), CoreRangeSet([box(2, 2, 5, 5)])
    assert left.intersects(right) and not left.intersects(box(4, 0, 5, 0))
    assert left.merge(right).num_cores() == 28
    assert left.subtract(right) == CoreRangeSet([box(0, 0, 3, 1), box(0, 2, 1, 3)])


@pytest.mark.parametrize("row_wise", [False, True])
@pytest.mark.parametrize("units", [1, 7, 8, 16, 35, 56, 64, 72, 100, 1000])
@pytest.mark.parametrize("grid", [CoreCoord(8, 7), CoreRangeSet(box(0, 0, 7, 6)), box(0, 0, 7, 6)])
def test_work_is_split(grid, units, row_wise):
    count, every, first, second, more, less = ttnn.split_work_to_cores(grid, units, row_wise)
    assert count == min(units, 56) == every.num_cores() == len(first) + len(second)
    assert more * len(first) + less * len(second) == units
    assert more == math.ceil(units / count) and less in (0, more - 1)
    assert (less == 0) == (len(second) == 0)
    assert every == first.merge(second)
    line = (lambda c: (c.y, c.x)) if row_wise else (lambda c: (c.x, c.y))
    order = sorted(every, key=line)
    assert sorted(first, key=line) == order[: len(first)]
    assert max(len(each.ranges()) for each in (every, first, second)) <= 3


def test_no_work():
    count, every, *_ = ttnn.split_work_to_cores(CoreCoord(8, 8), 0)
    assert count == 0 and every.empty()


def test_numbers_of_cores_as_sets():
    assert ttnn.num_cores_to_corerangeset(12, CoreCoord(8, 7), True) == CoreRangeSet(
        [box(0, 0, 7, 0), box(0, 1, 3, 1)]
    )
    assert ttnn.num_cores_to_corerangeset(3, [8, 7], row_wise=True).ranges() == [box(0, 0, 2, 0)]
    assert ttnn.num_cores_to_corerangeset(9, (8, 7)).ranges() == [box(0, 0, 0, 6), box(1, 0, 1, 1)]
    assert ttnn.num_cores_to_corerangeset(
        target_num_cores=56, grid_size=ttnn.CoreGrid(y=7, x=8)
    ).ranges() == [box(0, 0, 7, 6)]
    started = ttnn.num_cores_to_corerangeset(CoreCoord(6, 0), 4, CoreCoord(8, 7), True)
    assert started.ranges() == [box(6, 0, 7, 0), box(0, 1, 1, 1)]
    part = ttnn.num_cores_to_corerangeset_in_subcoregrids(
        CoreCoord(2, 1), 3, CoreRangeSet([box(1, 1, 3, 2), box(5, 5, 5, 5)]), row_wise=True
    )
    assert pairs(part) == [(2, 1), (3, 1), (1, 2)]
    with pytest.raises(ValueError, match="target_num_cores=57: the grid has 56 cores"):
        ttnn.num_cores_to_corerangeset(57, (8, 7))
    with pytest.raises(TypeError, match="target_num_cores, grid_size"):
        ttnn.num_cores_to_corerangeset(57)


def test_lists_of_cores():
    area = CoreRangeSet([box(0, 0, 1, 1)])
    assert pairs(ttnn.corerange_to_cores(area)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert pairs(ttnn.corerange_to_cores(area, 3, True)) == [(0, 0), (1, 0), (0, 1)]
    assert pairs(ttnn.grid_to_cores(3, 2, 2)) == [(0, 0), (0, 1), (1, 0)]
    assert pairs(ttnn.grid_to_cores(3, 2, 2, row_wise=True)) == [(0, 0), (1, 0), (0, 1)]
    assert len(ttnn.grid_to_cores(CoreCoord(0, 0), CoreCoord(3, 3))) == 16


def test_grid():
    grid = ttnn.CoreGrid(y=2, x=3)
    assert grid.num_cores == 6 and grid.to_CoreCoord() == CoreCoord(3, 2)
    assert grid == ttnn.CoreGrid(2, 3) and repr(grid) == "CoreGrid(y=2, x=3)"
    assert hash(grid) == hash(ttnn.CoreGrid(2, 3)) and grid != (2, 3)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: box(2, 0, 1, 0), ValueError, "an end that is not before it"),
        (lambda: CoreRange(3, 4), TypeError, "start=3: expected a ttnn.CoreCoord"),
        (lambda: CoreRangeSet([(0, 0)]), TypeError, "expected ttnn.CoreRange objects"),
        (lambda: CoreRangeSet([box(0, 0, 1, 1), box(1, 1, 2, 2)]), ValueError, "an earlier range"),
        (lambda: CoreRangeSet().bounding_box(), ValueError, "has no cores"),
        (lambda: ttnn.split_work_to_cores(CoreCoord(2, 2), -1), ValueError, "units_to_divide=-1"),
        (lambda: ttnn.split_work_to_cores("8x8", 1), TypeError, "core_grid='8x8'"),
        (lambda: ttnn.CoreGrid(y="a", x=1), TypeError, "y='a': expected an integer"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()
