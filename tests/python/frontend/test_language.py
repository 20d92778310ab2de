# SPDX-License-Identifier: Apache-2.0
"""Python statements and expressions in kernel functions: one test per feature, on both engines.

The bodies compare their results with `assert`. `zero` is 0, but not known at compile time."""
# feature: Assignment; Conditions; Tuples, lists, dicts; Builtins and modules; Helper functions

import functools
import operator
import os
import subprocess
import sys
import typing

import numpy as np
import pytest
import ttl
from kernels import run
from test_block_functions import SIZE, compute

LEVELS = np.array([0.5, 2.0, -1.5], dtype=np.float64)
WEIGHTS = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float64)


def compute_one(function, *inputs, **shapes):
    return compute([function], *inputs, **shapes)[0]


def ones(value=1.0):
    return np.full((SIZE, SIZE), value, np.float32)


# -- dicts, lists, tuples and comprehensions -----------------------------------------


def test_dicts():
    def body(zero):
        table = {"a": 1, "b": zero + 2, **{"c": 3, "a": 4}}
        assert table["a"] == 4 and table["b"] == 2 and len(table) == 3
        assert table.get("c") == 3 and table.get("d", zero) == 0 and table.get("d") is None
        total = zero
        for key, value in table.items():
            total += value
            assert key in table and key in table.keys()
        assert total == 9 and sum(table.values()) == 9 and "d" not in table
        assert table and not {} and list(table) == ["a", "b", "c"]
        squares = {i: i * i + zero for i in range(5) if i != 3}
        assert squares[4] == 16 and 3 not in squares
        assert dict(a=1, b=zero)["b"] == 0 and dict([("x", zero + 5)])["x"] == 5
        assert {1: 2}[1] == 2 and {i: 2 for i in (1, 2)} == {1: 2, 2: 2}

    run(body)


def test_sets():
    def body(zero):
        names = {"a", "b", *("c", "a")}
        assert "c" in names and "d" not in names and len(names) == 3
        assert {i % 2 for i in range(5)} == {0, 1}
        assert zero + 1 in {1, 2} and zero not in {1, 2}

    run(body)


@pytest.mark.parametrize(
    "expression, message",
    [
        (lambda zero: {zero: 1}, "a key of a dict must be known at compile time"),
        (lambda zero: {"a": zero}[zero], "a key of a dict must be known at compile time"),
        (lambda zero: {"a": zero}["b"], "KeyError: 'b'"),
        (lambda zero: {zero, 1}, "items of a set must be known at compile time"),
        (lambda zero: {**(1, 2)}, "the value after '\\*\\*' must be a dict, found a tuple"),
        (lambda zero: [y for x in (1, 2) if (zero == x and (y := x))],
         "':=' under a run-time condition inside a comprehension"),
    ],
)  # fmt: skip
def test_displays_that_nobody_knows(expression, message):
    with pytest.raises(ttl.CompileError, match=message):
        run(lambda_body(expression))


def lambda_body(expression):
    def body(zero):
        expression(zero)

    return body


def test_comprehensions_of_run_time_values():
    def body(zero):
        rows = [(i, zero + j) for i in range(2) for j in range(3) if i != j]
        assert len(rows) == 4 and rows[3][1] == 2 and rows[0] == (0, 1)
        assert sum(x * y for x, y in rows) == 0 + 0 + 0 + 2
        assert [c for c in "abc"] == ["a", "b", "c"] and any(zero == i for i in range(2))
        assert all(zero < i for i in (1, 2)) and not all([zero, 1]) and not any(())

    run(body)


# -- assignment ----------------------------------------------------------------------


def test_walrus():
    def body(zero):
        if (n := zero + 3) > 2:
            assert n == 3
        values = [last := zero + i for i in range(3)]
        assert last == 2 and len(values) == 3
        total = 0
        while (n := n - 1) >= 0:
            total += n
        assert total == 3 and n == -1
        picked = (m := zero + 7) if zero == 0 else (m := zero - 7)
        assert picked == 7 and m == 7
        assert zero == 1 or (k := zero + 4) == 4
        k = k + 1 if zero else 0

    with pytest.raises(ttl.CompileError, match="'k' has a value after only one"):
        run(body)


