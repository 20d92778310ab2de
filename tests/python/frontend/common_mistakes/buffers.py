# SPDX-License-Identifier: Apache-2.0
"""Mistakes with buffers, and blocks used in a wrong state: unwritten, unread or released."""

import ttl

from . import WARNING, forward, mistake, read, read_both, write


@mistake("push", grid=(2, 1))
def released_on_one_branch_only(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb)
    write(y_dfb, y)

    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()  # HERE: a_dfb.reserve()
        ttl.copy(a[0, 0], blk).wait()
        if ttl.node(dims=1) == 0:
            blk.push()


@mistake("pop")
def popped_twice(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        with y_dfb.reserve() as out:
            out.store(blk)
        blk.pop()
        blk.pop()  # HERE: blk.pop()


@mistake("push")
def pushed_twice(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        ttl.copy(a[0, 0], blk).wait()
        blk.push()
        blk.push()  # HERE: blk.push()


@mistake("pop|wait")
def popped_after_reserve(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        ttl.copy(a[0, 0], blk).wait()
        blk.pop()  # HERE: blk.pop()


@mistake("push|reserve")
def pushed_after_wait(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        blk.push()  # HERE: blk.push()


@mistake("push|pop|released")
def used_after_release(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        blk.pop()
        with y_dfb.reserve() as out:
            out.store(blk + 1)  # HERE: blk


@mistake("used|pushed|released|ended")
def used_after_with(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            pass
        with y_dfb.reserve() as out:
            out.store(blk + 1)  # HERE: blk


@mistake("push")
def pushed_twice_inside_with(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            blk.push()
            blk.push()  # HERE: blk.push()


@mistake("released already")
def written_after_its_push_inside_with(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
            blk.push()
            ttl.copy(a[0, 1], blk).wait()  # HERE: ttl.copy(a[0, 1], blk)


@mistake("written|garbage|nobody wrote")
def pushed_before_it_is_written(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        blk.push()  # HERE: blk.push()


@mistake("reads|written")
def read_before_it_is_written(a, b, y, a_dfb, b_dfb, y_dfb):
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(out + 1)  # HERE: out + 1


@mistake("nobody has read it", kind=WARNING)
def block_that_nobody_reads(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        blk.pop()  # HERE: blk.pop()


@mistake("no thread produces any")
def waited_for_without_a_producer(a, b, y, a_dfb, b_dfb, y_dfb):
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: a_dfb.wait()
            out.store(blk)


@mistake("producer", kind=ttl.DeadlockError)
def one_block_too_few(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb, 2)
    write(y_dfb, y, 3)

    @ttl.compute()
    def compute():
        for _ in range(3):
            with a_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: a_dfb.wait()
                out.store(blk)


@mistake("consumer", kind=ttl.DeadlockError)
def one_block_too_many(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb, 1)
    write(y_dfb, y, 1)

    @ttl.datamovement()
    def reader():
        for _ in range(4):
            with a_dfb.reserve() as blk:  # HERE: a_dfb.reserve()
                ttl.copy(a[0, 0], blk).wait()


@mistake("before block 'first' .*release blocks in the order", kind=WARNING)
def released_in_the_wrong_order(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb, 2)
    write(y_dfb, y, 2)

    @ttl.datamovement()
    def reader():
        first = a_dfb.reserve()
        second = a_dfb.reserve()
        ttl.copy(a[0, 0], first).wait()
        ttl.copy(a[0, 1], second).wait()
        second.push()  # HERE: second.push()
        first.push()


@mistake("block_count|blocks")
def more_blocks_held_than_there_are(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        one = a_dfb.reserve()
        two = a_dfb.reserve()
        three = a_dfb.reserve()  # HERE: a_dfb.reserve()
        for blk in (one, two, three):
            ttl.copy(a[0, 0], blk).wait()
            blk.push()


@mistake("produce|two|both|only one", kind=(ttl.CompileError, ttl.ProtocolError))
def two_producers(a, b, y, a_dfb, b_dfb, y_dfb):
    forward(a_dfb, y_dfb, 2)
    read(a, a_dfb)

    @ttl.datamovement()
    def other():
        with a_dfb.reserve() as blk:  # HERE: a_dfb.reserve()
            ttl.copy(b[0, 0], blk).wait()


@mistake("consume|two|both|only one", kind=(ttl.CompileError, ttl.ProtocolError))
def two_consumers(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb, 2)
    forward(a_dfb, y_dfb)

    @ttl.datamovement()
    def writer():
        with a_dfb.wait() as blk:  # HERE: a_dfb.wait()
            ttl.copy(blk, y[0, 0]).wait()


@mistake(r"found a buffer.*wait\(\)")
def buffer_in_place_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(a_dfb)  # HERE: out.store(a_dfb)


@mistake(r"found a buffer.*wait\(\)")
def buffer_added_to_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out, b_dfb.wait() as blk:
            out.store(a_dfb + blk)  # HERE: a_dfb + blk


@mistake("did you mean 'reserve'|did you mean reserve")
def misspelt_buffer_method(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserv() as blk:  # HERE: a_dfb.reserv
            ttl.copy(a[0, 0], blk).wait()


@mistake("did you mean 'store'|did you mean store")
def misspelt_block_method(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out, a_dfb.wait() as blk:
            out.stor(blk)  # HERE: out.stor


@mistake("read")
def store_into_a_waited_block_before_it_is_read(a, b, y, a_dfb, b_dfb, y_dfb):
    read_both(a, a_dfb, b, b_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, b_dfb.wait() as other:
            blk.store(other)  # HERE: blk.store(other)


@mistake("only '\\+=' works on a reserved block")
def a_difference_in_place(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)
    write(y_dfb, y)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk)
            out -= blk  # HERE: out -= blk


@mistake("store|assign|subscript|item")
def assignment_to_an_element_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out[0] = 1.0  # HERE: out[0]


@mistake("nobody has written it")
def assignment_in_place_of_a_store(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:  # HERE: y_dfb.reserve()
            result = blk * 2


@mistake("has room for 2 blocks", kind=ttl.ProtocolError, grid=(2, 1))
def loop_that_acquires_too_many_blocks_before_the_pushes(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        for i in range(2 + x):
            ttl.copy(a[i % 2, 0], a_dfb.reserve()).wait()  # HERE: a_dfb.reserve()
        for _ in range(2 + x):
            a_dfb.push()


@mistake("pushes 1 block of 'a_dfb', but none is reserved", kind=ttl.ProtocolError)
def one_push_more_than_blocks_that_are_counted(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        for i in range(1 + x):
            ttl.copy(a[i, 0], a_dfb.reserve()).wait()
        for _ in range(2 + x):
            a_dfb.push()  # HERE: a_dfb.push()


@mistake("still held when reader.. ends: write push", kind=ttl.RuntimeFault)
def one_push_less_than_blocks_that_are_counted(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        for i in range(2 + x):
            ttl.copy(a[i, 0], a_dfb.reserve()).wait()  # HERE: a_dfb.reserve()
        for _ in range(1 + x):
            a_dfb.push()


@mistake(r"names the method push\(\), but does not call it")
def push_without_parentheses(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        blk = a_dfb.reserve()
        ttl.copy(a[0, 0], blk).wait()
        blk.push  # HERE: blk.push


@mistake(r"names the method wait\(\), but does not call it")
def wait_without_parentheses(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait  # HERE: ttl.copy(a


@mistake(r"too many arguments")
def reserve_of_several_blocks(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve(2) as blk:  # HERE: 2
            ttl.copy(a[0, 0], blk).wait()


@mistake(r"after 'with' must be dfb.wait\(\), dfb.reserve\(\)")
def buffer_in_a_with(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb as blk:  # HERE: a_dfb
            ttl.copy(a[0, 0], blk).wait()
