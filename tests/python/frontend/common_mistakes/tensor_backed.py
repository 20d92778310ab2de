# SPDX-License-Identifier: Apache-2.0
"""Mistakes with tensor-backed buffers. The tensors a, b and y are not sharded, so each mistake
makes a sharded tensor of its own."""

import ttl
import ttnn

from common_mistakes import WARNING, mistake, write

L1 = ttnn.BufferType.L1


def sharded(rows=64, columns=64, buffer=L1, layout=ttnn.TILE_LAYOUT):
    """Returns a tensor with one shard of rows x columns elements, on core (0, 0)."""
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
    spec = ttnn.ShardSpec(cores, (rows, columns), ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, buffer, spec)
    return ttnn.zeros(
        (rows, columns), layout=layout, device=ttnn.open_device(), memory_config=memory
    )


def use(dfb, y_dfb):
    """Defines a compute thread that copies a block of `dfb` to `y_dfb`."""

    @ttl.compute()
    def compute():
        with dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk)


def publish(dfb):
    @ttl.datamovement()
    def publisher():
        dfb.publish()


@mistake("interleaved over the banks of DRAM.*sharded in L1")
def backed_by_an_interleaved_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(a, (1, 1))  # HERE: ttl.make_tensor_backed_dfb
    publish(x_dfb)
    use(x_dfb, y_dfb)
    write(y_dfb, y)


@mistake("shards are in DRAM")
def backed_by_shards_in_dram(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded(buffer=ttnn.BufferType.DRAM)
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))  # HERE: ttl.make_tensor_backed_dfb
    publish(x_dfb)
    use(x_dfb, y_dfb)
    write(y_dfb, y)


@mistake("needs 6 tiles .2 blocks of 3., but a shard has 4", shapes={"y": (3, 1)})
def backed_by_a_small_shard(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (3, 1), 2)  # HERE: ttl.make_tensor_backed_dfb
    publish(x_dfb)
    use(x_dfb, y_dfb)


@mistake("multiple of 4096")
def byte_offset_inside_a_tile(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), byte_offset=64)  # HERE: ttl.make_tensor
    publish(x_dfb)
    use(x_dfb, y_dfb)
    write(y_dfb, y)


@mistake("lies behind the shard, which has 4 tiles")
def byte_offset_behind_the_shard(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), byte_offset=4 * 4096)  # HERE: ttl.make_tensor
    publish(x_dfb)
    use(x_dfb, y_dfb)
    write(y_dfb, y)


@mistake("3 are before byte_offset")
def byte_offset_near_the_end_of_the_shard(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), 2, 3 * 4096)  # HERE: ttl.make_tensor_backed
    publish(x_dfb)
    use(x_dfb, y_dfb)
    write(y_dfb, y)


@mistake("byte_offset must be an integer from 0")
def negative_byte_offset(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    publish(ttl.make_tensor_backed_dfb(x, (1, 1), byte_offset=-4096))  # HERE: ttl.make_tensor


@mistake("the first argument of make_tensor_backed_dfb.. must be a tensor, found DataType")
def backed_by_an_element_type(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.make_tensor_backed_dfb(ttnn.float32, (1, 1))  # HERE: ttl.make_tensor_backed_dfb


@mistake("a row of a block has 32 elements, but a row of a shard has 64")
def rows_of_another_length(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded(layout=ttnn.ROW_MAJOR_LAYOUT)
    x_dfb = ttl.make_tensor_backed_dfb(x, (4, 32))  # HERE: ttl.make_tensor_backed_dfb
    publish(x_dfb)

    @ttl.datamovement()
    def reader():
        x_dfb.wait().pop()


@mistake("follow each other without gaps")
def rows_with_gaps(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded(columns=6, layout=ttnn.ROW_MAJOR_LAYOUT)
    x_dfb = ttl.make_tensor_backed_dfb(x, (4, 6))  # HERE: ttl.make_tensor_backed_dfb
    publish(x_dfb)

    @ttl.datamovement()
    def reader():
        x_dfb.wait().pop()


@mistake("no thread publishes it", advice="x_dfb.publish")
def nobody_publishes(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: x_dfb.wait()
            out.store(blk)


@mistake("no tensor backs it")
def publish_of_an_ordinary_buffer(a, b, y, a_dfb, b_dfb, y_dfb):
    use(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        a_dfb.publish()  # HERE: a_dfb.publish()


@mistake("must be called in a data movement thread")
def publish_in_the_compute_thread(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        x_dfb.publish()  # HERE: x_dfb.publish()
        with x_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk)


@mistake("two threads publish")
def publish_in_two_threads(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))
    use(x_dfb, y_dfb)

    @ttl.datamovement()
    def first():
        x_dfb.publish()

    @ttl.datamovement()
    def second():
        x_dfb.publish()  # HERE: x_dfb.publish()
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, 0]).wait()


@mistake("published, but its blocks are also reserved")
def publish_and_reserve(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))
    use(x_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        x_dfb.publish()  # HERE: x_dfb.publish()
        with x_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()


@mistake("no thread reads it", kind=WARNING)
def publish_for_nobody(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))

    @ttl.datamovement()
    def reader():
        x_dfb.publish()  # HERE: x_dfb.publish()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.block.fill(0, shape=(1, 1)))

    write(y_dfb, y)


@mistake("which would not get the new value", advice="make a second buffer")
def store_into_a_published_block(a, b, y, a_dfb, b_dfb, y_dfb):
    x_dfb = ttl.make_tensor_backed_dfb(sharded(), (1, 1))
    publish(x_dfb)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as blk:
            blk.store(blk + 1)  # HERE: blk.store(blk + 1)


@mistake("overwrites elements of 'x_dfb' that it still has to read")
def transpose_in_place(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (2, 2))
    out_dfb = ttl.make_tensor_backed_dfb(x, (2, 2))
    publish(x_dfb)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as blk, out_dfb.reserve() as out:
            out.store(ttl.block.transpose(blk))  # HERE: out.store


@mistake("both buffers need the same byte_offset")
def shift_in_place(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (3, 1))
    out_dfb = ttl.make_tensor_backed_dfb(x, (3, 1), byte_offset=4096)
    publish(x_dfb)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as blk, out_dfb.reserve() as out:
            out.store(blk)  # HERE: out.store(blk)


@mistake("which is overwritten", advice="store this expression first")
def read_after_a_store_in_place(a, b, y, a_dfb, b_dfb, y_dfb):
    x = sharded()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
    out_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
    publish(x_dfb)
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as blk, out_dfb.reserve() as out, y_dfb.reserve() as y_blk:
            out.store(blk + 1)
            y_blk.store(blk * 2)  # HERE: y_blk.store(blk * 2)


@mistake("their memory differs")
def a_group_of_different_parts(a, b, y, a_dfb, b_dfb, y_dfb):
    x, group = sharded(), ttl.make_dfb_allocation_group()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), allocation_group=group)
    z_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), 1, 4096, group)  # HERE: ttl.make_tensor_backed

    @ttl.compute()
    def compute():
        for dfb in (x_dfb, z_dfb):
            with dfb.reserve() as blk:
                blk.store(ttl.block.fill(0, shape=(1, 1)))


@mistake("a thread publishes it")
def a_published_buffer_in_a_group(a, b, y, a_dfb, b_dfb, y_dfb):
    x, group = sharded(), ttl.make_dfb_allocation_group()
    x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), allocation_group=group)  # HERE: ttl.make_tensor
    z_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), allocation_group=group)
    use(x_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        x_dfb.publish()
        with z_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
