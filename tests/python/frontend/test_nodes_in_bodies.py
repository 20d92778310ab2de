# SPDX-License-Identifier: Apache-2.0
"""ttl.node() in the body of an operation: captured variables that differ between nodes."""
# feature: Values of the body that differ between nodes; Nodes

import dataclasses
import itertools
import re

import numpy as np
import pytest
import ttl


def tiles(rows, columns=1):
    """Returns a tensor of rows x columns tiles, in which all elements of tile i are i."""
    numbers = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return np.kron(numbers, np.ones((32, 32), np.float32))


def numbers(tensor):
    """Returns the first element of each tile."""
    return tensor[::32, ::32]


def copy_tiles(places, grid, y_rows=8, y_columns=8):
    """Calls places() in the body: it returns (row, column, offset). Each node writes tile (0, 0)
    plus offset to tile (row, column) of y. Returns the numbers of the tiles of y."""

    @ttl.operation(grid=grid)
    def op(a, y):
        row, column, offset = places()
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as blk, y_dfb.reserve() as out:
                out.store(blk + offset)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[row, column]).wait()

    a, y = tiles(1), np.full((32 * y_rows, 32 * y_columns), -1, np.float32)
    op(a, y)
    return numbers(y)


def test_integers_and_floats_are_read_at_run_time():
    got = copy_tiles(lambda: (ttl.node()[1], ttl.node()[0] + 1, _offset(*ttl.node())), (2, 3))
    expected = np.full((8, 8), -1.0)
    for x in range(2):
        for y in range(3):
            expected[y, x + 1] = _offset(x, y)
    assert np.array_equal(got, expected)


def _offset(x, y):
    return x + 10 * y + 0.5


@pytest.mark.parametrize(
    "grid, dims, expected",
    [
        ((2, 3), 1, [(x * 3 + y,) for x in range(2) for y in range(3)]),
        ((2, 2, 2), 2, [(x, 2 * y + z) for x in range(2) for y in range(2) for z in range(2)]),
        ((2, 2), 3, [(x, y, 0) for x in range(2) for y in range(2)]),
        ((3,), 1, [(x,) for x in range(3)]),
        ((3,), 2, [(x, 0) for x in range(3)]),
    ],
)
def test_coordinates_of_any_rank(grid, dims, expected):
    seen = []

    @ttl.operation(grid=grid)
    def op(a):
        node = ttl.core(dims=dims)
        seen.append(node if isinstance(node, tuple) else (node,))

        @ttl.datamovement()
        def reader():
            pass

    op.ir(tiles(1))
    assert seen == expected


def test_positional_and_dim_spellings():
    @ttl.operation(grid=(2, 2))
    def op(a):
        assert ttl.node(1) == ttl.node(dim=1) == ttl.core(dims=1)

        @ttl.datamovement()
        def reader():
            pass

    op.ir(tiles(1))


def test_conditions_loops_and_helpers():
    @ttl.operation(grid=(2, 2))
    def op(a, y):
        x, line = ttl.node()
        is_first = x == 0 and line == 0
        rows = (x, line + 2)
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        def source():
            return x * 2 + line

        @ttl.datamovement()
        def reader():
            for row in rows:
                for _ in range(line + 1):
                    with a_dfb.reserve() as blk:
                        ttl.copy(a[source(), 0], blk).wait()

        @ttl.datamovement()
        def writer():
            for row in rows:
                for i in range(line + 1):
                    with a_dfb.wait() as blk:
                        if is_first:
                            ttl.copy(blk, y[row, 15]).wait()
                        else:
                            ttl.copy(blk, y[row, 4 * source() + i]).wait()

    a, y = tiles(4), np.full((32 * 4, 32 * 16), -1, np.float32)
    op(a, y)
    expected = np.full((4, 16), -1)
    for x in range(2):
        for line in range(2):
            for row in (x, line + 2):
                for i in range(line + 1):
                    column = 15 if x == line == 0 else 4 * (x * 2 + line) + i
                    expected[row, column] = x * 2 + line
    assert np.array_equal(numbers(y), expected)


@dataclasses.dataclass
class Place:
    row: int


