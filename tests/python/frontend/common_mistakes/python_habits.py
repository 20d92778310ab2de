# SPDX-License-Identifier: Apache-2.0
"""Mistakes from habits of Python: statements and calls that kernel functions do not support."""

import numpy as np
import ttl

from . import said
from .contexts import EVERYWHERE, IN_THREADS


@said(
    "'for' can only run over range() or a sequence known at compile time, found an int: write "
    "range(n)",
    contexts=EVERYWHERE,
)
def loop_over_an_int(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        for i in a.shape[0] // 32:  # HERE: a.shape[0] // 32
            pass


def row(i):
    i + 1


@said(
    "the indices of a tensor must be integers or slices, found None, because row() ends "
    "without a return statement: write 'return' before its result",
    contexts=EVERYWHERE,
)
def index_from_a_helper_without_return(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[row(0), 0], blk).wait()  # HERE: row(0)


@said(
    "a bound of a slice must be an integer, found None, because row() ends without a return "
    "statement: write 'return' before its result",
    contexts=EVERYWHERE,
)
def slice_from_a_helper_without_return(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[row(0) : 1, 0], blk).wait()  # HERE: row(0)


@said(
    "kernel function compute() returns a block expression of shape (1, 1), but nothing "
    "receives the value: write it into a block, and end the function with 'return' alone",
    contexts=("loop", "branch", "while"),
)
def result_of_a_thread(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        return blk + 1  # HERE: return


@said(
    "open() cannot be called inside kernel function 'reader': call it before or after the "
    "operation; print() shows values of a kernel",
    contexts=IN_THREADS,
)
def open_in_a_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with open("log.txt", "w") as file:  # HERE: open
            print("read", file=file)


@said(
    "the expression after 'with' must be dfb.wait(), dfb.reserve() or ttl.signpost(), found an "
    "errstate; enter other contexts around the call of the operation",
    contexts=EVERYWHERE,
)
def lock_in_a_with(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with np.errstate(all="ignore"):  # HERE: np.errstate
            pass


@said("a kernel can only print to standard output: leave file= out", contexts=EVERYWHERE)
def print_to_a_file(a, b, y, a_dfb, b_dfb, y_dfb):
    import sys

    @ttl.datamovement()
    def reader():
        print("here", file=sys.stderr)  # HERE: sys.stderr


@said(
    "variable 'total' is read before it has a value: an assignment in this function makes it a "
    "new variable, which hides the one outside; give the new one another name",
    contexts=IN_THREADS,
)
def variable_of_a_closure_changed(a, b, y, a_dfb, b_dfb, y_dfb):
    total = 0

    @ttl.datamovement()
    def reader():
        total += 1  # HERE: total


@said("'match' is not supported in kernel functions: write 'if' and 'elif'", contexts=EVERYWHERE)
def match_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        match ttl.node(dims=1):  # HERE: match
            case 0:
                pass


@said(
    "time.sleep() may have side effects and would run in Python once, at compile time, but "
    "this line is inside a run-time condition or loop: move the call before the condition or "
    "loop",
    contexts=EVERYWHERE,
)
def sleep_in_a_loop(a, b, y, a_dfb, b_dfb, y_dfb):
    import time

    @ttl.datamovement()
    def reader():
        for _ in range(ttl.node(dims=1), 3):
            time.sleep(0.001)  # HERE: time.sleep


@said(
    "random.random() may have side effects and would run in Python once, at compile time, but "
    "this line is inside a run-time condition or loop: move the call before the condition or "
    "loop",
    contexts=EVERYWHERE,
)
def random_number_in_a_loop(a, b, y, a_dfb, b_dfb, y_dfb):
    import random

    @ttl.datamovement()
    def reader():
        for _ in range(ttl.node(dims=1), 3):
            if random.random() > 0.5:  # HERE: random.random
                pass


@said(
    "kernel function reader() must have no parameters: use the buffers and tensors of the "
    "operation around it",
    contexts=IN_THREADS,
)
def thread_with_a_default_argument(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader(count=2):  # HERE: def reader
        pass


@said(
    "kernel function reader() must have no parameters: use the buffers and tensors of the "
    "operation around it",
    contexts=IN_THREADS,
)
def thread_with_any_arguments(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader(*args):  # HERE: def reader
        print(args)


@said("the call of place() lacks the argument 'j'", contexts=EVERYWHERE)
def lambda_with_too_many_arguments(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            place = lambda i, j: i  # noqa: E731
            ttl.copy(a[place(0), 0], blk).wait()  # HERE: place(0)


@said(
    "the argument of min() must be a sequence, found a run-time int; give it two numbers, or a "
    "tuple",
    contexts=EVERYWHERE,
)
def minimum_of_no_sequence(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[min(ttl.node(dims=1)), 0], blk).wait()  # HERE: ttl.node(dims=1))


@said(
    "both alternatives of this expression are a str, and a condition that is only known at run "
    "time cannot choose between them: write an if statement, and use each of them in its branch",
    contexts=EVERYWHERE,
)
def choice_between_texts(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        side = "left" if ttl.node(dims=1) == 0 else "right"  # HERE: "left"
        print(side)


@said(
    "a condition that is only known at run time cannot choose between a str and None: write an if "
    "statement, and use each of them in its branch",
    contexts=EVERYWHERE,
)
def choice_between_a_text_and_none(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        side = "left" if ttl.node(dims=1) == 0 else None  # HERE: "left"
        print(side)


@said(
    "the operands of an operator must be blocks or numbers, found None, because row() ends "
    "without a return statement: write 'return' before its result",
    contexts=EVERYWHERE,
)
def sum_with_a_helper_without_return(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[row(0) + 1, 0], blk).wait()  # HERE: row(0) + 1
