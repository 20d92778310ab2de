"""An older spelling of copies: in ttl.copy(x[0, 0], a_cb), the buffer a_cb means its reserved block."""
# feature: Older spellings; Copies and handles

import numpy as np
import pytest

import ttl


def copier(read, write):
    @ttl.kernel(grid=(1, 1))
    def copy_all(x, y):
        x_cb = ttl.make_circular_buffer_like(x, shape=(1, 1), buffer_factor=4)

        @ttl.datamovement()
        def reader():
            for i in range(4):
                read(x_cb, x, i)

        @ttl.datamovement()
        def writer():
            for i in range(4):
                write(x_cb, y, i)

    return copy_all


def read_statement(cb, x, i):
    cb.reserve()
    tx = ttl.copy(x[0, i], cb)
    tx.wait()
    cb.push()


def write_statement(cb, y, i):
    cb.wait()
    tx = ttl.copy(cb, y[0, i])
    tx.wait()
    cb.pop()


def read_with(cb, x, i):
    with cb.reserve():
        ttl.copy(x[0, i], cb).wait()


def write_with(cb, y, i):
    with cb.wait():
        ttl.copy(cb, y[0, i]).wait()


def read_two(cb, x, i):
    """A copy into a buffer with two reserved blocks fills the one that was reserved first."""
    if i % 2 == 0:
        cb.reserve()
        second = cb.reserve()
        ttl.copy(x[0, i], cb).wait()
        ttl.copy(x[0, i + 1], second).wait()
        cb.push()
        cb.push()


@pytest.mark.parametrize("read", [read_statement, read_with, read_two])
@pytest.mark.parametrize("write", [write_statement, write_with])
def test_a_buffer_is_its_oldest_block(read, write):
    x = np.random.default_rng(5).standard_normal((32, 128)).astype(np.float32)
    y = np.zeros_like(x)
    copier(read, write)(x, y)
    assert np.array_equal(x, y)


def copy_without_block(cb, x, i):
    ttl.copy(x[0, i], cb).wait()


def copy_into_waited_block(cb, x, i):
    cb.wait()
    ttl.copy(x[0, i], cb).wait()
    cb.pop()


@pytest.mark.parametrize("read", [copy_without_block, copy_into_waited_block])
def test_a_buffer_without_a_block_for_this_end(read):
    x = np.zeros((32, 128), dtype=np.float32)
    with pytest.raises(ttl.CompileError, match="found a DataflowBuffer .call reserve") as caught:
        copier(read, write_with)(x, x.copy())
    assert "ttl.copy(x[0, i], cb)" in open(__file__).readlines()[caught.value.line - 1]
