# SPDX-License-Identifier: Apache-2.0
"""ttl.read_index() on blocks of integers, and ways to write ttl.raw_element_write()."""
# feature: Single elements

import numpy as np
import pytest
import ttl
import ttnn

KINDS = [(kind, layout) for kind in ("uint8", "uint16", "uint32", "int32") for layout in ("tile", "rows")]


def lookup(use):
    """Returns an operation that copies three rows of `table`; use(block, i) reads the i-th row's index."""

    @ttl.operation(grid=(1, 1))
    def op(indices, table, y):
        shape = (1, 1) if indices.layout == ttnn.TILE_LAYOUT else (1, 32)
        index_dfb = ttl.make_dataflow_buffer_like(indices, shape=shape)
        dfb = ttl.make_dataflow_buffer_like(table, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with index_dfb.reserve() as block:
                if shape == (1, 1):
                    ttl.copy(indices[0, 0], block).wait()
                else:
                    ttl.copy(indices[0:1, 0:32], block).wait()
            with index_dfb.wait() as block:
                use(block, dfb, table)

        @ttl.datamovement()
        def writer():
            for i in range(3):
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    return op


def send(dfb, table, row):
    with dfb.reserve() as found:
        ttl.copy(table[row, 0], found).wait()


def in_a_static_loop(block, dfb, table):
    for i in range(3):
        send(dfb, table, ttl.read_index(block, 0, i))


def in_a_run_time_loop(block, dfb, table):
    for i in range(ttl.node(dims=1) + 3):
        if i >= 0:
            send(dfb, table, ttl.read_index(block, 0, i))


def in_a_while(block, dfb, table):
    i = ttl.node(dims=1)
    while i < 3:
        row = ttl.read_index(block, 0, i)
        send(dfb, table, row)
        i += 1


def as_a_bound(block, dfb, table):
    count = ttl.node(dims=1)
    for i in range(100):
        for _ in range(ttl.read_index(block, 0, 0)):
            if count < 3:
                send(dfb, table, ttl.read_index(block, 0, count))
            count += 1
        if count >= 3:
            break


@pytest.mark.parametrize("kind, layout", KINDS)
@pytest.mark.parametrize("use", [in_a_static_loop, in_a_run_time_loop, in_a_while, as_a_bound])
def test_read_index(use, kind, layout):
    rows = 32 if layout == "tile" else 1
    numbers = np.zeros((rows, 32), np.int64)
    numbers[0, :3] = 3, 0, 2
    place = ttnn.TILE_LAYOUT if layout == "tile" else ttnn.ROW_MAJOR_LAYOUT
    table = np.arange(128 * 32, dtype=np.float32).reshape(128, 32)
    y = np.zeros((96, 32), np.float32)
    lookup(use)(ttnn.from_numpy(numbers, dtype=getattr(ttnn, kind), layout=place), table, y)
    assert np.array_equal(y, np.concatenate([table[96:], table[:32], table[64:96]]))


@pytest.mark.parametrize("kind, value", [("int32", -1), ("uint32", 2**31), ("uint32", 2**32 - 1)])
def test_faults(kind, value):
    numbers = np.zeros((32, 32), np.int64)
    numbers[0, 1] = value
    table, y = np.zeros((128, 32), np.float32), np.zeros((96, 32), np.float32)
    with pytest.raises(ttl.RuntimeFault, match="read_index: the element must be a number from 0 to 2147483647"):
        lookup(in_a_static_loop)(ttnn.from_numpy(numbers, dtype=getattr(ttnn, kind)), table, y)


def access(function, dtype):
    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                function(block)
            with dfb.wait() as block:
                ttl.copy(block, a[0, 0]).wait()

    tensor = ttnn.from_numpy(np.ones((32, 32)), dtype=dtype)
    op(tensor)
    return ttnn.to_numpy(tensor)


def test_spellings_of_a_write():
    def function(block):
        ttl.raw_element_write(block, 0, 1, 2.5)
        ttl.raw_element_write(block, 1, 0, value=-3)
        ttl.raw_element_write(block, (2, 3), value=ttl.raw_element_read(block, 0, 1) + ttl.node(dims=1))

    values = access(function, ttnn.float32)
    assert values[0, 1] == 2.5 and values[1, 0] == -3 and values[2, 3] == 2.5 and values.sum() == 1023


NOTE = ttl.host_function(lambda block: None)


@pytest.mark.parametrize(
    "function, dtype, message",
    [
        (lambda b: ttl.read_index(b, 0, 0), ttnn.bfloat8_b,
         "can only be used with blocks of float32, bfloat16 or integers"),
        (lambda b: ttl.raw_element_read(b, 0, 0), ttnn.uint16, "can only be used with blocks of float32 or bfloat16"),
        (lambda b: ttl.raw_element_write(b, 0, 0), ttnn.float32, "lacks the argument value="),
        (lambda b: ttl.raw_element_write(b, 0, 0, value=1), ttnn.uint32, "blocks of float32 or bfloat16"),
        (lambda b: ttl.read_index(b, 0), ttnn.uint32, "must get 2 coordinates"),
        (lambda b: NOTE(b), ttnn.uint32,
         "a block given to a host function must be of float32 or bfloat16, found a block of uint32"),
    ],
)  # fmt: skip
def test_refusals(function, dtype, message):
    with pytest.raises(ttl.CompileError) as caught:
        access(function, dtype)
    assert message in str(caught.value)
