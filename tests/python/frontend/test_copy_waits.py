# SPDX-License-Identifier: Apache-2.0
"""Copies that the program does not wait() for on some or all paths: the thread waits right after each."""
# feature: Copies and handles

import inspect
import warnings

import numpy as np
import pytest
import ttl

NEVER = "this copy is never waited for"


def run(reader_body):
    """Moves four tiles through a buffer. Calls reader_body(a, dfb, zero); `zero` is 0, but not known at
    compile time. The compiler must warn at the lines marked WARNS. Returns the warnings' texts."""
    a = np.random.default_rng(1).random((128, 32), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            reader_body(a, dfb, ttl.node(dims=1))

        @ttl.datamovement()
        def writer():
            for row in range(4):
                with dfb.wait() as block:
                    ttl.copy(block, y[row, 0]).wait()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        op(a, y)
    assert np.array_equal(y, a)
    lines, first = inspect.getsourcelines(reader_body)
    wanted = sorted(number for number, line in enumerate(lines, first) if "# WARNS" in line)
    found = [warning for warning in caught if issubclass(warning.category, ttl.TransferWarning)]
    assert sorted({warning.lineno for warning in found}) == wanted
    return " ".join(str(warning.message) for warning in found)


# ===--------------------------------------------------------------------------=== #
# Copies without any wait
# ===--------------------------------------------------------------------------=== #


def plain(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block)  # WARNS


def read_at_once(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block)  # WARNS
            assert ttl.raw_element_read(block, 0, 0) < 1.0


def twice_into_one_block(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            ttl.copy(a[0, 0], block)  # WARNS
            assert ttl.raw_element_read(block, 0, 0) < 1.0
            ttl.copy(a[row, 0], block)  # WARNS


def in_a_branch(a, dfb, zero):
    for row in range(4 + zero):
        with dfb.reserve() as block:
            if row < 2:
                ttl.copy(a[row, 0], block)  # WARNS
            else:
                ttl.copy(a[row, 0], block).wait()


def in_a_while(a, dfb, zero):
    row = zero
    while row < 4:
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block)  # WARNS
        row += 1


def in_a_helper_function(a, dfb, zero):
    def read(block, row):
        ttl.copy(a[row, 0], block)  # WARNS

    for row in range(4):
        with dfb.reserve() as block:
            read(block, row)


def in_nested_loops(a, dfb, zero):
    for i in range(2 + zero):
        for j in range(2):
            with dfb.reserve() as block:
                ttl.copy(a[2 * i + j, 0], block)  # WARNS


def before_a_return(a, dfb, zero):
    for row in range(9):
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block)  # WARNS
            if row == 3:
                return


def in_a_group_that_nothing_waits_for(a, dfb, zero):
    group = ttl.GroupTransfer()
    for row in range(4):
        with dfb.reserve() as block:
            group.add(ttl.copy(a[row, 0], block))  # WARNS


BARE = [plain, read_at_once, twice_into_one_block, in_a_branch, in_a_while, in_nested_loops,
        in_a_helper_function, before_a_return, in_a_group_that_nothing_waits_for]


@pytest.mark.parametrize("body", BARE, ids=lambda body: body.__name__)
def test_a_copy_without_a_wait_completes_at_once(body):
    assert NEVER in run(body)


# ===--------------------------------------------------------------------------=== #
# Waits on some paths
# ===--------------------------------------------------------------------------=== #


