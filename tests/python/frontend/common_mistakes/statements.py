# SPDX-License-Identifier: Apache-2.0
"""Mistakes in Python statements and expressions of kernel functions."""

import numpy as np
import ttl

from . import mistake, read


@mistake("did you mean 'a_dfb'")
def misspelt_name(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dbf.reserve() as blk:  # HERE: a_dbf
            ttl.copy(a[0, 0], blk).wait()


@mistake("'i' is read before it has a value")
def name_without_a_value(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, i], blk).wait()  # HERE: i]
            i = 1


@mistake("'column' has a value after only one of the branches")
def value_on_one_branch_only(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        if ttl.node(dims=1) == 0:
            column = 1
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, column], blk).wait()  # HERE: column


@mistake("try")
def try_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        try:  # HERE: try
            pass
        finally:
            pass


@mistake("yield|generator")
def generator(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        yield a_dfb.reserve()  # HERE: yield


@mistake("import")
def import_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        import math  # HERE: import math


@mistake("global")
def global_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        global counter  # HERE: global counter
        counter = 1


@mistake("nonlocal|enclosing")
def assignment_in_an_enclosing_scope(a, b, y, a_dfb, b_dfb, y_dfb):
    count = 0

    @ttl.datamovement()
    def reader():
        nonlocal count  # HERE: nonlocal count
        count += 1


@mistake("'count' is read before it has a value")
def assignment_hides_an_outer_name(a, b, y, a_dfb, b_dfb, y_dfb):
    count = 0

    @ttl.datamovement()
    def reader():
        count = count + 1  # HERE: count + 1


@mistake("attribute|assign")
def attribute_assignment(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        a.rows = 3  # HERE: a.rows


@mistake("append")
def effect_under_a_run_time_condition(a, b, y, a_dfb, b_dfb, y_dfb):
    seen = []

    @ttl.datamovement()
    def reader():
        for i in range(ttl.node(dims=1), 3):
            seen.append(i)  # HERE: i)


@mistake("levels deep|recursi|calls itself")
def recursion(a, b, y, a_dfb, b_dfb, y_dfb):
    def again(n):
        return again(n + 1)  # HERE: again(n + 1)

    @ttl.datamovement()
    def reader():
        again(ttl.node(dims=1))


@mistake("ZeroDivisionError|division by zero")
def division_by_zero(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        rows = 1 // 0  # HERE: 1 // 0


@mistake("division|zero", kind=ttl.RuntimeFault)
def division_by_zero_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        i = ttl.node(dims=1)
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 1 // i], blk).wait()  # HERE: 1 // i


@mistake("overflow", kind=ttl.RuntimeFault)
def integer_overflow(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        i = ttl.node(dims=1) + 2000000000
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, (i + i) % 2], blk).wait()  # HERE: i + i


@mistake("step|zero")
def range_with_step_zero(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        for i in range(0, 4, 0):  # HERE: range(0, 4, 0)
            pass


@mistake("iterat|loop|range")
def loop_over_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        for i in ttl.node(dims=1):  # HERE: ttl.node(dims=1)
            pass


@mistake("iterat|loop|range|tensor")
def loop_over_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        for row in a:  # HERE: a:
            pass


@mistake("unpack|values")
def unpacking_too_few(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, z, w = ttl.node(dims=2)  # HERE: x, z, w


@mistake("call|int")
def call_of_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        n = 3
        n()  # HERE: n()


@mistake("index|range", kind=(ttl.CompileError,))
def list_index_out_of_range(a, b, y, a_dfb, b_dfb, y_dfb):
    rows = [0, 1]

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[rows[2], 0], blk).wait()  # HERE: rows[2]


@mistake("known|run-time|compile time")
def list_index_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    class Rows:
        pass

    rows = {0: Rows()}

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[rows[ttl.node(dims=1)], 0], blk).wait()  # HERE: rows[ttl.node(dims=1)]


@mistake("the limit of nodes", kind=ttl.RuntimeFault)
def assertion(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        assert ttl.node(dims=1) > 0, "the limit of nodes"  # HERE: assert


@mistake("async|plain functions")
def await_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    async def reader():  # HERE: async def
        await ttl.copy(a[0, 0], a_dfb.reserve())


@mistake("delet|del")
def del_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        i = 0
        del i  # HERE: del i


@mistake("class")
def class_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        class State:  # HERE: class State
            pass


@mistake("attribute|shpe|did you mean")
def misspelt_attribute(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        rows = a.shpe[0]  # HERE: a.shpe


@mistake(r"arguments of range\(\) must be integers, found a float")
def range_of_a_float(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        for _ in range(4 / 2):  # HERE: 4 / 2
            pass


@mistake("the key into a dict must be known at compile time", grid=(2, 1))
def key_known_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        columns = {0: 1, 1: 0}
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, columns[x]], blk).wait()  # HERE: columns[x]


@mistake(r"argument of len\(\) must be a sequence, found a block")
def length_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            for _ in range(len(blk)):  # HERE: blk)
                pass


@mistake(r"np.sqrt\(\) runs in Python at compile time", grid=(2, 1))
def numpy_function_of_a_run_time_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        root = np.sqrt(x)  # HERE: x)


@mistake("would consist of more than 4096 copies of loop bodies.*iterate over range")
def loops_over_long_lists(a, b, y, a_dfb, b_dfb, y_dfb):
    rows = list(range(70))

    @ttl.datamovement()
    def reader():
        for i in rows:
            for j in rows:  # HERE: for j in rows
                with a_dfb.reserve() as blk:
                    ttl.copy(a[(i + j) % 2, 0], blk).wait()


@mistake(r"found the method wait\(\): call it, with '\(\)'")
def with_of_a_method_that_is_not_called(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait as blk:  # HERE: a_dfb.wait
            print(blk)