@pytest.mark.parametrize(
    "make, row_of",
    [
        (lambda node: 3 - node, lambda place: place),
        (lambda node: (0, [3 - node]), lambda place: place[1][0]),
        (lambda node: {"row": 3 - node}, lambda place: place["row"]),
        (lambda node: Place(3 - node), lambda place: place.row),
        (lambda node: lambda: 3 - node, lambda place: place()),
        (lambda node: None if node < 3 else 0, lambda place: 3 if place is None else place),
    ],
    ids=["number", "sequences", "dict", "object", "function", "None"],
)
def test_what_kernel_functions_capture(make, row_of):
    @ttl.operation(grid=(4, 1))
    def op(a, y):
        node = ttl.node(dims=1)
        place = make(node)
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[node, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[row_of(place), node]).wait()

    def row(node):
        place = make(node)
        return row_of(place)

    a, y = tiles(4), np.full((32 * 4, 32 * 4), -1, np.float32)
    misses = ttl._cache_info().misses
    for _ in range(2):
        op(a, y)
    assert ttl._cache_info().misses == misses + 1
    expected = np.full((4, 4), -1)
    for node in range(4):
        expected[row(node), node] = node
    assert np.array_equal(numbers(y), expected)


def test_shapes_that_differ_split_the_grid():
    @ttl.operation(grid=(3, 1))
    def op(a, y):
        node, _ = ttl.node()
        height = 2 if node == 1 else 1
        dfb = ttl.make_dataflow_buffer_like(a, shape=(height, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[node : node + height, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[node : node + height, node]).wait()

    a, y = tiles(4), np.full((32 * 4, 32 * 4), -1, np.float32)
    text = op.ir(a, y)
    assert len(re.findall("create_cb", text)) == 2
    for _ in range(2):
        op(a, y)
    expected = np.full((4, 4), -1)
    expected[0, 0], expected[1, 1], expected[2, 1], expected[2, 2] = 0, 1, 2, 2
    assert np.array_equal(numbers(y), expected)


def test_numbers_that_must_be_static_split_the_grid():
    @ttl.operation(grid=(4, 1))
    def op(a, y):
        node, _ = ttl.node()
        half = node // 2
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            total = ttl.block.fill(0, shape=(half + 1, 1))
            with a_dfb.wait() as blk, y_dfb.reserve() as out:
                out.store(blk + total.shape[0])

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[ttl.node(dims=1), 0]).wait()

    a, y = tiles(1), np.full((32 * 4, 32), -1, np.float32)
    misses = ttl._cache_info().misses
    for _ in range(3):
        op(a, y)
    assert ttl._cache_info().misses == misses + 1
    assert np.array_equal(numbers(y)[:, 0], [1, 1, 2, 2])


def test_pipes_that_each_node_makes():
    @ttl.operation(grid=(4, 2))
    def op(a, y):
        x, line = ttl.node()
        net = ttl.PipeNet([ttl.Pipe((0, line), (slice(1, 4), line))])
        done = ttl.Semaphore()
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        own_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def mover():
            def send(pipe):
                with own_dfb.reserve() as blk:
                    ttl.copy(a[line, 0], blk).wait()
                    ttl.copy(blk, pipe).wait()

            def receive(pipe):
                with dfb.reserve() as blk:
                    ttl.copy(pipe, blk).wait()

            net.if_src(send)
            net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            if x == 0:
                with own_dfb.wait() as blk:
                    ttl.copy(blk, y[line, x]).wait()
            else:
                with dfb.wait() as blk:
                    ttl.copy(blk, y[line, x]).wait()

    a, y = tiles(2), np.full((64, 128), -1, np.float32)
    op(a, y)
    assert np.array_equal(numbers(y), [[0] * 4, [1] * 4])


def test_a_pipe_that_one_end_does_not_make():
    @ttl.operation(grid=(2, 1))
    def op(a):
        x, _ = ttl.node()
        net = ttl.PipeNet([ttl.Pipe((x, 0), (1 - x, 0))])

        @ttl.datamovement()
        def mover():
            net.if_src(lambda pipe: None)

    with pytest.raises(ttl.CompileError, match="node 1 is an end of <Pipe"):
        op.ir(tiles(1))


def test_other_values_compile_again():
    last = [0]

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        x, _ = ttl.node()
        column = x + last[0]
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[0, column]).wait()

    a = np.ones((32, 32), np.float32)
    for first in (0, 2, 0):
        last[0] = first
        y = np.zeros((32, 128), np.float32)
        op(a, y)
        assert np.array_equal(np.flatnonzero(numbers(y)[0]), [first, first + 1])


def test_equal_slices_of_each_node_compile_once():
    @ttl.operation(grid=(2, 1))
    def op(a, y):
        x = ttl.node(dims=1)
        columns = slice(x, x + 1)
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, columns], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[0, columns]).wait()

    a, y = tiles(1, 2), np.zeros((32, 64), np.float32)
    op(a, y)
    misses = ttl._cache_info().misses
    op(a, y)
    assert ttl._cache_info().misses == misses
    assert np.array_equal(y, a)


