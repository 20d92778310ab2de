# SPDX-License-Identifier: Apache-2.0
"""Habits from Python and from array libraries that kernel functions do not have."""

import numpy as np
import ttl

from . import read, said, write
from .contexts import EVERYWHERE, IN_THREADS


@said(
    "a block of shape (1, 1) cannot be indexed: operators and functions work on whole blocks; "
    "in a data movement thread, ttl.block.subview(block, offsets, shape) is a part of a block, "
    "and ttl.raw_element_read(block, row, column) reads one element",
    contexts=EVERYWHERE,
)
def slice_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk[0:1, :])  # HERE: blk[0:1, :]


@said(
    "buffer 'a_dfb' cannot be indexed: reserve() and wait() return its blocks, one after the "
    "other",
    contexts=EVERYWHERE,
)
def index_of_a_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0], a_dfb[0]).wait()  # HERE: a_dfb[0]


@said(
    "items cannot be assigned in kernel functions: write into a block with store(), or into a "
    "tensor with ttl.copy()",
    contexts=EVERYWHERE,
)
def assignment_to_a_slice_of_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            y[0, 0] = blk  # HERE: y[0, 0]


@said(
    "operators such as '+=' can only be applied to names in kernel functions: write into a "
    "block with store(), or into a tensor with ttl.copy()",
    contexts=EVERYWHERE,
)
def sum_into_a_slice_of_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            y[0, 0] += blk  # HERE: y[0, 0]


@said(
    "a condition must be a number or a bool, found a block of shape (1, 1): "
    "ttl.math.where(cond, a, b) chooses between two blocks for each element",
    contexts=EVERYWHERE,
)
def blocks_joined_by_and(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk and other)  # HERE: blk and