def test_walrus_in_a_condition():
    def body(zero):
        m = 0
        if zero == 0 and (m := zero + 4) == 4:
            m += 1
        assert m == 5
        count = 0
        n = 5
        while (n := n - 1) > 0 and n != 2:
            count += 1
            if n == 3:
                continue
        assert n == 2 and count == 2

    run(body)


def leaves(n, wanted):
    """A loop with `:=` in its condition that ends by break, return or `else`; returns which, as a number."""
    seen, how = -1, 0
    while (n := n - 1) > 0:
        if n == wanted:
            how = 10
            break
        if n == wanted + 100:
            return 30 + n
        if n % 2:
            continue
        seen = n
    else:
        how = 20 + n
    return how + seen


def nested_leaves(n):
    """Two nested loops like that of leaves(). The outer ends by `else`, the inner by `else` or break."""
    total = i = k = 0
    while (i := n) > 0:
        j = i
        while (j := j - 1) >= 0 and (k := j * 2) >= 0:
            if k == 4:
                total += 100
                break
            total += k
        else:
            total += 1000
        n = i - 1
    else:
        total += 7
    return total, n


def test_walrus_in_the_condition_of_a_loop_with_else():
    wanted = [(5, 2), (5, 9), (5, 3), (1, 4), (0, 0), (104, 4), (301, 1)]
    in_python = [leaves(*arguments) for arguments in wanted]
    nested_in_python = nested_leaves(7)

    def body(zero):
        for (n, value), expected in zip(wanted, in_python):
            assert leaves(zero + n, zero + value) == expected
        assert nested_leaves(zero + 7) == nested_in_python
        total, m, known = 0, 0, True
        for i in range(zero + 4):
            if i % 2:
                total += leaves(i + 4, i + zero)
            else:
                while (m := i - 9) > 0:
                    total += 1
                else:
                    total += m
        assert total == leaves(5, 1) + leaves(7, 3) - 9 - 7
        while known := False:
            total = 0
        else:
            total += 1
        assert not known and total == leaves(5, 1) + leaves(7, 3) - 15

    run(body)


def test_an_error_in_a_loop_of_walrus_and_else_names_its_line():
    def body(zero):
        while (n := zero) > 0:
            late = n
        else:
            print(late)

    with pytest.raises(ttl.CompileError, match="'late' is assigned in the loop") as caught:
        run(body)
    assert len(str(caught.value).splitlines()) < 12

    def missing(zero):
        while (n := zero) > nothing:  # noqa: F821
            n += 1
        else:
            n = 3

    with pytest.raises(ttl.CompileError, match="name 'nothing' is not defined"):
        run(missing)


def test_starred_assignment():
    def body(zero):
        first, *rest, last = (zero, 1, zero + 2, 3)
        assert first == 0 and last == 3 and len(rest) == 2 and rest[1] == 2
        *front, end = [1, 2]
        head, *nothing = (zero,)
        assert front == [1] and end == 2 and head == 0 and nothing == []
        (a, *b), c = (1, 2, 3), zero
        assert b == [2, 3] and c == 0

    run(body)


# -- calls ---------------------------------------------------------------------------


def with_options(x, /, y, *rest, scale=2, **options):
    total = (x + y) * scale
    for value in rest:
        total += value
    return total + options.get("extra", 0)


def test_parameters_of_every_kind():
    def body(zero):
        assert with_options(zero + 1, 2) == 6
        assert with_options(zero + 1, y=2, scale=zero + 3) == 9
        assert with_options(1, 2, zero + 3, 4) == 13
        assert with_options(*(1, zero + 2), **{"scale": 1, "extra": zero + 100}) == 103

        def local(*values, offset=zero + 10):
            return sum(values) + offset

        assert local(1, 2) == 13 and local(1, offset=zero) == 1
        assert (lambda *, n=zero + 5: n)() == 5 and (lambda a, b=2: a * b)(zero + 4) == 8

    run(body)


