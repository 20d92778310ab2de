# SPDX-License-Identifier: Apache-2.0
"""A compilation reports all independent errors of a kernel together."""

import inspect

import numpy as np
import pytest
import ttl


def tensor():
    return np.zeros((64, 64), np.float32)


def places(function, threads):
    """Returns the error, [(line, message)] of all errors, and [(line, text)] of the marks `ERROR: text`."""
    with pytest.raises(ttl.CompileError) as caught:
        function.ir(tensor(), tensor())
    error = caught.value
    found = [(e.line, e.message) for e in (error, *error.others)]
    lines, first = inspect.getsourcelines(threads)
    marked = [
        (number, line.partition("ERROR: ")[2].strip())
        for number, line in enumerate(lines, first)
        if "ERROR: " in line
    ]
    return error, found, marked


def check(threads):
    @ttl.operation(grid=(2, 2))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        threads(a, y, a_dfb, y_dfb)

    error, found, marked = places(op, threads)
    assert [line for line, _ in found] == [line for line, _ in marked], str(error)
    for (_, message), (_, wanted) in zip(found, marked):
        assert wanted in message
    return error


def test_errors_of_several_threads():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            row = undefined_row  # noqa: F821 ERROR: 'undefined_row' is not defined
            for i in range(2):
                with a_dfb.reserve() as block:
                    ttl.copy(a[row, i], block).wait()
                    ttl.copy(a[5, i], block).wait()  # ERROR: index 5 is out of range
            column = row + 1
            assert column == 2

        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                value = a_blk.missing()  # ERROR: has no attribute or method 'missing'
                value = value + 1
                y_blk.store(value)
                y_blk.store(1)  # ERROR: the argument of store() must be a block or a block expression

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 9]).wait()  # ERROR: index 9 is out of range

    error = check(threads)
    text = str(error)
    assert text.count("error: ") == 4  # the first of the five errors is printed without "error: "
    for other in (error, *error.others):
        assert f"{__file__}:{other.line}:{other.column}" in text
    assert text.index("undefined_row") < text.index("index 5") < text.index("missing()")


def test_names_of_failed_branches_and_loops_are_no_errors():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            if x == unknown:  # noqa: F821 ERROR: 'unknown' is not defined
                column = 1
            else:
                column = 2
            if x == 0:
                row = 0
            else:
                row = nothing  # noqa: F821 ERROR: 'nothing' is not defined
            total = 0
            for i in range(x):
                total = total + nowhere  # noqa: F821 ERROR: 'nowhere' is not defined
            while total < x:
                total += 1
            with a_dfb.reserve() as block:
                ttl.copy(a[row, column], block).wait()
                ttl.copy(a[total, 0], block).wait()
            if row == 0:
                last = column
            assert last == 1

    check(threads)


def test_a_failed_acquisition_says_nothing_of_its_release():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            ttl.copy(a[0, 7], a_dfb.reserve()).wait()  # ERROR: index 7 is out of range
            blk = a_dfb.reserve(1)  # ERROR: reserve
            a_dfb.push()
            a_dfb.push()
            blk.push()

    check(threads)


def failing(x):
    if x == 1:
        return 2
    return x + missing_name  # noqa: F821


def test_errors_of_called_functions_are_reported_once():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            x = ttl.node(dims=1)
            for i in range(3):
                y = failing(x + i)
                assert failing(x) + y == 2

    @ttl.operation(grid=(2, 2))
    def op(a, y):
        threads(a, y, None, None)

    error, found, _ = places(op, threads)
    assert found == [
        (
            failing.__code__.co_firstlineno + 3,
            "name 'missing_name' is not defined: assign it before this line, or import it outside of "
            "the operation",
        )
    ]


def test_a_loop_that_is_unrolled_has_no_error():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            places = [(0, 1), (ttl.node(dims=1), 0)]
            for i in range(2):
                ttl.copy(a[places[i]], a_dfb.reserve()).wait()
                nonsense  # noqa: F821 ERROR: 'nonsense' is not defined

    check(threads)


def test_only_so_many_errors_are_shown():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            a0; a1; a2; a3; a4; a5; a6; a7; a8; a9  # noqa
            b0; b1; b2; b3; b4; b5; b6; b7; b8; b9  # noqa
            c0; c1; c2; c3; c4  # noqa

    @ttl.operation(grid=(2, 2))
    def op(a, y):
        threads(a, y, None, None)

    error, found, _ = places(op, threads)
    assert len(found) == 25
    assert str(error).count("is not defined") == 20
    assert str(error).endswith("and 5 more errors")


def test_copies_of_a_refused_body_end():
    """The compiler stops unrolling a loop of 4000 iterations if each copy only repeats an error."""
    shown = []

    class Wrong:
        def __repr__(self):
            shown.append(self)
            return "Wrong()"

    wrong = Wrong()

    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk:
                for _ in list(range(4000)):
                    value = ttl.math.typecast(a_blk, wrong)  # ERROR: Wrong()
                value = value + 1
                other = undefined_name  # noqa: F821 ERROR: 'undefined_name' is not defined
                assert other == value

    check(threads)
    assert 0 < len(shown) < 300


def test_copies_of_a_statement_have_one_error():
    """A statement in an unrolled loop has one error, but each call of a helper function has its own."""

    def copies(t, block, i):
        ttl.copy(t[i + 2, 0], block)
        if i < 3:
            copies(t, block, i + 1)

    def element(t, block, i):
        ttl.copy(t[i, 0], block)

    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                for i, _ in enumerate("ab"):
                    ttl.copy(a[i + 2, 0], block)
                copies(a, block, 0)
                element(a, block, 4)
                element(a, block, 5)

    @ttl.operation(grid=(2, 2))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        threads(a, y, a_dfb, None)

    numbers = [message.split()[1] for _, message in places(op, threads)[1]]
    assert sorted(numbers) == ["2", "2", "4", "5"]
