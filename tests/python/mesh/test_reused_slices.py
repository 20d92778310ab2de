# SPDX-License-Identifier: Apache-2.0
"""Slices into which a pipe brings several blocks: the sender waits until the receiver took the block before."""

import numpy as np
import pytest
import ttl
from meshes import joined, numbers, opened, put

LINE = ttl.DeviceDomain((2, 1))
BLOCKS = 4

ENGINES = ["--engine=jit", "--engine=interp", "--engine=emitted", "--stage=ttl",
           "--engine=jit --schedule=random --seed=3", "--engine=interp --schedule=greedy --dma=eager"]


def in_a_loop(receive, use, pipe):
    for step in range(BLOCKS):
        receive(pipe)
        use(step)


def in_a_loop_that_ends_early(receive, use, pipe):
    for step in range(BLOCKS + 2):
        if step == BLOCKS:
            break
        receive(pipe)
        use(step)


def in_nested_loops(receive, use, pipe):
    for outer in range(2):
        for inner in range(2):
            receive(pipe)
            use(2 * outer + inner)


def in_a_branch(receive, use, pipe):
    for step in range(2 * BLOCKS):
        if step % 2 == 1:
            receive(pipe)
            use(step // 2)


def in_both_branches(receive, use, pipe):
    for step in range(BLOCKS):
        if step % 2 == 0:
            receive(pipe)
        else:
            receive(pipe)
        use(step)


def in_a_while(receive, use, pipe):
    step = 0
    while step < BLOCKS:
        receive(pipe)
        use(step)
        step += 1


def one_after_the_other(receive, use, pipe):
    receive(pipe)
    use(0)
    receive(pipe)
    use(1)
    receive(pipe)
    use(2)
    receive(pipe)
    use(3)


def before_a_loop(receive, use, pipe):
    receive(pipe)
    use(0)
    for step in range(1, BLOCKS):
        receive(pipe)
        use(step)


FORMS = [in_a_loop, in_a_loop_that_ends_early, in_nested_loops, in_a_branch, in_both_branches, in_a_while,
         one_after_the_other, before_a_loop]


def relay_with(form, count):
    """Returns an operation: device 0 sends the blocks of x, one tile each; device 1 receives them into one
    slice of a tensor and copies them to y."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(LINE, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=LINE)
    def relay(x, staging, y):
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        back = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def sender():
            def send(pipe):
                for step in range(count):
                    with out.reserve() as block:
                        ttl.copy(x[step, 0], block).wait()
                    with out.wait() as block:
                        ttl.copy(block, pipe).wait()
            net.if_src(send)

        @ttl.datamovement()
        def receiver():
            def receive(pipe):
                ttl.copy(pipe, staging[1, 0], shape=(1, 1)).wait()

            def use(step):
                with back.reserve() as block:
                    ttl.copy(staging[1, 0], block).wait()
                with back.wait() as block:
                    ttl.copy(block, y[step, 0]).wait()

            net.if_dst(lambda pipe: form(receive, use, pipe))

    return relay


def check(relay, options, count=BLOCKS):
    rows = 32 * count
    with opened(2, 1) as mesh:
        x = numbers(2 * rows, 32) % 509
        given, staging = put(x, mesh), put(np.zeros((128, 32), np.float32), mesh)
        made = put(np.zeros_like(x), mesh)
        relay(given, staging, made, options=options)
        assert np.array_equal(joined(made)[rows:], x[:rows])


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("form", FORMS)
def test_a_slice_that_a_pipe_uses_again(form, options):
    check(relay_with(form, BLOCKS), options)


@pytest.mark.parametrize("options", ENGINES)
def test_a_loop_around_the_callback(options):
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(LINE, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=LINE)
    def relay(x, staging, y):
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        back = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def sender():
            for step in range(BLOCKS):
                with out.reserve() as block:
                    ttl.copy(x[step, 0], block).wait()
                with out.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receiver():
            for step in range(BLOCKS):
                def take(pipe):
                    ttl.copy(pipe, staging[1, 0], shape=(1, 1)).wait()
                    with back.reserve() as block:
                        ttl.copy(staging[1, 0], block).wait()
                    with back.wait() as block:
                        ttl.copy(block, y[step, 0]).wait()
                net.if_dst(take)

    check(relay, options)


@pytest.mark.parametrize("options", ENGINES[:3])
def test_in_a_long_loop(options):
    """A loop with more than 64 iterations is one of the compiled kernel, too."""

    def long(receive, use, pipe):
        for step in range(100):
            receive(pipe)
            use(step)

    check(relay_with(long, 100), options, 100)


@pytest.mark.parametrize("options", ENGINES[:3])
def test_the_numbers_of_bytes_of_copies(options):
    """The sender may give the bytes of each copy."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(LINE, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=LINE)
    def relay(x, staging, y):
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        back = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        size = 4096

        @ttl.datamovement()
        def sender():
            def send(pipe):
                for step in range(BLOCKS):
                    with out.reserve() as block:
                        ttl.copy(x[step, 0], block).wait()
                    with out.wait() as block:
                        ttl.copy(block, pipe, byte_count=size).wait()
            net.if_src(send)

        @ttl.datamovement()
        def receiver():
            def take(pipe):
                for step in range(BLOCKS):
                    ttl.copy(pipe, staging[0, 0], shape=(1, 1)).wait()
                    with back.reserve() as block:
                        ttl.copy(staging[0, 0], block).wait()
                    with back.wait() as block:
                        ttl.copy(block, y[step, 0]).wait()
            net.if_dst(take)

    check(relay, options)


@pytest.mark.parametrize("options", [each for each in ENGINES if "emitted" not in each])
def test_one_slice_in_exclusive_branches_is_used_once(options):
    """One thread of two devices sends twice before it receives, which needs room for two blocks."""
    ring = ttl.DeviceDomain((2, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))

    @ttl.operation(grid=(1, 1), device_domain=ring)
    def swap(x, y, way: ttl.runtime):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def move():
            for step in range(2):
                with dfb.reserve() as block:
                    ttl.copy(x[step, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

            def take(pipe):
                if way > 0:
                    ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait()
                    ttl.copy(pipe, y[1, 0], shape=(1, 1)).wait()
                else:
                    ttl.copy(pipe, y[1, 0], shape=(1, 1)).wait()
                    ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait()
            net.if_dst(take)

    x = numbers(128, 32)
    with opened(2, 1) as mesh:
        for way in (1, -1):
            given, made = put(x, mesh), put(np.zeros_like(x), mesh)
            swap(given, made, way, options=options)
            other = np.concatenate([x[64:], x[:64]])
            if way < 0:
                other = other.reshape(2, 2, 32, 32)[:, ::-1].reshape(128, 32)
            assert np.array_equal(joined(made), other)


@pytest.mark.parametrize("options", ["--engine=jit", "--engine=interp", "--stage=ttl"])
def test_a_tensor_that_the_receiver_reads_and_writes_is_no_race(options):
    """The receiver reads y, receives into another tensor and writes y, in this order."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(LINE, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=LINE)
    def relay(x, staging, y, z):
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        first = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=1)
        back = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=1)

        @ttl.datamovement()
        def sender():
            def send(pipe):
                with out.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with out.wait() as block:
                    ttl.copy(block, pipe).wait()
            net.if_src(send)

        @ttl.datamovement()
        def receiver():
            def take(pipe):
                with first.reserve() as block:
                    ttl.copy(y[0, 0], block).wait()
                with first.wait() as block:
                    ttl.copy(block, z[0, 0]).wait()
                ttl.copy(pipe, staging[0, 0], shape=(1, 1)).wait()
                with back.reserve() as block:
                    ttl.copy(staging[0, 0], block).wait()
                with back.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()
            net.if_dst(take)

    x = numbers(64, 32)
    with opened(2, 1) as mesh:
        given, *others = (put(each, mesh) for each in (x, 0 * x, 0 * x + 7, 0 * x))
        relay(given, *others, options=options + " --check=race,protocol,memory")
        _, y, z = map(joined, others)
        assert np.array_equal(y[32:], x[:32])
        assert np.array_equal(z[32:], np.full((32, 32), 7))


def test_a_receive_in_a_loop_that_is_unrolled_later_has_one_wait():
    """The walk of the loop is undone between the receive and its wait, because the rows of the slice must be known."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(LINE, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=LINE)
    def relay(x, y):
        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        back = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def sender():
            def send(pipe):
                for step in range(2):
                    with out.reserve() as block:
                        ttl.copy(x[step, 0], block).wait()
                    with out.wait() as block:
                        ttl.copy(block, pipe).wait()
            net.if_src(send)

        @ttl.datamovement()
        def receiver():
            def take(pipe):
                for step in range(2):
                    transfer = ttl.copy(pipe, y[step, 0], shape=(1, 1))
                    with back.reserve() as block:
                        ttl.copy(x[0:step // 2 + 1, 0:1], block).wait()
                    back.wait().pop()
                    transfer.wait()
            net.if_dst(take)

    x = numbers(128, 32)
    with opened(2, 1) as mesh:
        made = put(0 * x, mesh)
        relay(put(x, mesh), made)
        assert np.array_equal(joined(made)[64:], x[:64])