@pytest.mark.parametrize(
    "call, message",
    [
        ("with_options(1)", "lacks the argument 'y'"),
        ("with_options(1, 2, y=3)", "several values for argument 'y'"),
        ("plain(1, 2, 3)", "too many arguments"),
        ("plain(1, c=2)", "has no parameter 'c'"),
        ("keywords(1)", "too many arguments"),
        ("keywords()", "lacks the argument 'a'"),
        ("plain(**{1: 2})", "the keys of the dict after '\\*\\*' must be strings"),
        ("plain(**zero)", "the value after '\\*\\*' must be a dict, found a run-time int"),
    ],
)
def test_calls_that_bind_nothing(call, message, tmp_path):
    file = tmp_path / "calls.py"
    file.write_text(
        "import ttl\nfrom test_language import with_options\n"
        "def plain(a, b=1): return a\n"
        "def keywords(*, a): return a\n"
        "@ttl.operation(grid=(2, 1))\n"
        "def op(a):\n"
        "    @ttl.datamovement()\n"
        "    def reader():\n"
        "        zero = ttl.node(dims=1)\n"
        f"        {call}\n"
    )
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    with pytest.raises(ttl.CompileError, match=message) as caught:
        scope["op"].ir(ones())
    assert caught.value.line == 10


def pick(n, a, b):
    if n == 0:
        return a, b, "first"
    if n == 1:
        return b, a, "second"
    return a, a, "third"


def test_several_returns_of_any_value():
    def body(zero):
        for i in range(3):  # the compiler unrolls it, because `name` is a string
            x, y, name = pick(i, zero + 1, zero + 2)
            assert x * 10 + y == (12 if i == 0 else 21 if i == 1 else 11)
            assert name == ("first", "second", "third")[i]
        table = {"f": lambda n: n + zero}
        assert table["f"](3) == 3 and (lambda: zero + 1)() == 1

    def differing(zero):
        pick(zero, 1, 2)

    run(body)
    with pytest.raises(ttl.CompileError, match="it returns values of different kinds"):
        run(differing)


def swapped(n, a, b):
    if n == 0:
        return a, (b, n)
    if n == 1:
        return b, (a, n)
    return a, (a, n)


def test_returns_of_nested_tuples():
    def body(zero):
        for i in range(3):
            x, (y, n) = swapped(i, zero + 1, zero + 2)
            assert x * 10 + y == (12 if i == 0 else 21 if i == 1 else 11) and n == i

    run(body)


def test_functions_of_python_with_functions_of_the_kernel():
    def body(zero):
        pairs = [(3, "c"), (1, "a"), (2, "b")]
        assert sorted(pairs, key=lambda p: p[0])[0] == (1, "a")
        assert max(pairs, key=lambda p: -p[0]) == (1, "a")
        assert functools.reduce(lambda a, b: a + b, [1, 2, 3]) == 6
        assert functools.reduce(operator.mul, range(1, 5)) == 24
        doubled = list(map(lambda x: x * 2 + zero, (1, 2)))
        assert doubled[1] == 4 and len(doubled) == 2
        assert list(filter(lambda x: x > 1, (1, 2, 3))) == [2, 3]

    run(body)


def test_a_function_of_the_kernel_with_a_run_time_result():
    def body(zero):
        sorted((1, 2), key=lambda x: x + zero)

    with pytest.raises(ttl.CompileError, match="must be known at compile time; found a run-time"):
        run(body)


def test_static_builtins():
    def body(zero):
        for i, (name, value) in enumerate(zip(("a", "b"), (zero, zero + 1)), start=1):
            assert value == i - 1 and name in "ab"
        assert list(enumerate("xy", 1)) == [(1, "x"), (2, "y")]
        assert list(zip("ab", {"k": 1}, strict=False)) == [("a", "k")]
        assert isinstance(zero, int) and not isinstance(zero, (str, float))
        assert isinstance((zero, 1), tuple) and isinstance([zero], list)
        assert isinstance({"a": zero}, dict) and isinstance(3, int)
        assert typing.cast(int, zero) == 0 and typing.cast("str", "x") == "x"
        assert divmod(zero + 7, 2) == (3, 1) and pow(zero + 2, 5) == 32
        assert list(reversed((zero, 1, 2)))[0] == 2 and tuple(reversed("ab")) == ("b", "a")
        assert zero is not None and (zero, 1) is not None and None is None
        assert callable(lambda: 1) and getattr(LEVELS, "ndim") == 1 and hasattr("", "upper")

    run(body)


