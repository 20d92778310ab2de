# SPDX-License-Identifier: Apache-2.0
"""Mistakes with copies between tensors and blocks."""

import ttl
import ttnn

from . import WARNING, forward, mistake, read, write


@mistake("wait", kind=WARNING)
def forgotten_wait(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk)  # HERE: ttl.copy(a[0, 0], blk)


@mistake("in flight|wait")
def pushed_before_the_copy_is_done(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        xf = ttl.copy(a[0, 0], blk)
        blk.push()  # HERE: blk.push()
        xf.wait()


@mistake("twice|already|second")
def waited_twice(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            xf = ttl.copy(a[0, 0], blk)
            xf.wait()
            xf.wait()  # HERE: xf.wait()


@mistake("nobody has read")
def copy_into_a_waited_block(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.datamovement()
    def writer():
        with a_dfb.wait() as blk:
            ttl.copy(y[0, 0], blk).wait()  # HERE: ttl.copy(y[0, 0], blk)


@mistake("reserve|written|garbage")
def copy_out_of_a_reserved_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        with a_dfb.reserve() as blk:
            ttl.copy(blk, y[0, 0]).wait()  # HERE: ttl.copy(blk, y[0, 0])


@mistake("copy lock|in flight")
def written_while_a_copy_is_in_flight(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            first = ttl.copy(a[0, 0], blk)
            second = ttl.copy(a[0, 1], blk)  # HERE: ttl.copy(a[0, 1], blk)
            first.wait()
            second.wait()


@mistake(r"\(2, 1\).*\(1, 1\)")
def slice_off_by_a_tile(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0:2, 0], blk).wait()  # HERE: ttl.copy(a[0:2, 0], blk)


@mistake("has 2 tiles; slices count tiles, not elements: write 0:1")
def element_units_in_place_of_tiles(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0:32, 0:32], blk).wait()  # HERE: 0:32


@mistake("index 2 .*dimension 1 of tensor 'a' has 2 tiles")
def index_out_of_range(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 2], blk).wait()  # HERE: 2


@mistake("2", kind=ttl.OutOfBoundsError)
def index_out_of_range_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb, 3)

    @ttl.datamovement()
    def reader():
        for i in range(ttl.node(dims=1), 3):
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, i], blk).wait()  # HERE: i


@mistake("indices|dimensions|rank")
def too_many_indices(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0, 0], blk).wait()  # HERE: a[0, 0, 0]


@mistake("integer|float")
def float_index(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0.5], blk).wait()  # HERE: 0.5


@mistake("integer|float")
def float_index_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, ttl.node(dims=1) / 2], blk).wait()  # HERE: ttl.node(dims=1) / 2


@mistake("extent.*must be known")
def ragged_slice_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        i = ttl.node(dims=1)
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, i : i * 2], blk).wait()  # HERE: i : i * 2


@mistake("block|slice")
def copy_between_tensors(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0], y[0, 0]).wait()  # HERE: ttl.copy(a[0, 0], y[0, 0])


@mistake(r"\(2, 2\).* has shape \(1, 1\)")
def copy_of_a_whole_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a, blk).wait()  # HERE: ttl.copy(a, blk)


@mistake("reserve")
def copy_into_a_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0], a_dfb).wait()  # HERE: ttl.copy


@mistake("argument|missing")
def copy_of_one_thing(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        ttl.copy(a[0, 0]).wait()  # HERE: ttl.copy(a[0, 0])


@mistake("compute")
def copy_in_a_compute_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()  # HERE: ttl.copy(a[0, 0], blk)


@mistake("data movement")
def arithmetic_in_a_data_movement_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            blk.store(blk + blk)  # HERE: blk + blk


@mistake("data movement")
def store_in_a_data_movement_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk, b_dfb.wait() as other:
            blk.store(other)  # HERE: blk.store(other)


@mistake("element|host|compile time|tensor")
def value_of_a_tensor_element(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        if a[0, 0] > 0:  # HERE: a[0, 0] > 0
            pass


@mistake("found a tensor")
def arithmetic_on_tensors(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(a + b)  # HERE: out.store(a + b)


@mistake("list indices")
def list_in_place_of_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    lengths = [1, 2]

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(lengths[0, 0], blk).wait()  # HERE: lengths[0, 0]


@mistake(r"has no attribute or method 'wait': a buffer has it, and gives blocks; wait\(\) of what ttl.copy\(\) "
         "returns completes a copy")
def wait_on_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk)
            blk.wait()  # HERE: blk.wait


@mistake(r"its only method is wait\(\)")
def misspelt_transfer_method(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wiat()  # HERE: ttl.copy(a[0, 0], blk).wiat


@mistake("a Tensor that is no argument of the operation")
def tensor_made_in_a_kernel(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        other = ttnn.zeros((32, 32))
        with a_dfb.reserve() as blk:
            ttl.copy(other, blk).wait()  # HERE: ttl.copy


@mistake("must be integers or slices, found a block")
def block_as_an_index(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[blk, 0], blk).wait()  # HERE: blk, 0


@mistake("must have step 1")
def slice_with_a_step(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0:2:2, 0], blk).wait()  # HERE: 0:2:2


@mistake("slice 1:1 of dimension 0 of tensor 'a' is empty")
def empty_slice(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[1:1, 0], blk).wait()  # HERE: 1:1


@mistake("a GroupTransfer has no method wait")
def wait_on_a_group(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        group = ttl.GroupTransfer()
        with a_dfb.reserve() as blk:
            group.add(ttl.copy(a[0, 0], blk))
            group.wait()  # HERE: group.wait()


@mistake("element 32 in dimension 0 is outside a block of 'a_dfb'")
def element_outside_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    write(a_dfb, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            ttl.raw_element_write(blk, 32, 0, value=1)  # HERE: ttl.raw


@mistake(r"index 2 is out of range in dimension 0 of tensor 'a', which has 2 tile rows",
         kind=ttl.OutOfBoundsError, grid=(3, 1))
def row_out_of_range_at_run_time(a, b, y, a_dfb, b_dfb, y_dfb):
    write(a_dfb, y)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        with a_dfb.reserve() as blk:
            ttl.copy(a[x, 0], blk).wait()  # HERE: x, 0


@mistake(r"tensor 'a' has no method wait\(\).*make_dataflow_buffer_like\(a, ")
def wait_for_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def writer():
        with a.wait() as blk:  # HERE: a.wait
            ttl.copy(blk, y[0, 0]).wait()


@mistake(r"tensor 'y' has no method store\(\).*ttl.copy\(block, y\[")
def store_into_a_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            y.store(blk)  # HERE: y.store
