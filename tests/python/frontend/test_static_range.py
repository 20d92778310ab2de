# SPDX-License-Identifier: Apache-2.0
"""Loops over ttl.static_range() are unrolled: the body is compiled once for each number."""
# feature: for

import numpy as np
import pytest
import ttl
from kernels import run, zeros

NAMES = tuple("abcdefgh")


def last(numbers):
    found = None
    for number in ttl.static_range(numbers):
        found = NAMES[number]
    return found


def test_numbers_are_known_at_compile_time():
    def body(zero):
        seen = ()
        for i in ttl.static_range(2, 8, 3):
            seen += (NAMES[i],)
        assert seen == ("c", "f") and last(3) == "c" and last(0) is None
        assert [NAMES[i] for i in ttl.static_range(2, -1, -1)] == ["c", "b", "a"]
        total = zero
        for i in range(zero + 3):
            for j in ttl.static_range(2):
                total += i * len(NAMES[: j + 1])
        assert total == 9
        while total > 5:
            for i in ttl.static_range(2):
                if NAMES[i] == "b":
                    break
                total -= i + 1
        assert total == 5
        for i in ttl.static_range(5):
            if i == zero + 3:
                break
            total += i
        else:
            total = -1
        assert total == 8 and len(ttl.static_range(4)) == 4 and 3 in ttl.static_range(4)

    run(body)


def test_outside_of_kernel_functions_it_is_range():
    assert ttl.static_range(3) == range(3) and list(ttl.static_range(1, 6, 2)) == [1, 3, 5]
    with pytest.raises(TypeError):
        ttl.static_range("a")


def test_lists_of_buffers():
    @ttl.operation(grid=(1, 1))
    def op(x, y):
        buffers = [ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in ttl.static_range(3)]

        @ttl.datamovement()
        def reader():
            for i in ttl.static_range(3):
                with buffers[i].reserve() as block:
                    ttl.copy(x[0, i], block).wait()

        @ttl.datamovement()
        def writer():
            for i in ttl.static_range(3):
                with buffers[i].wait() as block:
                    ttl.copy(block, y[0, 2 - i]).wait()

    x, y = np.arange(3072, dtype=np.float32).reshape(32, 96), zeros(32, 96)
    op(x, y)
    assert np.array_equal(y, np.concatenate([x[:, 64:], x[:, 32:64], x[:, :32]], axis=1))


def test_in_a_unified_body():
    @ttl.operation(grid=(1, 1))
    def op(x, y):
        buffers = [ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2)]
        for i in ttl.static_range(2):
            ttl.copy(x[0, i], buffers[i].reserve()).wait()
            ttl.copy(buffers[i].wait(), y[0, i]).wait()

    x, y = np.arange(2048, dtype=np.float32).reshape(32, 64), zeros(32, 64)
    op(x, y)
    assert np.array_equal(x, y)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda zero: ttl.static_range(zero), "must be a compile-time integer, found a run-time int"),
        (lambda zero: ttl.static_range(1.5), "must be a compile-time integer, found a float"),
        (lambda zero: ttl.static_range(stop=3), "does not accept keyword arguments"),
        (lambda zero: ttl.static_range(), "requires one to three integer arguments, found 0"),
        (lambda zero: ttl.static_range(1, 2, 3, 4), "requires one to three integer arguments, found 4"),
        (lambda zero: ttl.static_range(1, 2, 0), "ValueError: range() arg 3 must not be zero"),
        (lambda zero: ttl.static_range(10**9), "static_range() must have at most 65536 numbers"),
    ],
)  # fmt: skip
def test_refusals(function, message):
    def body(zero):
        for _ in range(zero + 2):
            for _ in function(zero):
                pass

    with pytest.raises(ttl.CompileError) as caught:
        run(body)
    assert message in str(caught.value)


def test_a_run_time_bound_is_known_in_an_unrolled_loop():
    def body(zero):
        seen = ()
        for n in (1, 2):
            for i in ttl.static_range(n):
                seen += (NAMES[i],)
        assert seen == ("a", "a", "b")

    run(body)
