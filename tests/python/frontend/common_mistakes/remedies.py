# SPDX-License-Identifier: Apache-2.0
"""Mistakes whose message says what to write instead."""

import ttl

from . import mistake, read


def without_return(x):
    x * 2


@mistake("without_return.. ends without a return statement")
def helper_without_a_return_statement(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(without_return(blk))  # HERE: out.store


@mistake("has no axis=: write dims=")
def axis_of_numpy(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.reduce_sum(blk, axis=0))  # HERE: 0))


@mistake("write '//' in place of '/'")
def quotient_as_the_bound_of_a_loop(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        rows = a.shape[0] / 32
        for i in range(rows):  # HERE: rows)
            pass


@mistake(r"counts tiles, not elements: make buffer 'a_dfb' with shape=\(1, 1\)", shapes={"a": (32, 32)})
def shape_in_elements(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()  # HERE: ttl.copy(a[0, 0], blk)


@mistake("write the slice first")
def source_and_destination_exchanged(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(blk, a[0, 0]).wait()  # HERE: ttl.copy(blk, a[0, 0])


@mistake("did you mean 'compute'")
def misspelt_decorator(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.datamovement()
    def writer():
        @ttl.compte()  # HERE: ttl.compte
        def inner():
            pass


@mistake("has no attribute or method 'softplis'; did you mean 'softplus'")
def misspelt_method_of_a_block(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk.softplis())  # HERE: blk.softplis


@mistake("has no attribute or method 'device'; it has shape and the functions of ttl.math")
def attribute_of_a_tensor_library(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk.device)  # HERE: blk.device


@mistake("found the method wait\\(\\): call it, with '\\(\\)'")
def acquire_without_a_call(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with a_dfb.wait as blk, y_dfb.reserve() as out:  # HERE: a_dfb.wait
            out.store(blk)


@mistake("found a buffer: call wait\\(\\) or reserve\\(\\) on it to get a block")
def buffer_in_a_product(a, b, y, a_dfb, b_dfb, y_dfb):
    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(a_dfb @ b_dfb)  # HERE: a_dfb @


@mistake("inc\\(\\) can only add to another node's semaphore: call get_remote\\(\\) and use inc\\(\\) of the result")
def adding_to_the_own_semaphore(a, b, y, a_dfb, b_dfb, y_dfb):
    done = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        done.inc(1)  # HERE: done.inc


@mistake("the destination of this pipe is not inside the grid: it is 0:3 in dimension 0, which has 1 node: "
         "write bounds from 0 to 1")
def multicast_past_the_grid(a, b, y, a_dfb, b_dfb, y_dfb):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 3), 0))])  # HERE: ttl.Pipe((

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            net.if_dst(lambda pipe: ttl.copy(pipe, blk).wait())


@mistake("module 'ttl' has no attribute 'sum'; write ttl.reduce_sum\\(x, dims=\\[...\\]\\)")
def sum_of_numpy(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.sum(blk))  # HERE: ttl.sum


@mistake("module 'ttl.math' has no attribute 'softmax'; compose it of exp\\(\\), reduce_max\\(\\), reduce_sum\\(\\) "
         "and broadcast\\(\\)")
def softmax_of_torch(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(ttl.math.softmax(blk))  # HERE: ttl.math.softmax


@mistake("must be a block or a block expression, found the method exp\\(\\): call it, with '\\(\\)'")
def method_that_is_not_called(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(blk.exp)  # HERE: out.store


@mistake("cannot read block 'blk' of 'a_dfb': it was released already; release it after its last use")
def block_after_its_release(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        blk.pop()
        with y_dfb.reserve() as out:
            out.store(blk)  # HERE: out.store


@mistake("cannot pop block 'blk' of 'a_dfb': it was released already; release a block once")
def block_released_twice(a, b, y, a_dfb, b_dfb, y_dfb):
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        blk = a_dfb.wait()
        with y_dfb.reserve() as out:
            out.store(blk)
        blk.pop()
        blk.pop()  # HERE: blk.pop


@mistake("its source is not available: Python read it from <string>:1; define the function in a "
         "file that Python imports")
def helper_made_by_exec(a, b, y, a_dfb, b_dfb, y_dfb):
    names = {}
    exec("def twice(x): return x * 2", names)
    twice = names["twice"]
    read(a, a_dfb)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk, y_dfb.reserve() as out:
            out.store(twice(blk))  # HERE: twice(blk)
