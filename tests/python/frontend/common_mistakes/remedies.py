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