def test_hasattr_answers_as_python_does():
    def body(zero):
        x = zero + 0.5
        assert hasattr(zero, "bit_length") and not hasattr(zero, "shape")
        assert hasattr(x, "is_integer") and not hasattr(x, "bit_length")
        assert hasattr([zero], "append") and not hasattr((zero,), "append")
        assert not hasattr(zero == 0, "wait") and hasattr(f"{zero}", "upper")
        assert hasattr(ttl.GroupTransfer(), "wait_all")
        assert not hasattr(ttl.GroupTransfer(), "wait")
        kind = "block" if hasattr(zero, "dtype") else "number"
        assert kind == "number"

    run(body)


def test_is_and_in():
    def body(zero):
        pair = (zero, 1)
        other = pair
        assert other is pair and pair is not None
        assert zero + 1 in (zero, 1) and zero not in (1, 2) and "b" in ("a", "b")
        assert str is str and zero is not None

    run(body)


# -- arithmetic ----------------------------------------------------------------------


def test_floor_division_and_modulo_of_floats():
    def body(zero, cases):
        for a, b, quotient, remainder in cases:
            x = zero + a
            y = zero + b
            assert x // y == quotient and x % y == remainder and x // b == quotient
            assert a % y == remainder and divmod(x, y) == (quotient, remainder)
        big = zero + 3.0e10
        assert big // 1.0 == 3.0e10 and (zero - 0.5) // 1 == -1 and (zero + 0.5) // 1 == 0

    values = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (6.0, 2.0), (0.25, 1.5)]
    run(body, [(a, b, a // b, a % b) for a, b in values])


def float_divisions():
    """Returns dividends and divisors in float32. Some quotients are just below an integer."""
    random = np.random.default_rng(3)
    a = np.concatenate([
        np.float32([1, 0.3, -1, 5e8, 1e30, -0.0, 0.0, 3e-45, 7, 2**25 + 4, np.inf, 1e-30, -1e-30]),
        (random.standard_normal(60) * 10.0 ** random.integers(-20, 20, 60)).astype(np.float32),
        np.float32(random.integers(1, 50, 60)) * np.float32(0.1),
    ])
    b = np.concatenate([
        np.float32([0.1, 0.1, 0.3, -3, 7e-10, 2, -2, 2e-45, np.inf, 3, 2, -np.inf, 5]),
        (random.standard_normal(60) * 10.0 ** random.integers(-20, 20, 60)).astype(np.float32),
        np.full(60, 0.1, np.float32),
    ])
    return a + np.float32(0), b  # -0.0 becomes 0.0, as zero + x does in the test


def test_division_of_floats_is_exact():
    (a, b), seen = float_divisions(), []

    def note(quotient, remainder):
        seen.append((quotient, remainder))

    host = ttl.host_function(note, restype=None)

    def body(zero):
        for x, y in zip(a.tolist(), b.tolist()):
            host((zero + x) // (zero + y), (zero + x) % (zero + y))

    run(body)
    got = np.float32(seen)
    with np.errstate(all="ignore"):
        expected = np.stack([a // b, a % b], axis=1)
    same = (got.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(got) & np.isnan(expected))
    assert same.all(), [(x, y, *g, *e) for x, y, g, e, s in zip(a, b, got, expected, same)
                        if not s.all()][:5]


def test_powers_of_floats():
    def body(zero):
        x = zero + 1.5
        assert x**2 == 2.25 and x**0 == 1.0 and (zero + 2.0) ** -2 == 0.25 and x**1 == 1.5

    run(body)
    with pytest.raises(ttl.CompileError, match="the exponent of a run-time float"):
        run(lambda_body(lambda zero: (zero + 1.5) ** 0.5))


def test_bits():
    def body(zero):
        x = zero + 6
        assert x & 3 == 2 and x | 1 == 7 and x ^ 5 == 3 and ~x == -7
        assert x << 2 == 24 and x >> 1 == 3 and (zero - 7) >> 1 == -4 and 1 << x == 64
        assert (x > 2) & (x < 9) and not ((x > 2) ^ True) and (x > 9) | True

    run(body)


def test_augmented_assignment_changes_lists():
    def body(zero):
        items = [1]
        alias = items
        items += [2]
        assert alias == [1, 2]
        for i in range(3):  # the compiler unrolls it, because the list grows
            items += [i]
        assert alias == [1, 2, 0, 1, 2]
        pair = (zero,)
        pair += (1,)
        assert pair == (0, 1)

    run(body)
    with pytest.raises(ttl.CompileError, match="this would change a list once"):
        run(changes_under_a_condition)
    with pytest.raises(ttl.CompileError, match="make a new list instead, for example x = x"):
        run(appends_a_run_time_value)


def changes_under_a_condition(zero):
    items = []
    if zero == 0:
        items += [1]


def appends_a_run_time_value(zero):
    items = []
    items.append(zero)


# -- constants -----------------------------------------------------------------------


def test_float64_arrays_are_constants():
    def body(zero):
        assert zero + LEVELS[1] == 2.0 and WEIGHTS[1, 0] * (zero + 1) == 3.0
        total = 0.0 + zero
        for i in range(3):  # the compiler unrolls it, because LEVELS is a constant
            total += LEVELS[i] * WEIGHTS[1, 0] - LEVELS[i] * 2
        for level in LEVELS:
            total += level
        assert total == 2.0
        rows = 0.0 + zero
        for row in WEIGHTS:
            rows += row[0] * row[1]
        assert rows == 14.0 and len(LEVELS) == 3 and WEIGHTS.shape == (2, 2)

    run(body)


def test_lists_that_grow_in_a_static_range():
    def body(zero):
        items = ()
        for i in range(4):
            items = items + (zero + i,)
        assert len(items) == 4 and items[3] == 3

    run(body)


# -- control flow --------------------------------------------------------------------


def find(limit, zero):
    for i in range(limit):
        if i * i == 49 + zero:
            break
    else:
        return -1
    return 1


def test_else_of_loops():
    def body(zero):
        assert find(zero + 5, zero) == -1 and find(zero + 10, zero) == 1
        log = 0
        for i in (1, 2, 3):
            if i == zero + 2:
                break
        else:
            log = 1
        for i in (1, 3):
            if i == zero + 2:
                break
        else:
            log += 10
        n = zero
        while n < 3:
            n += 1
        else:
            log += 100
        while n > 0:
            n -= 1
            if n == 1:
                break
        else:
            log += 1000
        for i in range(2):
            n += i
        else:
            log += 10000
        assert log == 10110

    run(body)


def test_leaving_with():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            for i in range(4):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()
                    if i == ttl.node(dims=1) + 2:
                        break

        @ttl.compute()
        def compute():
            for i in range(3):
                with a_dfb.wait() as block, y_dfb.reserve() as out:
                    if i == ttl.node(dims=1) + 1:
                        out.store(block * 10)
                        continue
                    out.store(block)

        @ttl.datamovement()
        def writer():
            for i in range(4):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()
                    if i == ttl.node(dims=1) + 2:
                        return

    a = np.random.default_rng(0).random((4 * SIZE, SIZE), np.float32)
    y = np.zeros_like(a)
    op(a, y)
    expected = a.copy()
    expected[SIZE : 2 * SIZE] *= 10
    expected[3 * SIZE :] = 0
    assert np.array_equal(y, expected)


def test_assert_and_raise_are_faults():
    def asserts(zero):
        assert zero == 1, "zero is not one"

    def raises(zero):
        if zero == 0:
            raise ValueError("a message")

    for body, message in ((asserts, "zero is not one"), (raises, "ValueError: a message")):
        with pytest.raises(ttl.RuntimeFault, match=message):
            run(body)


# -- sums in variables ---------------------------------------------------------------


def test_accumulating_naturally():
    def from_block(x):
        acc = x
        for i in range(3):
            acc = acc + x * i
        return acc

    def from_zero(x):
        acc = 0
        for _ in range(4):
            acc += x
        return acc

    def with_state(x):
        state = (x * 2, 0)
        for i in range(3):
            value, count = state
            state = (value + x, count + i)
        value, count = state
        return value * count

    x = np.random.default_rng(1).random((SIZE, SIZE), np.float32)
    first, second, third = compute([from_block, from_zero, with_state], x)
    assert np.allclose(first, x * 4) and np.allclose(second, x * 4) and np.allclose(third, x * 15)


# -- the same tests on the interpreter -----------------------------------------------


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="this test chooses the engine, but TTL_ENGINE is set")
def test_the_interpreter_agrees():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    names = ("test_values_across_regions.py", "test_block_shapes.py")
    command += [os.path.join(os.path.dirname(__file__), name) for name in names]
    result = subprocess.run(
        command, env={**os.environ, "TTL_ENGINE": "interp"}, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout
