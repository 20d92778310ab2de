# SPDX-License-Identifier: Apache-2.0
"""Mistakes in block expressions."""

import math

import numpy as np
import ttl

from . import mistake, read, read_both


@mistake(r"\(1, 1\) \+ \(2, 1\)", shapes={"b": (2, 1)})
def shapes_that_differ(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk + other)  # HERE: blk + other


@mistake(r"\(1, 1\).*\(2, 1\)", shapes={"y": (2, 1)})
def store_of_another_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + 1)  # HERE: out.store(blk + 1)


@mistake(r"\(1, 2\) @ \(1, 1\)", shapes={"a": (1, 2)})
def product_of_wrong_shapes(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk @ other)  # HERE: blk @ other


@mistake("dims", shapes={"y": (2, 2), "a": (1, 2)})
def broadcast_over_the_wrong_dim(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.block.broadcast(blk, dims=[-1], shape=(2, 2)))  # HERE: ttl.block.broadcast


@mistake("shape=")
def two_broadcasts_without_a_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    read_both(a, a_dfb, b, b_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            row = ttl.block.broadcast(blk, dims=[0])
            column = ttl.block.broadcast(other, dims=[1])
            out.store(row + column)  # HERE: row + column


@mistake("dim")
def reduction_over_a_dim_that_is_not_there(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, dims=[2]))  # HERE: [2]


@mistake("dims")
def reduction_without_dims(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk))  # HERE: ttl.math.reduce_sum(blk)


@mistake("shape")
def fill_without_a_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.block.fill(0.0))  # HERE: ttl.block.fill(0.0)


@mistake(r"ttl\.math\.where")
def comparison_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            if blk > 0:  # HERE: blk > 0
                out.store(blk)


@mistake("condition|truth|bool")
def block_as_a_condition(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            if blk:  # HERE: blk
                out.store(blk)


@mistake(r"ttl\.math\.exp")
def function_of_another_library(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(math.exp(blk))  # HERE: blk))


@mistake(r"ttl\.math\.exp")
def numpy_function_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(np.exp(blk))  # HERE: blk))


@mistake("did you mean '?(ttl.math.)?sqrt")
def misspelt_function(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.sqtr(blk))  # HERE: ttl.math.sqtr


@mistake("argument")
def argument_left_out(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.max(blk))  # HERE: ttl.math.max(blk)


@mistake("argument")
def argument_too_many(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.sqrt(blk, blk, blk))  # HERE: blk, blk)


@mistake("keyword|argument|colour")
def unknown_keyword(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.sqrt(blk, colour=1))  # HERE: 1))


@mistake("found a tensor")
def tensor_in_a_block_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + b)  # HERE: blk + b


@mistake("str")
def text_in_a_block_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + "1")  # HERE: blk + "1"


@mistake("index|subscript|tile|block")
def part_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk[0, 0])  # HERE: blk[0, 0]


@mistake("store|expression")
def store_of_nothing(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(None)  # HERE: out.store(None)


@mistake("fit")
def number_out_of_range(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk * 1e39)  # HERE: blk * 1e39


@mistake("too many arguments")
def transpose_with_axes(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.block.transpose(blk, 1, 0))  # HERE: 0)


@mistake("block|expression")
def function_of_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.math.exp(1.0))  # HERE: ttl.math.exp(1.0)


@mistake("only a block that reserve.. or wait.. returned has it.*store")
def push_of_an_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            out = y_dfb.reserve()
            out = blk + blk
            out.push()  # HERE: out.push


@mistake("'T': write transpose")
def transpose_of_numpy(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk.T)  # HERE: blk.T


@mistake("ttl.typecast")
def astype_of_numpy(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk.astype("float32"))  # HERE: blk.astype


@mistake("must be a sequence, found a block.*reduce_sum")
def sum_of_python(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(sum(blk))  # HERE: blk))


@mistake("operands of '\\+' must be blocks or numbers, found a list")
def list_in_a_block_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + [1])  # HERE: blk + [1]


@mistake(r"found an int; ttl.block.fill\(")
def store_of_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(3)  # HERE: out.store


@mistake(r"\(1, 1\) and an int")
def product_with_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk @ 2)  # HERE: blk @ 2


@mistake("no dimension twice")
def dimension_given_twice(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, dims=[0, 0]))  # HERE: [0, 0]
