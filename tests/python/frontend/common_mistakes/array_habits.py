# SPDX-License-Identifier: Apache-2.0
"""Mistakes from habits of array libraries: blocks, buffers and tensors used as arrays or numbers."""

import numpy as np
import ttl

from . import read, said
from .contexts import EVERYWHERE, IN_THREADS


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
    "the operands of '+' must be blocks or numbers, found a slice of a tensor: copy it to a block of a "
    "buffer, and wait() for that block here",
    contexts=IN_THREADS,
)
def a_slice_of_a_tensor_in_a_block_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + b[0, 0])  # HERE: blk + b


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
    "ttl.copy() can only copy between a slice of a tensor and a block, found None, which push() "
    "returns: call push() in a statement of its own",
    contexts=EVERYWHERE,
)
def block_that_is_pushed_at_once(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0], a_dfb.reserve().push()).wait()  # HERE: ttl.copy(a
