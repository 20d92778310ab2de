# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the order in which threads acquire, fill and release blocks."""

import ttl

from . import WARNING, forward, read, read_both, said, write
from .contexts import EVERYWHERE, IN_THREADS


@said(
    "a block expression of shape (1, 1) has no attribute or method 'store': only a block that "
    "reserve() or wait() returned has it; write an expression into such a block with store()",
    contexts=IN_THREADS,
)
def product_in_place_that_makes_an_expression(a, b, y, a_dfb, b_dfb, y_dfb):
    read_both(a, a_dfb, b, b_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other:
            blk *= other
            blk.store(blk)  # HERE: blk.store


@said(
    "ttl.copy() can only copy between a slice of a tensor and a block, found a block of shape "
    "(1, 1) and a block of shape (1, 1): write destination.store(source) in the compute thread",
    contexts=EVERYWHERE,
)
def copies_between_two_blocks(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def mover():
        with a_dfb.wait() as blk, b_dfb.reserve() as out:
            ttl.copy(blk, out).wait()  # HERE: ttl.copy(blk, out)


@said(
    "this needs a value with an attribute 'wait', found None, which wait() returns: call "
    "wait() in a statement of its own",
    contexts=EVERYWHERE,
)
def handle_of_no_copy(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            handle = ttl.copy(a[0, 0], blk).wait()
            handle.wait()  # HERE: handle.wait


@said(
    "b_dfb.wait(): deadlock: consumer waits for a block that no producer will push",
    kind=ttl.DeadlockError, contexts=IN_THREADS,
)
def circle_of_two_threads(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with b_dfb.wait() as ready, a_dfb.reserve() as blk:  # HERE: b_dfb.wait()
            ttl.copy(a[0, 0], blk).wait()
            ttl.copy(ready, y[0, 0]).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.reserve() as out:
            out.store(blk)


@said(
    "a_dfb.wait(): deadlock: consumer waits for a block that no producer will push",
    kind=ttl.DeadlockError, contexts=IN_THREADS,
)
def loop_of_the_reader_is_too_short(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb, 1)
    write(y_dfb, y, 2)

    @ttl.compute()
    def compute():
        for _ in range(2):
            with a_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: a_dfb.wait()
                out.store(blk)


@said(
    "a_dfb.push() has no block to release: no block that a_dfb.reserve() acquired is held "
    "here; a_dfb.pop() releases the one that wait() acquired",
    contexts=IN_THREADS,
)
def push_in_place_of_pop(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        with y_dfb.reserve() as out:
            out.store(blk)
        a_dfb.push()  # HERE: a_dfb.push()


@said(
    "a_dfb.pop() has no block to release: no block that a_dfb.wait() acquired is held here; "
    "acquire one before this line",
    contexts=IN_THREADS,
)
def pop_without_a_wait(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        a_dfb.pop()  # HERE: a_dfb.pop()


@said(
    "this waits for a block of 'y_dfb', but no thread produces any: reserve and push blocks of "
    "it in another thread",
    # In the "while" loop, which may have no iterations, this wait is a warning and the store is an error.
    contexts=tuple(each for each in IN_THREADS if each != "while"),
)
def wait_and_reserve_of_one_block(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.wait() as out:  # HERE: y_dfb.wait()
            out.store(blk)


@said(
    "copy lock error: cannot push block 'blk' of 'a_dfb' while a copy into it is in flight: "
    "wait for the copy first",
    contexts=EVERYWHERE,
)
def block_released_by_its_with_and_used_later(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:  # HERE: a_dfb.reserve()
            handle = ttl.copy(a[0, 0], blk)
        handle.wait()


@said(
    "this copy is never waited for, so the thread completes it before the next statement: "
    "write wait()",
    kind=WARNING,
)
def copy_whose_handle_is_lost(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        handle = ttl.copy(a[0, 0], blk)  # HERE: ttl.copy
        blk.push()


@said(
    "this acquires one more block of 'one' than the buffer has (1), so it would wait for ever; "
    "release an older block first, or make the buffer with a larger block_count",
    contexts=EVERYWHERE,
)
def second_reserve_before_the_push(a, b, y, a_dfb, b_dfb, y_dfb):
    one = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)

    @ttl.datamovement()
    def reader():
        first = one.reserve()
        second = one.reserve()  # HERE: one.reserve()
        ttl.copy(a[0, 0], first).wait()
        ttl.copy(a[0, 1], second).wait()


@said("a list has no method wait(): call it on each item", contexts=EVERYWHERE)
def wait_of_a_list(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            handles = [ttl.copy(a[0, 0], blk)]
            handles.wait()  # HERE: handles.wait()


@said("a list has no method append(), because its items are known at run time only: make a new list, as in "
      "xs = xs + [item]", contexts=IN_THREADS)
def append_to_a_list_of_handles(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            handles = [ttl.copy(a[0, 0], blk)]
            handles.append(3)  # HERE: handles.append(3)


@said(
    "cannot push block 'blk' of 'a_dfb': nobody has written it since it was reserved; write it "
    "with store() or ttl.copy(): 'name = value' only binds the name",
    contexts=IN_THREADS,
)
def block_of_a_copy_that_nobody_started(a, b, y, a_dfb, b_dfb, y_dfb):
    write(a_dfb, y)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:  # HERE: a_dfb.reserve()
            source = a[0, 0]


@said(
    "this copies over 'pipe', which belongs to no net: make one in the body of the operation: "
    "net = ttl.PipeNet([pipe]); then copy under a condition on the node, or in a callback of "
    "net.if_src() or net.if_dst()",
    grid=(2, 1), contexts=EVERYWHERE,
)
def pipe_without_a_net(a, b, y, a_dfb, b_dfb, y_dfb):
    pipe = ttl.Pipe((0, 0), (1, 0))

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            ttl.copy(blk, pipe).wait()  # HERE: ttl.copy(blk, pipe)


@said(
    "ttl.copy() can only copy a block into a ttl.Pipe, or from a ttl.Pipe into a block; "
    "net.if_src(fn) calls fn(pipe) on the node that sends, and net.if_dst(fn) on the nodes "
    "that receive",
    grid=(2, 1), contexts=EVERYWHERE,
)
def net_in_place_of_its_pipe(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            ttl.copy(blk, net).wait()  # HERE: ttl.copy(blk, net)


@said(
    "all 2 nodes run a copy that sends over a pipe of 'net', which begins at node (0, 0): copy "
    "only there, for example in a callback of net.if_src()",
    grid=(2, 1),
)
def send_on_every_node(a, b, y, a_dfb, b_dfb, y_dfb):
    pipe = ttl.Pipe((0, 0), (1, 0))
    net = ttl.PipeNet([pipe])

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            ttl.copy(blk, pipe).wait()  # HERE: ttl.copy(blk, pipe)

    @ttl.datamovement()
    def receiver():
        with b_dfb.reserve() as blk:
            net.if_dst(lambda pipe: ttl.copy(pipe, blk).wait())


@said(
    "the argument of ttl.PipeNet must be a list of pipes, found tuple: write ttl.Pipe(src, "
    "dst) for each of them",
    grid=(2, 1),
)
def net_of_coordinates(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.PipeNet([(0, 0), (1, 0)])  # HERE: ttl.PipeNet


@said(
    "the callback must be a function of one argument, the pipe, but send() has no parameters",
    grid=(2, 1), contexts=EVERYWHERE,
)
def callback_without_a_parameter(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    @ttl.datamovement()
    def reader():
        def send():
            pass

        net.if_src(send)  # HERE: send)


@said(
    "the callback must be a function of one argument, the pipe, but this calls send(): leave "
    "its parentheses out",
    grid=(2, 1), contexts=EVERYWHERE,
)
def callback_that_is_called(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    @ttl.datamovement()
    def reader():
        def send():
            pass

        net.if_src(send())  # HERE: send()


@said(
    "both ends of a pipe must have the same rank, found 2 and 3: give each end a coordinate "
    "for every dimension of the grid",
    grid=(2, 2),
)
def pipe_of_another_rank(a, b, y, a_dfb, b_dfb, y_dfb):
    ttl.Pipe((0, 0), (1, 0, 0))  # HERE: ttl.Pipe


@said("2 values cannot be assigned to 3 names: write a name for each value", contexts=EVERYWHERE)
def row_of_a_node_that_does_not_exist(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, z, w = ttl.node()  # HERE: x, z, w


@said(
    "the operands of '+' must be numbers or blocks, found a tuple and an int: unpack the "
    "tuple, as in x, y = ttl.node(), or take one item",
    contexts=EVERYWHERE,
)
def node_as_a_pair_without_unpacking(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        node = ttl.node()
        with a_dfb.reserve() as blk:
            ttl.copy(a[node + 1, 0], blk).wait()  # HERE: node + 1


@said(
    "index 2 is out of range in dimension 1 of tensor 'a', which has 2 tile columns; the index must "
    "be 0 to 1, in tiles: correct the loop or the expression that computes it, or skip this "
    "statement with 'if'",
    kind=ttl.OutOfBoundsError, grid=(3, 1),
)
def grid_larger_than_the_tensor(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node()
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, x], blk).wait()  # HERE: x]