def test_grid_size_and_node_outside_of_operations():
    copy_tiles(lambda: (0, 0, 1), (2, 3))
    assert ttl.grid_size() == (2, 3)
    assert ttl.grid_size(dims=1) == 6
    with pytest.raises(RuntimeError, match="core not available"):
        ttl.node()


# ===--------------------------------------------------------------------------=== #
# Numbers that differ between nodes, and the key of the launch cache
# ===--------------------------------------------------------------------------=== #


SALTS = itertools.count()


def place_by_node(rule):
    """Returns a function that runs and checks an operation. On node n, rule(n, argument) is (row, shift,
    is_marked, (_, column)): node n writes n + shift, plus 100 if marked, to tile (row, column)."""
    salt = next(SALTS)  # makes each kernel unique, so that the launch cache has no program for it

    @ttl.operation(grid=(2, 2))
    def op(y, argument):
        node = ttl.node(dims=1)
        row, shift, is_marked, pair = rule(node, argument)
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        def column():
            return pair[1]

        @ttl.compute()
        def compute():
            with dfb.reserve() as blk:
                value = 100.0 if is_marked else 0.0 * salt
                blk.store(ttl.block.fill(node + shift + value, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[row, column()]).wait()

    def written(argument):
        y = np.full((32 * 4, 32 * 4), -1, np.float32)
        op(y, argument)
        expected = np.full((4, 4), -1, np.float32)
        for node in range(4):
            row, shift, is_marked, pair = rule(node, argument)
            expected[row, pair[1]] = np.float32(node + shift + (100 if is_marked else 0))
        assert np.array_equal(numbers(y), expected)

    return written


def misses_of(action):
    before = ttl._cache_info().misses
    action()
    return ttl._cache_info().misses - before


@pytest.mark.counts_compiles
def test_numbers_that_differ_between_nodes_are_no_part_of_the_key():
    def rule(node, k):
        return (node + k) % 4, k + node / 4, (node + k) % 2 == 0, ("x", (3 * node + k) % 4)

    written = place_by_node(rule)
    assert misses_of(lambda: written(0)) == 1
    assert misses_of(lambda: [written(k) for k in (1, 2, 7, 0)]) == 0


@pytest.mark.counts_compiles
def test_a_number_that_becomes_equal_on_all_nodes_is_part_of_the_key():
    written = place_by_node(lambda node, k: (node, k if k > 5 else k * node, False, (0, node)))
    assert misses_of(lambda: written(1)) == 1
    assert misses_of(lambda: written(2)) == 0
    assert misses_of(lambda: written(6)) == 1
    assert misses_of(lambda: written(7)) == 1
    assert misses_of(lambda: written(7)) == 0


@pytest.mark.counts_compiles
def test_the_kind_of_numbers_is_part_of_the_key():
    written = place_by_node(lambda node, scale: (node, node * scale, False, (0, node)))
    assert misses_of(lambda: written(2)) == 1
    assert misses_of(lambda: written(2.5)) == 1
    assert misses_of(lambda: [written(3), written(0.5)]) == 0


@pytest.mark.not_emitted("the emitted engine has one C++ text for all nodes")
def test_numbers_that_split_the_grid_are_part_of_the_key():
    seen = []

    @ttl.operation(grid=(4, 1))
    def op(a, k):
        width = (ttl.node(dims=1) + k) % 2 + 1
        node = ttl.node(dims=1)

        @ttl.datamovement()
        def reader():
            for i in [10] * width:
                note(node, i)

    note = ttl.host_function(lambda node, i: seen.append(node), restype=None)
    for k, misses in [(0, 1), (1, 1), (0, 0), (2, 0)]:
        seen.clear()
        assert misses_of(lambda: op(tiles(1), k)) == misses
        assert sorted(seen) == sorted(n for n in range(4) for _ in range((n + k) % 2 + 1))


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31), -1, 1e-45, -0.0, 3.0e38, float("-inf")])
def test_numbers_of_nodes_keep_their_bits(value):
    seen = {}
    note = ttl.host_function(lambda node, value: seen.update({node: value}), restype=None)

    @ttl.operation(grid=(3, 1))
    def op(a, value):
        node = ttl.node(dims=1)
        number = value if node == 1 else type(value)(0)

        @ttl.datamovement()
        def reader():
            note(node, number)

    for given in (type(value)(5), value):
        op(tiles(1), given)
        assert seen[0] == 0 and repr(np.float64(np.float32(seen[1]))) == repr(
            np.float64(np.float32(given))
        )