def wait_in_a_branch(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            xf = ttl.copy(a[row, 0], block)  # WARNS
            if row % 2 == zero:
                xf.wait()


def wait_in_a_loop(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            xf = ttl.copy(a[row, 0], block)  # WARNS
            for _ in range(zero + 2):
                xf.wait()


def wait_behind_a_continue(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            xf = ttl.copy(a[row, 0], block)  # WARNS
            if row == zero:
                continue
            xf.wait()


@pytest.mark.parametrize(
    "body", [wait_in_a_branch, wait_in_a_loop, wait_behind_a_continue], ids=lambda b: b.__name__)
def test_waits_on_some_paths_do_nothing(body):
    assert "wait for it on every path" in run(body)


def wait_in_both_branches(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            xf = ttl.copy(a[row, 0], block)
            if row == zero:
                xf.wait()
            elif row == zero + 1:
                xf.wait()
            else:
                xf.wait()


def wait_after_the_loop(a, dfb, zero):
    with dfb.reserve() as first, dfb.reserve() as second:
        group = ttl.GroupTransfer()
        group.add(ttl.copy(a[0, 0], first))
        group.add(ttl.copy(a[1, 0], second))
        group.wait_all()
    for row in range(2, 4):
        with dfb.reserve() as block:
            xf = ttl.copy(a[row, 0], block)
            for _ in range(zero):
                pass
            xf.wait()


@pytest.mark.parametrize("body", [wait_in_both_branches, wait_after_the_loop], ids=lambda b: b.__name__)
def test_waits_on_every_path_are_kept(body):
    assert run(body) == ""


def test_a_second_wait_is_an_error():
    def body(a, dfb, zero):
        for row in range(4):
            with dfb.reserve() as block:
                xf = ttl.copy(a[row, 0], block)
                xf.wait()
                xf.wait()

    with pytest.raises(ttl.CompileError, match="waits a second time for the same copy"):
        run(body)


# ===--------------------------------------------------------------------------=== #
# Unified bodies
# ===--------------------------------------------------------------------------=== #


def unified(body):
    """Calls `body` in a unified body: its copies without wait() must give no warning."""
    a = np.random.default_rng(1).random((64, 32), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        for row in range(2):
            body(a, y, row, a_dfb, y_dfb)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        op(a, y)
    assert np.array_equal(y, a + 1)


def test_bare_copies_of_a_unified_body():
    def body(a, y, row, a_dfb, y_dfb):
        ttl.copy(a[row, 0], a_dfb.reserve())
        y_dfb.reserve().store(a_dfb.wait() + 1)
        ttl.copy(y_dfb.wait(), y[row, 0])

    unified(body)


def test_an_assigned_handle_of_a_unified_body():
    def body(a, y, row, a_dfb, y_dfb):
        tx = ttl.copy(a[row, 0], a_dfb.reserve())
        tx.wait()
        y_dfb.reserve().store(a_dfb.wait() + 1)
        out = ttl.copy(y_dfb.wait(), y[row, 0])
        if row == 0:
            out.wait()

    unified(body)


# ===--------------------------------------------------------------------------=== #
# Pipes
# ===--------------------------------------------------------------------------=== #


def over_a_pipe(receive):
    """Node 0 sends two tiles to node 1, without wait(). Node 1 calls receive(pipe, buffer, 0)."""
    a = np.random.default_rng(2).random((64, 32), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        out_dfb, in_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(1, 0))])

        @ttl.datamovement()
        def network():
            def send(pipe):
                for row in range(2):
                    with out_dfb.reserve() as block:
                        ttl.copy(a[row, 0], block)
                        ttl.copy(block, pipe)

            net.if_src(send)
            net.if_dst(lambda pipe: receive(pipe, in_dfb, ttl.node()[1]))

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node()
            for row in range(2):
                if x == 0:
                    with out_dfb.wait():
                        pass
                else:
                    with in_dfb.wait() as block:
                        ttl.copy(block, y[row, 0]).wait()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ttl.UnusedBlockWarning)
        warnings.simplefilter("ignore", ttl.TransferWarning)
        op(a, y)
    assert np.array_equal(y, a)


def bare_receive(pipe, dfb, zero):
    for _ in range(2):
        with dfb.reserve() as block:
            ttl.copy(pipe, block)


def receive_waited_for_in_a_branch(pipe, dfb, zero):
    for i in range(2):
        with dfb.reserve() as block:
            xf = ttl.copy(pipe, block)
            if i == zero:
                xf.wait()


def receive_waited_for_twice(pipe, dfb, zero):
    for i in range(2):
        with dfb.reserve() as block:
            xf = ttl.copy(pipe, block)
            xf.wait()
            xf.wait()


def receive_waited_for_again(pipe, dfb, zero):
    for i in range(2):
        with dfb.reserve() as block:
            xf = ttl.copy(pipe, block)
            if i == zero:
                xf.wait()
            xf.wait()


@pytest.mark.parametrize(
    "receive", [bare_receive, receive_waited_for_in_a_branch, receive_waited_for_twice,
                receive_waited_for_again], ids=lambda body: body.__name__)
def test_receives(receive):
    over_a_pipe(receive)


def test_a_bare_receive_before_the_send_is_a_deadlock():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        s_dfb, r_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(0, 0))])

        @ttl.datamovement()
        def network():
            def receive(pipe):
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block)

            def send(pipe):
                with s_dfb.reserve() as block:
                    ttl.copy(a[0, 0], block)
                    ttl.copy(block, pipe)

            net.if_dst(receive)
            net.if_src(send)

    a = np.zeros((32, 32), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ttl.DeadlockError, match="waits for data of pipe 0") as caught:
            op(a, a)
    assert caught.value.line == op.function.__code__.co_firstlineno + 9
