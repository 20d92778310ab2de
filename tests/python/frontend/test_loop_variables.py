# SPDX-License-Identifier: Apache-2.0
"""The value that the variable of a `for` loop has after the loop."""

import pytest
import ttl
from kernels import run


def test_a_loop_of_known_length():
    def body(zero, long):
        total = zero
        for i in range(3):
            total += i
        assert i == 2 and total == 3
        for i in range(10, 0, -4):
            for j in range(5):
                total += j
            assert j == 4
        assert i == 2
        for i in range(long):
            total += 1
        assert i == long - 1
        for i in range(4):
            i = i * 10 + zero
            total = i
        else:
            total += 1
        assert total == 31

    run(body, 1000)


def test_a_loop_in_a_branch_and_in_a_loop():
    def body(zero):
        last = zero
        for k in range(zero + 2):
            if k == zero + 1:
                for i in range(70):
                    last += 1
                last = last * 100 + i
        assert last == 70 * 100 + 69

    run(body)


def test_a_loop_that_ends_early():
    def body(zero):
        i = zero
        for i in range(8):
            if i == zero + 3:
                break
        assert i == 3

    run(body)


def test_loops_whose_variable_may_have_no_value():
    def may_be_empty(zero):
        for i in range(zero + 3):
            pass
        print(i)

    def may_end_early(zero):
        for i in range(70):
            if i == zero + 3:
                break
        print(i)

    for body in (may_be_empty, may_end_early):
        with pytest.raises(ttl.CompileError, match="'i' is assigned in the loop of line .* may have no value"):
            run(body)


def test_a_tuple_that_grows():
    def body(zero):
        history = ()
        for i in range(zero + 3):
            history = history + (i,)
        print(history)

    with pytest.raises(ttl.CompileError, match="must keep its length .*static_range"):
        run(body)


def test_a_list_with_two_names():
    def body(zero):
        first = [zero, 2]
        second = first
        first += [3]
        print(first, second)

    def helper(items):
        items += [3]
        return items

    def in_a_helper(zero):
        first = [zero, 2]
        print(helper(first), first)

    for wrong in (body, in_a_helper):
        with pytest.raises(ttl.CompileError, match="are one list, which this changes under both names"):
            run(wrong)

    def right(zero):
        first = [zero, 2]
        second = first + []
        first += [3]
        assert first == [0, 2, 3] and second == [0, 2]

    run(right)


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_items_cannot_be_assigned(kind):
    def of_list(zero):
        counts = [zero, 0]
        counts[0] = zero + 1

    def of_dict(zero):
        counts = {"a": zero}
        counts["a"] = zero + 1

    with pytest.raises(ttl.CompileError, match=f"items cannot be assigned in kernel functions: make another {kind}"):
        run(of_list if kind == "list" else of_dict)
