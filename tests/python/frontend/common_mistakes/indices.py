# SPDX-License-Identifier: Apache-2.0
"""Mistakes with indices and slices that Python or array libraries allow, but kernels do not."""

import ttl

from . import said, write
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
    "index 2 is out of range in dimension 0 of tensor 'a', which has 2 tile rows; the index must "
    "be 0 to 1, in tiles: correct the loop or the expression that computes it, or skip this "
    "statement with 'if'",
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
    "a Held cannot be indexed by a number that is only known at run time",
    contexts=IN_THREADS,
)
def object_that_is_indexed_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    class Held:
        def __getitem__(self, index):
            return index

    held = Held()

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[held[ttl.node(dims=1)], 0], blk).wait()  # HERE: held[ttl.node


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
