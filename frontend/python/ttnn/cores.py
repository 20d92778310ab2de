# SPDX-License-Identifier: Apache-2.0
"""Cores of the compute grid, sets of them, and the division of work among them.

x is the column and y the row of a core. Ranges include both ends.
"""

import operator

from _ttjit import ClassSignature, CoreCoord, public_methods

from . import words

__all__ = (
    "corerange_to_cores grid_to_cores num_cores_to_corerangeset "
    "num_cores_to_corerangeset_in_subcoregrids split_work_to_cores"
).split()

CoreCoord.__signature__ = ClassSignature(lambda self, x, y: None)


def as_core(value, name):
    """Returns a CoreCoord for a CoreCoord, a CoreGrid or a pair (x, y)."""
    if isinstance(value, CoreCoord):
        return value
    if isinstance(value, CoreGrid):
        return CoreCoord(value.x, value.y)
    try:
        x, y = map(operator.index, value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: expected a ttnn.CoreCoord or a pair (x, y)") from None
    return CoreCoord(x, y)


def _count(value, name):
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: expected an integer") from None
    if number < 0:
        raise ValueError(f"{name}={number}: expected at least 0")
    return number


@public_methods
class CoreGrid:
    """A grid of y rows and x columns of cores, starting at core (0, 0)."""

    def __init__(self, y, x):
        self.y, self.x = _count(y, "y"), _count(x, "x")

    @property
    def num_cores(self):
        return self.y * self.x

    def to_CoreCoord(self):
        return CoreCoord(self.x, self.y)

    def __eq__(self, other):
        return isinstance(other, CoreGrid) and (self.y, self.x) == (other.y, other.x)

    def __hash__(self):
        return hash((self.y, self.x))

    def __repr__(self):
        return f"CoreGrid(y={self.y}, x={self.x})"


@public_methods
class CoreRange:
    """The rectangle of cores from `start` to `end`, both included."""

    def __init__(self, start, end=None):
        self.start = as_core(start, "start")
        self.end = self.start if end is None else as_core(end, "end")
        if self.start.x > self.end.x or self.start.y > self.end.y or min(*self.start) < 0:
            raise ValueError(f"CoreRange from {self.start!r} to {self.end!r}: expected a start of "
                             "at least (0, 0), and an end that is not before it")

    def grid_size(self):
        """Returns the number of columns and rows of the rectangle."""
        return CoreCoord(self.end.x - self.start.x + 1, self.end.y - self.start.y + 1)

    def num_cores(self):
        size = self.grid_size()
        return size.x * size.y

    size = num_cores

    def contains(self, other):
        """Returns whether a core, a range or a set of ranges is inside this range."""
        return CoreRangeSet([self]).contains(other)

    def cores(self, row_wise=True):
        """Returns the cores, row by row, or column by column."""
        xs = range(self.start.x, self.end.x + 1)
        ys = range(self.start.y, self.end.y + 1)
        pairs = ((x, y) for y in ys for x in xs) if row_wise else ((x, y) for x in xs for y in ys)
        return [CoreCoord(x, y) for x, y in pairs]

    def __iter__(self):
        return iter(self.cores())

    def __contains__(self, core):
        return self.contains(core)

    def __eq__(self, other):
        return isinstance(other, CoreRange) and (self.start, self.end) == (other.start, other.end)

    def __hash__(self):
        return hash((self.start, self.end))

    def __repr__(self):
        return f"CoreRange({self.start!r}, {self.end!r})"


def _as_range(value):
    """Returns a CoreRange for a core or a range, None for any other value."""
    if isinstance(value, CoreCoord):
        return CoreRange(value)
    is_range = hasattr(value, "start") and hasattr(value, "end")
    return CoreRange(value.start, value.end) if is_range else None


def _as_ranges(value):
    if _as_range(value):
        return [_as_range(value)]
    try:
        items = [_as_range(each) for each in (value.ranges() if _has_ranges(value) else value)]
    except TypeError:
        items = [None]
    if None in items:
        raise TypeError(f"CoreRangeSet({value!r}): expected ttnn.CoreRange objects")
    if isinstance(value, (set, frozenset)):
        items.sort(key=lambda each: (each.start.y, each.start.x))
    return items


def _has_ranges(value):
    return hasattr(value, "ranges")


@public_methods
class CoreRangeSet:
    """A list of ranges that have no core in common."""

    def __init__(self, ranges=()):
        self._ranges = _as_ranges(ranges)
        seen = set()
        for each in self._ranges:
            twice = seen.intersection(each.cores())
            if twice:
                raise ValueError(f"CoreRangeSet: {each!r} holds {min(twice, key=tuple)!r}, which "
                                 "an earlier range holds, too")
            seen.update(each.cores())

    def ranges(self):
        return list(self._ranges)

    def size(self):
        """Returns the number of ranges."""
        return len(self._ranges)

    def num_cores(self):
        return sum(each.num_cores() for each in self._ranges)

    def empty(self):
        return not self._ranges

    def cores(self, row_wise=True):
        """Returns the cores, range by range."""
        return [core for each in self._ranges for core in each.cores(row_wise)]

    def contains(self, other):
        """Returns whether a core, a range or a set of ranges is inside this set."""
        if _has_ranges(other) or isinstance(other, CoreRange):
            return set(self.cores()).issuperset(CoreRangeSet(other).cores())
        return as_core(other, "core") in set(self.cores())

    def bounding_box(self):
        """Returns the smallest range that holds all cores."""
        if not self._ranges:
            raise ValueError("bounding_box(): the CoreRangeSet has no cores")
        xs = [core.x for core in self.cores()]
        ys = [core.y for core in self.cores()]
        return CoreRange(CoreCoord(min(xs), min(ys)), CoreCoord(max(xs), max(ys)))

    def merge(self, other):
        """Returns a set with the cores of both sets."""
        added = [core for core in CoreRangeSet(other).cores() if not self.contains(core)]
        return CoreRangeSet(self.ranges() + ranges_of(added, row_wise=True))

    def subtract(self, other):
        """Returns a set with the cores that `other` does not hold."""
        removed = set(CoreRangeSet(other).cores())
        kept = [core for core in self.cores() if core not in removed]
        return CoreRangeSet(ranges_of(kept, row_wise=True))

    def intersects(self, other):
        return not set(self.cores()).isdisjoint(CoreRangeSet(other).cores())

    def __iter__(self):
        return iter(self.cores())

    def __len__(self):
        return self.num_cores()

    def __contains__(self, core):
        return self.contains(core)

    def __eq__(self, other):
        return _has_ranges(other) and set(self.cores()) == set(CoreRangeSet(other).cores())

    def __hash__(self):
        return hash(frozenset(self.cores()))

    def __repr__(self):
        return f"CoreRangeSet({self._ranges!r})"


def _lines(cores, row_wise):
    """Returns [line, first, last] of each run of neighbours in a row, or in a column."""
    lines = []
    for core in cores:
        line, place = (core.y, core.x) if row_wise else (core.x, core.y)
        if lines and lines[-1][0] == line and lines[-1][2] + 1 == place:
            lines[-1][2] = place
        else:
            lines.append([line, place, place])
    return lines


def ranges_of(cores, row_wise):
    """Returns ranges that hold the cores, in their order. Equal runs in adjacent lines are one range."""
    boxes = []  # [first line, last line, first position, last position]
    for line, first, last in _lines(cores, row_wise):
        if boxes and boxes[-1][1:] == [line - 1, first, last]:
            boxes[-1][1] = line
        else:
            boxes.append([line, line, first, last])
    corners = [((first, start), (last, end)) for start, end, first, last in boxes]
    if not row_wise:
        corners = [(low[::-1], high[::-1]) for low, high in corners]
    return [CoreRange(CoreCoord(*low), CoreCoord(*high)) for low, high in corners]


def _grid_cores(grid, row_wise):
    """Returns the cores of a grid size, a range or a set, in the order in which they get work."""
    if _has_ranges(grid) or hasattr(grid, "start"):
        return CoreRangeSet(grid).cores(row_wise)
    size = as_core(grid, "core_grid")
    if size.x < 1 or size.y < 1:
        return []
    return CoreRange(CoreCoord(0, 0), CoreCoord(size.x - 1, size.y - 1)).cores(row_wise)


def _set_of(cores, row_wise):
    return CoreRangeSet(ranges_of(cores, row_wise))


def split_work_to_cores(core_grid, units_to_divide, row_wise=False):
    """Divides units of work among the cores of a grid size or of a CoreRangeSet. Returns the number
    of cores used, all these cores, the group that gets one unit more, the other group, the units of
    each core of the first group, and the units of each core of the other group. If the division
    leaves no remainder, all cores are in the first group.

    Coordinates are (x, y). Raises a TypeError for arguments that are no cores, and a ValueError for
    a negative number of units.

    Example:

        count, cores, *groups = ttnn.split_work_to_cores(ttnn.CoreCoord(2, 2), 10)
    """
    units = _count(units_to_divide, "units_to_divide")
    cores = _grid_cores(core_grid, row_wise)[:units]
    if not cores:
        return 0, CoreRangeSet(), CoreRangeSet(), CoreRangeSet(), 0, 0
    least, remainder = divmod(units, len(cores))
    more = remainder or len(cores)
    groups = [_set_of(part, row_wise) for part in (cores, cores[:more], cores[more:])]
    first, second = (least + 1, least) if remainder else (least, 0)
    return (len(cores), *groups, first, second)


def _take(cores, count, what):
    count = _count(count, "target_num_cores")
    if count > len(cores):
        raise ValueError(f"target_num_cores={count}: {what} has {words.plural(len(cores), 'core')}")
    return cores[:count]


def _from_start(cores, start):
    start = as_core(start, "start_core")
    if start not in cores:
        raise ValueError(f"start_core={start!r} is not a core of the grid")
    return cores[cores.index(start):]


def num_cores_to_corerangeset(*arguments, **keywords):
    """Returns the first cores of a grid, column by column, or row by row. The arguments are
    ([start_core,] target_num_cores, grid_size, row_wise=False).

    Coordinates are (x, y). Raises a TypeError for arguments that are no cores, and a ValueError for
    more cores than there are.

    Example:

        cores = ttnn.num_cores_to_corerangeset(3, (2, 2))
    """
    names = ["target_num_cores", "grid_size", "row_wise"]
    if (arguments and isinstance(arguments[0], CoreCoord)) or "start_core" in keywords:
        names.insert(0, "start_core")
    given = dict(zip(names, arguments), **keywords)
    missing = {"target_num_cores", "grid_size"} - given.keys()
    if missing or given.keys() - set(names) or len(arguments) > len(names):
        raise TypeError("num_cores_to_corerangeset(): expected ([start_core,] target_num_cores, "
                        f"grid_size, row_wise=False), found {arguments!r} and {keywords!r}")
    row_wise = given.get("row_wise", False)
    cores = _grid_cores(as_core(given["grid_size"], "grid_size"), row_wise)
    if "start_core" in given:
        cores = _from_start(cores, given["start_core"])
    return _set_of(_take(cores, given["target_num_cores"], "the grid"), row_wise)


def num_cores_to_corerangeset_in_subcoregrids(start_core, target_num_cores, sub_core_grids,
                                              row_wise=False):
    """Returns the first cores of a CoreRangeSet, from start_core on.

    Coordinates are (x, y). Raises a TypeError for arguments that are no cores, and a ValueError for
    more cores than there are.

    Example:

        grid = ttnn.num_cores_to_corerangeset(4, (2, 2))
        cores = ttnn.num_cores_to_corerangeset_in_subcoregrids(ttnn.CoreCoord(0, 0), 2, grid)
    """
    cores = _from_start(CoreRangeSet(sub_core_grids).cores(row_wise), start_core)
    return _set_of(_take(cores, target_num_cores, "the rest of sub_core_grids"), row_wise)


def corerange_to_cores(core_range_set, max_cores=None, row_wise=False):
    """Returns the cores of a range or of a set; at most max_cores of them.

    Coordinates are (x, y). Raises a TypeError for arguments that are no cores, and a ValueError for
    a negative max_cores.

    Example:

        cores = ttnn.corerange_to_cores(ttnn.CoreRange((0, 0), (1, 1)))
    """
    cores = CoreRangeSet(core_range_set).cores(row_wise)
    return cores if max_cores is None else cores[: _count(max_cores, "max_cores")]


def grid_to_cores(first, second, grid_size_y=None, row_wise=False):
    """Returns the cores of a grid: grid_to_cores(num_cores, grid_size_x, grid_size_y) or
    grid_to_cores(start, end).

    Coordinates are (x, y). Raises a TypeError for arguments that are no cores, and a ValueError for
    more cores than there are.

    Example:

        cores = ttnn.grid_to_cores(4, 2, 2)
    """
    if isinstance(first, CoreCoord):
        return CoreRange(first, second).cores(row_wise)
    if grid_size_y is None:
        raise TypeError("grid_to_cores(): expected (num_cores, grid_size_x, grid_size_y) or "
                        f"(start, end), found {(first, second)!r}")
    return _take(_grid_cores((second, grid_size_y), row_wise), first, "the grid")
