# SPDX-License-Identifier: Apache-2.0
"""Mistakes with the shapes of blocks and with element types."""

import ttl
import ttnn

from . import said
from .contexts import EVERYWHERE, IN_THREADS


@said(
    "shapes differ: (1, 2) + (2, 1) (shapes of blocks must match exactly: make the buffers "
    "with one shape, or expand a block with ttl.block.broadcast())",
    shapes={"a": (1, 2), "b": (2, 1)}, contexts=EVERYWHERE,
)
def sum_of_a_row_and_a_column(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk + other)  # HERE: blk + other


@said(
    "shapes differ: (2, 2) * (3, 2) (shapes of blocks must match exactly: make the buffers "
    "with one shape)",
    shapes={"a": (2, 2), "b": (3, 2)}, contexts=EVERYWHERE,
)
def sum_of_blocks_that_no_broadcast_makes_equal(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk * other)  # HERE: blk * other


@said(
    "shapes differ: (2, 3) @ (2, 3): the inner extents, 3 and 2, must be equal: make the "
    "buffers with shapes (M, K) and (K, N), or exchange the extents of a block with "
    "ttl.block.transpose()",
    shapes={"a": (2, 3), "b": (2, 3)}, contexts=EVERYWHERE,
)
def product_with_a_matrix_that_is_not_transposed(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(blk @ other)  # HERE: blk @ other


@said(
    "shapes differ: (1, 2) @ (1, 3): the inner extents, 2 and 1, must be equal: make the "
    "buffers with shapes (M, K) and (K, N)",
    shapes={"a": (1, 2), "b": (1, 3)}, contexts=EVERYWHERE,
)
def product_of_matrices_that_do_not_fit(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(ttl.math.matmul(blk, other))  # HERE: ttl.math.matmul


@said(
    "shapes differ: an expression of shape (2, 2) is stored into a block of 'y_dfb', which has "
    "shape (1, 1): make buffer 'y_dfb' with shape=(2, 2), or store an expression of shape (1, "
    "1)",
    shapes={"a": (2, 2)}, contexts=EVERYWHERE,
)
def store_of_a_whole_block_where_a_sum_was_meant(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk)  # HERE: out.store(blk)


@said(
    "shapes differ: an expression of shape (1, 2) is stored into a block of 'y_dfb', which has "
    "shape (1, 1): make buffer 'y_dfb' with shape=(1, 2), or store an expression of shape (1, "
    "1)",
    shapes={"a": (2, 1)}, contexts=EVERYWHERE,
)
def transposed_block_of_another_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.block.transpose(blk))  # HERE: out.store


@said(
    "a block must have extent 1 in the dimensions that broadcast() expands (dims [0]), found "
    "shape (2, 2): leave dimension 0 out of dims=",
    shapes={"a": (2, 2)}, contexts=EVERYWHERE,
)
def broadcast_of_a_dim_that_is_not_1(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.block.broadcast(blk, dims=[0]))  # HERE: ttl.block.broadcast


@said(
    "dim 2 out of range for rank 2: dims= names dimension 2, which a block of rank 2 does not "
    "have: its dimensions are 0 to 1, or -2 to -1",
    contexts=EVERYWHERE,
)
def reduction_over_one_dim_too_many(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_max(blk, dims=[1, 2]))  # HERE: [1, 2]


@said(
    "ttl.math.reduce_sum() has no keepdims=: leave it out; the dimensions stay, with extent 1",
    contexts=EVERYWHERE,
)
def keepdims_of_numpy(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, dims=[0], keepdims=True))  # HERE: True


@said(
    "the scaler of a reduction must be a block, whose element (0, 0) scales each tile; found a "
    "float: multiply the result by the number instead",
    contexts=EVERYWHERE,
)
def scaler_that_is_a_number(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, 0.5, dims=[0]))  # HERE: ttl.math.reduce_sum


@said("ttl.math.reduce_sum() has no parameter 'dms'; did you mean 'dims'?", contexts=EVERYWHERE)
def misspelt_keyword_of_a_function(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, dms=[0]))  # HERE: [0])


@said("ttl.math.reduce_sum() has no parameter 'shap'; did you mean 'shape'?", contexts=EVERYWHERE)
def misspelt_keyword_next_to_a_right_one(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, dims=[0], shap=(1, 1)))  # HERE: (1, 1)


@said(
    "shapes differ: an expression of shape (32, 32) is stored into a block of 'y_dfb', which "
    "has shape (1, 1): shapes count tiles, not elements: write shape=(1, 1)",
    contexts=EVERYWHERE,
)
def fill_of_a_shape_in_elements(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.block.fill(0.0, shape=(32, 32)))  # HERE: out.store


@said(
    "the extents of a block's shape must be positive integers known at compile time, found a "
    "float (to divide integers, write '//' in place of '/')",
    contexts=EVERYWHERE,
)
def fill_of_a_shape_of_floats(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.block.fill(0.0, shape=(a.shape[0] / 64, 1)))  # HERE: (a.shape[0] / 64, 1)


