# SPDX-License-Identifier: Apache-2.0
"""Values that loops carry and branches choose: tuples, dicts, ranges, slices, functions."""
# feature: Blocks and handles in variables; Tuples, lists, dicts

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl
from kernels import run
from test_block_functions import SIZE, compute


def twice(x):
    return x * 2


def thrice(x):
    return x * 3


def test_tuples_in_loops():
    def body(zero):
        pair = (zero, 1)
        for i in range(5):
            a, b = pair
            pair = (b, a + b)
        assert pair == (5, 8)
        nested = ((0, 0.5), "name", zero)
        i = zero
        while i < 3:
            (n, x), name, last = nested
            nested = ((n + 1, x * 2), name, i)
            i += 1
        assert nested[0][0] == 3 and nested[0][1] == 4.0 and nested[2] == 2
        assert nested[1] == "name"

    run(body)


def test_tuples_after_branches():
    def body(zero):
        for i in range(3):
            if i == zero:
                place = (0, i)
            elif i == zero + 1:
                place = (i, 0)
            else:
                place = (i * 10, i * 20)
            row, column = place
            assert row * 100 + column == (0 if i == 0 else 100 if i == 1 else 2040)

    run(body)


def test_a_branch_in_a_loop_and_a_loop_in_a_branch():
    def body(zero):
        state = {"low": 0, "high": 100}
        for i in range(zero + 7):
            middle = (state["low"] + state["high"]) // 2
            if middle * middle <= 2000 + zero:
                state = {"low": middle, "high": state["high"]}
            else:
                state = {"low": state["low"], "high": middle}
        assert state["low"] == 44
        if zero == 0:
            pair = (0, 1)
            for i in range(zero + 3):
                for j in range(2):
                    pair = (pair[0] + j, pair[1] * 2)
        else:
            pair = (zero, zero)
        assert pair == (3, 64)

    run(body)


def test_early_ends_with_tuples():
    def search(limit):
        best = (0, -1)
        for i in range(limit):
            score = (i * 7) % 11
            if score == 10:
                return (score, i)
            if score > best[0]:
                best = (score, i)
            if i > 20:
                break
        return best

    def body(zero):
        assert search(zero + 30) == (10, 3) and search(zero + 3) == (7, 1)

    run(body)


def test_ranges_and_slices():
    def body(zero):
        for n in range(2):
            if n == zero:
                rows = range(2, zero + 6)
                part = slice(zero, 2)
            else:
                rows = range(zero, 3)
                part = slice(zero + 1, 3)
            total = 0
            for i in rows:
                total += i
            assert total == (14 if n == 0 else 3)
            assert part.start == n and part.stop == n + 2

    run(body)


def test_what_is_equal_on_both_paths():
    def body(zero):
        function, name, none, kind = twice, "name", None, np.float32
        if zero == 0:
            function, name, none = twice, "na" + "me", None
            kind = np.float32
        assert function(3) == 6 and name == "name" and none is None and kind is np.float32
        for i in range(zero + 2):
            function, name = twice, "name"
        assert function(4) == 8 and name == "name"

    run(body)


def test_functions_that_differ():
    def body(zero):
        function = twice
        if zero == 0:
            function = thrice
        function(2)

    with pytest.raises(ttl.CompileError, match="'function' has values of different kinds"):
        run(body)


def test_functions_with_default_values():
    def body(zero):
        total = 0
        for i in range(zero + 4):
            f = lambda x, n=i: x + n  # noqa: E731
            if i == zero + 2:
                f = lambda x, n=i: x - n  # noqa: E731
                total += f(10)
            total += i
        for i in range(4):
            def g(x, n=i):
                return x + n

            for j in range(zero + 2):
                total += g(j)
        assert total == (8 + 6) + 2 * 6 + 4

    run(body)


def test_tuples_of_different_lengths():
    def body(zero):
        if zero == 0:
            pair = (1, 2)
        else:
            pair = (1, 2, 3)
        pair[0]

    with pytest.raises(ttl.CompileError, match="'pair' has values of different kinds after each"):
        run(body)


def test_conditional_expressions_of_tuples():
    def body(zero):
        a, b = (1, 2) if zero == 0 else (zero, 4)
        assert (a, b) == (1, 2)
        (c, d), e = ((1, zero), 2) if zero == 1 else ((3, 4.0), zero)
        assert c == 3 and d == 4.0 and e == 0

    run(body)