@said(
    "a condition must be a number or a bool, found a block of shape (1, 1): "
    "ttl.math.where(cond, a, b) chooses between two blocks for each element",
    contexts=EVERYWHERE,
)
def block_after_not(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(not blk)  # HERE: not blk


@said(
    "a condition must be a number or a bool, found a block expression of shape (1, 1): a "
    "comparison of blocks gives 1 or 0 for each element, for ttl.math.where(cond, a, b); 'a is "
    "b' asks whether two names have the same block",
    contexts=EVERYWHERE,
)
def choice_between_blocks(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk if blk > 0 else blk * 0)  # HERE: blk > 0


@said(
    "a condition must be a number or a bool, found a block of shape (1, 1): "
    "ttl.math.where(cond, a, b) chooses between two blocks for each element",
    contexts=EVERYWHERE,
)
def while_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            while blk:  # HERE: blk
                out.store(blk)


@said(
    "'for' can only run over range() or a sequence known at compile time, found a "
    "DataflowBuffer: run over range() and call wait() or reserve() in each iteration",
    contexts=EVERYWHERE,
)
def loop_over_a_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        for blk in y_dfb:  # HERE: y_dfb
            ttl.copy(blk, y[0, 0]).wait()


@said(
    "the argument of enumerate() must be a sequence, found a buffer: a buffer is a queue, and a "
    "thread gets its blocks one by one; write 'for _ in range(n): block = dfb.wait()', or "
    "reserve()",
    contexts=EVERYWHERE,
)
def enumerates_a_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        for i, blk in enumerate(y_dfb):  # HERE: y_dfb
            ttl.copy(blk, y[i, 0]).wait()


@said(
    "the indices of a tensor must be integers or slices, found a DataflowBuffer "
    "(ttl.read_index(block, row, column) reads an integer of a block that wait() returns, in a "
    "data movement thread)",
    contexts=EVERYWHERE,
)
def a_buffer_as_an_index(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[a_dfb, 0]).wait()  # HERE: a_dfb


@said(
    "'for' can only run over range() or a sequence known at compile time, found a block of "
    "shape (1, 1): operators and functions work on all tiles of a block at once",
    contexts=EVERYWHERE,
)
def loop_over_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            for tile in blk:  # HERE: blk
                out.store(tile)


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


@said(
    "index 32 is out of range: dimension 0 of tensor 'a' has 2 tiles; indices count tiles, not "
    "elements: write 1",
    contexts=IN_THREADS,
)
def loop_over_elements(a, b, y, a_dfb, b_dfb, y_dfb):
    write(a_dfb, y)

    @ttl.datamovement()
    def reader():
        for i in [0, 32]:
            with a_dfb.reserve() as blk:
                ttl.copy(a[i, 0], blk).wait()  # HERE: i, 0


@said(
    "index 2 is out of range in dimension 0 of tensor 'a', which has 2 tile rows",
    kind=ttl.OutOfBoundsError, contexts=IN_THREADS,
)
def elements_of_a_shape_as_tiles(a, b, y, a_dfb, b_dfb, y_dfb):
    write(a_dfb, y)

    @ttl.datamovement()
    def reader():
        for i in range(len(a)):
            with a_dfb.reserve() as blk:
                ttl.copy(a[i, 0], blk).wait()  # HERE: i, 0


@said(
    "a slice of a tensor must have step 1: copy the parts one by one, in a loop",
    contexts=EVERYWHERE,
)
def negative_step_of_a_slice(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[::-1, 0], blk).wait()  # HERE: ::-1


@said(
    "slice 1:0 of dimension 0 of tensor 'a' is empty: the second bound must be larger, because "
    "it is the first index after the slice",
    contexts=EVERYWHERE,
)
def slice_with_exchanged_bounds(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[1:0, 0], blk).wait()  # HERE: 1:0


@said(
    "index 32 is out of range: dimension 0 of tensor 'a' has 2 tiles; indices count tiles, not "
    "elements: write 1",
    contexts=EVERYWHERE,
)
def index_in_elements(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[32, 0], blk).wait()  # HERE: 32


@said(
    "index -3 is out of range: dimension 0 of tensor 'a' has 2 tiles; write a number from 0 to "
    "1",
    contexts=EVERYWHERE,
)
def negative_index_that_is_too_small(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[-3, 0], blk).wait()  # HERE: -3


@said(
    "a slice of a tensor cannot be indexed: write all indices in one pair of brackets, as in "
    "a[i, j]",
    contexts=EVERYWHERE,
)
def indices_in_two_brackets(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0][0], blk).wait()  # HERE: a[0][0]


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
    "'out = ...' gives the name another value and writes nothing into block 'out' of 'y_dfb': "
    "write out.store(...)",
    contexts=IN_THREADS,
)
def expression_bound_to_the_name_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out = blk * 2  # HERE: out = blk


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
    "a block of shape (1, 1) cannot be converted to text: print(block), without a string "
    "around it, prints its elements",
    contexts=EVERYWHERE,
)
def block_in_an_f_string(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            print(f"{blk}")  # HERE: blk}


@said(
    "a format specification in an f-string must belong to a number, found a block of shape (1, "
    "1): print(block), without a string around it, prints its elements",
    contexts=EVERYWHERE,
)
def format_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            print(f"{blk:.2f}")  # HERE: blk:


@said(
    "print() cannot compute a block expression: store the expression into a block and print "
    "the block",
    contexts=EVERYWHERE,
)
def expression_in_print(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            print(blk + 1)  # HERE: blk + 1


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
    "'yield' is not supported in kernel functions: write a loop, or return a list of values",
    contexts=IN_THREADS,
)
def generator_of_blocks(a, b, y, a_dfb, b_dfb, y_dfb):
    def blocks():
        yield a_dfb.reserve()  # HERE: yield

    @ttl.datamovement()
    def reader():
        for blk in blocks():
            ttl.copy(a[0, 0], blk).wait()


@said(
    "the operands of '+' must be blocks or numbers, found a tensor: copy a slice of it to a "
    "block of a buffer, and wait() for that block here",
    contexts=EVERYWHERE,
)
def zeros_of_numpy_in_a_block_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + np.zeros((32, 32)))  # HERE: blk + np