@said(
    "a block's shape must be a tuple of integers, found (2.0, 1): to divide integers, write "
    "'//' in place of '/'",
)
def buffer_of_a_float_shape(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a, shape=(a.shape[0] / 32, 1))  # HERE: ttl.make_dataflow


@said(
    "the first argument of make_dataflow_buffer_like() must be a tensor, or an object with an "
    "attribute dtype, found list: pass numpy.array(x) in its place",
)
def buffer_like_a_list(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like([1.0, 2.0], shape=(1, 1))  # HERE: ttl.make_dataflow


@said("block_count must be an integer from 1 to 32, found '2'")
def buffer_of_a_string_block_count(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count="2")  # HERE: ttl.make_dataflow


@said(
    "element types differ: ttl.copy() does not convert a slice of float32 to a block of "
    "bfloat16: make the buffer from a tensor of the same type, and convert the elements when "
    "the compute thread stores them",
    contexts=EVERYWHERE,
)
def copy_between_element_types(a, b, y, a_dfb, b_dfb, y_dfb):
    narrow = ttl.make_dfb(ttnn.bfloat16, (1, 1))

    @ttl.datamovement()
    def reader():
        with narrow.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()  # HERE: ttl.copy


@said(
    "floats cannot be stored into a block of 'numbers', which holds integers: convert them "
    "with ttl.typecast(x, dtype)",
    contexts=EVERYWHERE,
)
def store_of_floats_as_integers(a, b, y, a_dfb, b_dfb, y_dfb):
    numbers = ttl.make_dfb(ttnn.int32, (1, 1))

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, numbers.reserve() as out:
            out.store(blk * 2)  # HERE: out.store


@said(
    "a block of floats and a block of integers cannot be operands of one operation: convert "
    "one of them with ttl.typecast(x, dtype)",
    contexts=EVERYWHERE,
)
def sum_of_integers_and_floats(a, b, y, a_dfb, b_dfb, y_dfb):
    numbers = ttl.make_dfb(ttnn.int32, (1, 1))

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, numbers.wait() as other, y_dfb.reserve() as out:
            out.store(blk + other)  # HERE: blk + other


@said(
    "'floaty' is not a tensor type; expected one of: ttnn.float32, ttnn.bfloat16, "
    "ttnn.float16, ttnn.bfloat8_b, ttnn.bfloat4_b, ttnn.uint32, ttnn.int32, ttnn.uint16, "
    "ttnn.uint8",
    contexts=EVERYWHERE,
)
def typecast_to_a_word(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.typecast(blk, "floaty"))  # HERE: "floaty"


@said(
    "a block of row-major buffer 'r_dfb' cannot be computed on: make the buffer from a tensor "
    "in tile layout",
    contexts=IN_THREADS,
)
def arithmetic_on_a_row_major_block(a, b, y, a_dfb, b_dfb, y_dfb):
    rows = ttnn.zeros((64, 64), layout=ttnn.ROW_MAJOR_LAYOUT)
    r_dfb = ttl.make_dataflow_buffer_like(rows, shape=(1, 64))

    @ttl.compute()
    def compute():
        with r_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk + 1)  # HERE: blk + 1


@said(
    "shapes differ: the source of ttl.copy() has shape (1, 1), its destination has shape (32, "
    "32): tensor 'a' consists of tiles and the block of elements: make buffer 'r_dfb' like a "
    "tensor of the same layout",
    contexts=IN_THREADS,
)
def copy_of_tiles_into_a_row_major_block(a, b, y, a_dfb, b_dfb, y_dfb):
    rows = ttnn.zeros((64, 64), layout=ttnn.ROW_MAJOR_LAYOUT)
    r_dfb = ttl.make_dataflow_buffer_like(rows, shape=(32, 32))

    @ttl.datamovement()
    def reader():
        with r_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()  # HERE: ttl.copy


@said(
    "squeeze() drops dimensions of extent 1: dimension 0 of shape (2, 2) has 2; leave it out "
    "of dims=",
    shapes={"a": (2, 2)}, contexts=EVERYWHERE,
)
def squeeze_of_a_dim_that_is_not_1(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.squeeze(blk, dims=[0]))  # HERE: ttl.math.squeeze


@said("the call of ttl.math.where() lacks the argument 'b'", contexts=EVERYWHERE)
def where_of_two_arguments(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.where(blk > 0, blk))  # HERE: ttl.math.where


@said(
    "shapes differ: the source of ttl.copy() has shape (1, 1), its destination has shape (2, "
    "1): copy a slice of the block's shape, or make buffer 'a_dfb' with shape=(1, 1); shapes "
    "and indices count tiles",
    shapes={"a": (2, 1)}, contexts=EVERYWHERE,
)
def copy_of_one_tile_into_a_larger_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()  # HERE: ttl.copy