def test_block_expressions_in_tuples():
    def statistics(x):
        state = (x, {"square": x * x, "count": 0})
        for i in range(3):
            total, others = state
            if i == ttl.node(dims=1) + 1:
                state = (total * 2, {"square": others["square"], "count": others["count"] + 1})
            else:
                state = (total + x, {"square": others["square"] + x, "count": others["count"] + 2})
        return state[0] * state[1]["count"] + state[1]["square"]

    x = np.random.default_rng(3).random((SIZE, SIZE), np.float32)
    (result,) = compute([statistics], x)
    assert np.allclose(result, (x * 2 * 2 + x) * 5 + x * x + 2 * x, rtol=1e-6)


def test_handles_and_blocks_in_tuples():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)

        @ttl.datamovement()
        def reader():
            block = dfb.reserve()
            pending = (block, ttl.copy(a[0, 0], block), 0)
            for i in range(1, 5):
                following = dfb.reserve()
                transfer = ttl.copy(a[i, 0], following)
                block, earlier, number = pending
                earlier.wait()
                block.push()
                pending = (following, transfer, number + 1)
            block, earlier, number = pending
            earlier.wait()
            block.push()
            assert number == 4

        @ttl.datamovement()
        def writer():
            for i in range(5):
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    a = np.random.default_rng(0).random((5 * SIZE, SIZE), np.float32)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(a, y)


def test_a_block_that_a_tuple_keeps():
    def body(x):
        state = (x, 0)
        for i in range(3):
            state = (state[0], state[1] + i)
        return state[0] * state[1]

    x = np.random.default_rng(3).random((SIZE, SIZE), np.float32)
    (result,) = compute([body], x)
    assert np.array_equal(result, x * 3)


def test_handles_of_both_branches_in_tuples():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            for i in range(4):
                block = dfb.reserve()
                if i == ttl.node(dims=1) + 1:
                    both = (ttl.copy(a[3, 0], block), 3)
                else:
                    both = (ttl.copy(a[i, 0], block), i)
                transfer, row = both
                transfer.wait()
                block.push()
                assert row >= i

        @ttl.datamovement()
        def writer():
            for i in range(4):
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    a = np.random.default_rng(0).random((4 * SIZE, SIZE), np.float32)
    y = np.zeros_like(a)
    op(a, y)
    expected = a.copy()
    expected[SIZE : 2 * SIZE] = a[3 * SIZE :]
    assert np.array_equal(expected, y)


def test_compile_time_is_linear_in_statements():
    """The compiler visits loops that carry tuples a bounded number of times, also if they are nested."""
    lines = ["def body(zero):", "    state = (zero, (0, 1.0))"]
    for depth in range(1, 7):
        lines.append("    " * depth + f"for i{depth} in range(zero + 1):")
    lines.append("    " * 7 + "state = (state[0] + 1, (state[1][0] + 2, state[1][1] * 2))")
    lines.append("    assert state[0] == 1 and state[1][1] == 2.0")
    source = "\n".join(lines) + "\n"
    import linecache

    name = "linear_kernel.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = {}
    exec(compile(source, name, "exec"), scope)
    run(scope["body"])


def test_a_block_that_a_loop_passes_on_is_still_the_oldest():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(2):
                with a_dfb.reserve() as blk:
                    ttl.copy(a[i, 0], blk).wait()

        @ttl.compute()
        def compute():
            c = ttl.node(dims=1)
            first, second = a_dfb.wait(), a_dfb.wait()
            total = first + second
            for _ in range(3):
                other = first
                first = other
            factor = 2 if c == 0 else 3
            a_dfb.pop()  # pops `first`, the older block
            with y_dfb.reserve() as y_blk:
                y_blk.store(second * factor + total * 0)
            a_dfb.pop()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0, 0]).wait()

    a, y = np.full((64, 32), 5, np.float32), np.zeros((32, 32), np.float32)
    a[32:] = 7
    op(a, y)
    assert np.array_equal(y, np.full((32, 32), 14))


NESTED = """
import ttl

@ttl.operation(grid=(1, 1))
def op():
    @ttl.datamovement()
    def thread():
        z = ttl.node(dims=1)
        a, b, c = 1, 2, 3
        while z < 4:
            while c > z:
                c += b % 7
                if z > 2:
                    a += 1
                while b >= z:
                    c = a
            else:
                if z in (1, a):
                    c = a if 2 != min(2, z) else a

op()
"""


def test_ranges_that_nested_loops_pass_on(tmp_path):
    """Compilation must end. The analysis once widened the range of `c` by one per visit, for hours."""
    file = tmp_path / "nested.py"
    file.write_text(NESTED)
    environment = {**os.environ, "TTLANG_COMPILE_ONLY": "1"}
    run = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