@said(
    "the operands of '@' must be blocks, found a Tensor and a block of shape (1, 1): copy a "
    "slice of the tensor to a block, and compute with that block",
    contexts=EVERYWHERE,
)
def tensor_on_the_left_of_a_matrix_product(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(a @ blk)  # HERE: a @ blk


@said(
    "a condition must be a number or a bool, found a slice of a tensor: copy the slice to a "
    "block; ttl.raw_element_read(block, row, column) reads one element of it in a data "
    "movement thread",
    contexts=EVERYWHERE,
)
def element_of_a_tensor_as_a_condition(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        if a[0, 0]:  # HERE: a[0, 0]
            pass


@said(
    "ValueError: a tensor of shape Shape([64, 64]) is neither true nor false; test `is not "
    "None`, or test one element",
    contexts=EVERYWHERE,
)
def tensor_as_a_condition(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        if a:  # HERE: a:
            pass


@said(
    "this operator is not supported between a block of shape (1, 1) and an int: use + - * / // "
    "% @ **, or functions of ttl.math",
    contexts=EVERYWHERE,
)
def exponent_that_is_a_block_part(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk & 1)  # HERE: blk & 1


@said(
    "the only unary operator that works on blocks is '-', found '~'; ttl.math.logical_not(x) "
    "is 1 where x is 0",
    contexts=EVERYWHERE,
)
def inversion_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(~blk)  # HERE: ~blk


@said(
    "the operands of an operator must be blocks or numbers, found a buffer: call wait() or "
    "reserve() on it to get a block",
    contexts=EVERYWHERE,
)
def buffer_plus_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(a_dfb + 1)  # HERE: a_dfb + 1


@said("a block of shape (1, 1) cannot be called: leave the parentheses out", contexts=EVERYWHERE)
def call_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk(0, 0))  # HERE: blk(0, 0)


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
    "a comprehension can only run over a sequence known at compile time of at most 65536 "
    "items, found a block of shape (1, 1): operators and functions work on all tiles of a "
    "block at once",
    contexts=EVERYWHERE,
)
def element_of_a_comprehension_over_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(sum([tile for tile in blk]))  # HERE: blk]


@said(
    "the argument of max() must be a sequence, found a block of shape (1, 1); "
    "ttl.math.reduce_max() finds the largest element of a block",
    contexts=EVERYWHERE,
)
def maximum_of_python(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(max(blk))  # HERE: blk))


@said(
    "round() runs in Python at compile time, so its arguments must be known at compile time; "
    "found a block of shape (1, 1); use ttl.math.round() for blocks",
    contexts=EVERYWHERE,
)
def rounding_of_python(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(round(blk))  # HERE: blk))


@said(
    "the argument of float() must be a number, found a block of shape (1, 1); ttl.typecast(x, "
    "dtype) converts the elements of a block",
    contexts=EVERYWHERE,
)
def block_as_a_float(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk * float(blk))  # HERE: blk))


@said(
    "the arguments of range() must be integers, found a block of shape (1, 1) "
    "(ttl.read_index(block, row, column) reads an integer of a block in a data movement thread)",
    contexts=EVERYWHERE,
)
def block_as_the_bound_of_a_loop(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            for _ in range(blk):  # HERE: blk)
                pass


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
    "the operands of an operator must be blocks or numbers, found a buffer: call wait() or "
    "reserve() on it to get a block",
    contexts=EVERYWHERE,
)
def minus_before_a_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(-a_dfb)  # HERE: -a_dfb


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


@said(
    "ttl.copy() can only copy between a slice of a tensor and a block, found None, which push() "
    "returns: call push() in a statement of its own",
    contexts=EVERYWHERE,
)
def block_that_is_pushed_at_once(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0], a_dfb.reserve().push()).wait()  # HERE: ttl.copy(a
