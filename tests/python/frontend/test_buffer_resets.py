# SPDX-License-Identifier: Apache-2.0
"""ttl.reset_dataflow_buffers(), reset_dfbs(), reset_all_dfbs() and reconfigure_dfbs()."""
# feature: Resets between phases

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")


def numbers(rows, columns=32):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def selectors():
    """Returns one kernel selector for compute, and two for data movement."""
    kinds = ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, ttl.KernelKind.DATA_MOVEMENT
    return tuple(ttl.Kernel(kind) for kind in kinds)


# ===--------------------------------------------------------------------------=== #
# Resets in unified bodies
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("engine", ENGINES)
def test_a_unified_body_in_a_loop(engine):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        for i in range(4):
            ttl.copy(a[i, 0], d.reserve())
            e.reserve().store(d.wait() + 1)
            ttl.copy(e.wait(), y[i, 0])
            ttl.reset_dataflow_buffers()

    a, y = numbers(128), np.zeros((128, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(y, a + 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_blocks_that_nobody_pops_are_dropped(engine):
    """Each round leaves a block in `d`. Without the resets, the third round would wait for room for ever."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", shape=(1, 1), block_count=2)
        e = ttl.make_dfb("fp32", shape=(1, 1))
        for i in range(3):
            ttl.copy(a[2 * i, 0], d.reserve())
            ttl.copy(a[2 * i + 1, 0], d.reserve())  # no thread waits for this block
            e.reserve().store(d.wait() * 2)
            ttl.copy(e.wait(), y[i, 0])
            ttl.reset_dataflow_buffers()

    a, y = numbers(192), np.zeros((96, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    firsts = a.reshape(3, 2, 32, 32)[:, 0].reshape(96, 32)
    assert np.array_equal(y, firsts * 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_two_phases_in_one_loop_around_loops(engine):
    """Each of two phases is a loop over tiles. An outer loop contains both and resets after each."""

    @ttl.operation(grid=(1, 1))
    def op(a, b, c):
        first_in, first_out = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("bf16", (1, 1))
        second_in, second_out = ttl.make_dfb("bf16", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        for _ in range(2):
            for i in range(2):
                ttl.copy(a[i, 0], first_in.reserve()).wait()
                first_out.reserve().store(first_in.wait() + 1)
                ttl.copy(first_out.wait(), b[i, 0]).wait()
            ttl.reset_dataflow_buffers()
            for i in range(2):
                ttl.copy(b[i, 0], second_in.reserve()).wait()
                second_out.reserve().store(second_in.wait() + 1)
                ttl.copy(second_out.wait(), c[i, 0]).wait()
            ttl.reset_dataflow_buffers()

    from ttl import ttnn

    a = np.full((64, 32), 3, np.float32)
    b, c = ttnn.zeros((64, 32), dtype=ttnn.bfloat16), np.zeros((64, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, b, c)
    assert np.all(c == 5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_helper_function_resets(engine):
    reset = ttl.DFBReset(participants=(
        ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, ttl.PIPE_SOURCE_KERNEL
    ))

    def drop(target):
        ttl.reset_dfbs(reset, dfbs=[target])

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], d.reserve())
        ttl.copy(a[1, 0], d.reserve())
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[0, 0])
        drop(d)
        ttl.copy(a[0, 0], d.reserve())
        e.reserve().store(d.wait() + 2)
        ttl.copy(e.wait(), y[1, 0])

    a, y = numbers(64), np.zeros((64, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(y, np.concatenate([a[:32] + 1, a[:32] + 2]))


# ===--------------------------------------------------------------------------=== #
# Resets in kernel functions
# ===--------------------------------------------------------------------------=== #


def phases(call, rounds=3, count=2):
    """Returns an operation whose three kernel functions call `call` in each of `rounds` rounds. In
    each round one block stays in `d`. The blocks of `kept` stay until all rounds are over."""
    c, r, w = selectors()
    reset = ttl.DFBReset(participants=(c, r, w))

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1), block_count=count)
        kept = ttl.make_dfb("fp32", (1, 1), block_count=4)
        e = ttl.make_dfb("fp32", (1, 1))

        @ttl.compute(kernel=c)
        def compute():
            for _ in range(rounds):
                with d.wait() as x, e.reserve() as o:
                    o.store(x * 2)
                call(reset, d, e, kept)
            for _ in range(rounds):
                with kept.wait() as x, e.reserve() as o:
                    o.store(x + 1)

        @ttl.datamovement(kernel=r)
        def read():
            column = ttl.node()[0]
            for i in range(rounds):
                for _ in range(2):
                    with d.reserve() as block:
                        ttl.copy(a[i, column], block).wait()
                with kept.reserve() as block:
                    ttl.copy(a[i, column], block).wait()
                call(reset, d, e, kept)

        @ttl.datamovement(kernel=w)
        def write():
            column = ttl.node()[0]
            for i in range(rounds):
                with e.wait() as block:
                    ttl.copy(block, y[i, column]).wait()
                call(reset, d, e, kept)
            for i in range(rounds):
                with e.wait() as block:
                    ttl.copy(block, y[rounds + i, column]).wait()

    return op


CALLS = {
    "reset_dfbs": lambda reset, d, e, kept: ttl.reset_dfbs(reset, dfbs=[d, e]),
    "reset_all_dfbs": lambda reset, d, e, kept: ttl.reset_all_dfbs(reset, preserve=[kept]),
    "a tuple": lambda reset, d, e, kept: ttl.reset_all_dfbs(reset, preserve=(kept,)),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("call", CALLS)
def test_kernel_functions_in_a_loop(engine, call):
    a, y = numbers(96, 64), np.zeros((192, 64), np.float32)
    with ttl.options(engine=engine):
        op = phases(CALLS[call])
        op(a, y)
        y[:] = 0
        op(a, y)
    assert np.array_equal(y, np.concatenate([a * 2, a + 1]))


def test_equal_bits_on_all_engines_and_schedules():
    a = np.random.default_rng(1).standard_normal((96, 64)).astype(np.float32)
    results = []
    for engine in ENGINES:
        for schedule in ("fair", "greedy", "random", "parallel(2)"):
            y = np.zeros((192, 64), np.float32)
            with ttl.options(engine=engine, schedule=schedule):
                phases(CALLS["reset_dfbs"])(a, y)
            results.append(y.tobytes())
    assert len(set(results)) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_under_conditions_on_the_node(engine):
    """Only node 0 resets the buffer and moves a second block."""
    c, r, w = selectors()
    reset = ttl.DFBReset(participants=(c, r, w))

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))

        @ttl.compute(kernel=c)
        def compute():
            with d.wait() as x, e.reserve() as o:
                o.store(x + 1)
            if ttl.node()[0] == 0:
                ttl.reset_dfbs(reset, dfbs=[d])
                with d.wait() as x, e.reserve() as o:
                    o.store(x + 2)

        @ttl.datamovement(kernel=r)
        def read():
            column, _ = ttl.node()
            for _ in range(2):
                ttl.copy(a[0, column], d.reserve()).wait()
            if column == 0:
                ttl.reset_dfbs(reset, dfbs=[d])
                ttl.copy(a[1, 0], d.reserve()).wait()

        @ttl.datamovement(kernel=w)
        def write():
            column, _ = ttl.node()
            ttl.copy(e.wait(), y[0, column]).wait()
            if column == 0:
                ttl.reset_dfbs(reset, dfbs=[d])
                ttl.copy(e.wait(), y[1, 0]).wait()

    a, y = numbers(64, 64), np.zeros((64, 64), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(y[:32], a[:32] + 1)
    assert np.array_equal(y[32:, :32], a[32:, :32] + 2)
    assert np.all(y[32:, 32:] == 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_positions_begin_at_the_first_slot(engine):
    """After a reset the buffer starts at slot 0 again, so two blocks held together do not wrap around."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1), block_count=3)
        e = ttl.make_dfb("fp32", (1, 1))
        for _ in range(2):
            for i in range(2):
                ttl.copy(a[i, 0], d.reserve()).wait()
            first, second = d.wait(), d.wait()
            e.reserve().store(second - first)
            ttl.copy(e.wait(), y[0, 0]).wait()
            ttl.reset_dataflow_buffers()

    a, y = numbers(64), np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(y, a[32:] - a[:32])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_with_statement_around_a_reset(engine):
    """The reset drops block `x`, so the end of the with statement must not release it again."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], d.reserve()).wait()
        with d.wait() as x:
            e.reserve().store(x + 1)
            ttl.copy(e.wait(), y[0, 0]).wait()
            ttl.reset_dataflow_buffers()
        ttl.copy(a[1, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 2)
        ttl.copy(e.wait(), y[1, 0]).wait()

    a, y = numbers(64), np.zeros((64, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(y, np.concatenate([a[:32] + 1, a[32:] + 2]))


@pytest.mark.parametrize("schedule", ["fair", "random", "parallel(2)"])
@pytest.mark.parametrize("engine", ENGINES)
def test_pipes_into_buffers_that_are_reset(engine, schedule):
    """Node 0 sends two blocks per round; each receiver waits for one. The sender may be a round ahead."""

    @ttl.operation(grid=(3, 1))
    def op(a, y):
        s, d = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1), block_count=3)
        e = ttl.make_dfb("fp32", (1, 1))
        net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(slice(1, 3), 0))])
        column = ttl.node(dims=1)
        for i in range(3):
            for k in range(2):
                if net.is_src():
                    ttl.copy(a[2 * i + k, 0], s.reserve())

                def send(pipe):
                    ttl.copy(s.wait(), pipe)

                def receive(pipe):
                    ttl.copy(pipe, d.reserve())

                net.if_src(send)
                net.if_dst(receive)
            if net.is_dst():
                e.reserve().store(d.wait() + 1)
                ttl.copy(e.wait(), y[i, column])
            ttl.reset_dataflow_buffers()

    a, y = numbers(192), np.zeros((96, 96), np.float32)
    with ttl.options(engine=engine, schedule=schedule):
        op(a, y)
    firsts = a.reshape(3, 2, 32, 32)[:, 0].reshape(96, 32) + 1
    assert np.array_equal(y[:, 32:], np.concatenate([firsts, firsts], axis=1))


# ===--------------------------------------------------------------------------=== #
# Reconfigurations: phases with different buffers
# ===--------------------------------------------------------------------------=== #


def reconfigured(shape, call, discard=False):
    """Returns an operation of two phases with two buffers each. Each thread runs `call` between them."""
    c, r, w = selectors()
    boundary = ttl.DFBReconfiguration(participants=(c, r, w), discard_dfb_state=discard)

    @ttl.operation(grid=(1, 1))
    def op(a, b, y, z):
        first, first_out = (ttl.make_dataflow_buffer_like(t, shape, block_count=2) for t in (a, y))
        second, second_out = (ttl.make_dataflow_buffer_like(t, shape, block_count=2) for t in (b, z))

        @ttl.compute(kernel=c)
        def compute():
            with first.wait() as x, first_out.reserve() as o:
                o.store(x + 1)
            call(boundary)
            with second.wait() as x, second_out.reserve() as o:
                o.store(x * 2)

        @ttl.datamovement(kernel=r)
        def read():
            ttl.copy(a[:, :], first.reserve()).wait()
            call(boundary)
            ttl.copy(b[:, :], second.reserve()).wait()

        @ttl.datamovement(kernel=w)
        def write():
            ttl.copy(first_out.wait(), y[:, :]).wait()
            call(boundary)
            ttl.copy(second_out.wait(), z[:, :]).wait()

    return op


def run_reconfigured(shape, call, dtype, discard=False):
    from ttl import ttnn

    size = tuple(32 * extent for extent in shape)
    a, y = np.full(size, 3, np.float32), np.zeros(size, np.float32)
    b, z = ttnn.full(size, 5, dtype=getattr(ttnn, dtype)), ttnn.zeros(size, dtype=getattr(ttnn, dtype))
    reconfigured(shape, call, discard)(a, b, y, z)
    assert np.all(y == 4) and np.all(ttnn.to_numpy(z) == 10)


@pytest.mark.parametrize("discard", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_reconfigure(engine, discard):
    with ttl.options(engine=engine):
        run_reconfigured((1, 2), ttl.reconfigure_dfbs, "bfloat16", discard)


def test_the_limit_of_l1_counts_the_largest_phase():
    """Each phase takes 1 MiB. Without a boundary, `second` may fill while `first_out` is in use: 1.5 MiB."""
    with ttl.options(strict=True, arch="blackhole"):
        run_reconfigured((8, 8), ttl.reconfigure_dfbs, "float32")
        with pytest.raises(ttl.CompileError, match="take 1572864 bytes of L1 on each core"):
            run_reconfigured((8, 8), lambda boundary: None, "float32")


def stages(phases, call):
    """Returns an operation with twelve buffers in each of `phases` phases."""
    c, r, w = selectors()
    boundary = ttl.DFBReconfiguration(participants=(c, r, w))

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        buffers = [[ttl.make_dfb("fp32", (1, 1)) for _ in range(12)] for _ in range(phases)]

        @ttl.compute(kernel=c)
        def compute():
            for phase in buffers:
                for k in range(6):
                    with phase[k].wait() as x, phase[6 + k].reserve() as o:
                        o.store(x + k)
                call(boundary)

        @ttl.datamovement(kernel=r)
        def read():
            for phase in buffers:
                for k in range(6):
                    ttl.copy(a[k, 0], phase[k].reserve()).wait()
                call(boundary)

        @ttl.datamovement(kernel=w)
        def write():
            for i, phase in enumerate(buffers):
                for k in range(6):
                    ttl.copy(phase[6 + k].wait(), y[6 * i + k, 0]).wait()
                call(boundary)

    return op


@pytest.mark.parametrize("engine", ENGINES)
def test_phases_share_indices(engine):
    """Sixty buffers fit the chip, because all five phases use the same twelve circular buffer indices."""
    a, y = numbers(192), np.zeros((5 * 192, 32), np.float32)
    with ttl.options(engine=engine, strict=True, arch="blackhole"):
        stages(5, ttl.reconfigure_dfbs)(a, y)
    phase = a + np.repeat(np.arange(6, dtype=np.float32), 32)[:, None]
    assert np.array_equal(y, np.concatenate([phase] * 5))


def test_without_a_reconfiguration_there_are_too_few_indices():
    with ttl.options(strict=True, arch="blackhole"):
        error = error_of(stages(3, lambda boundary: None), numbers(192), numbers(3 * 192))
    assert error.message.startswith("'op' uses 36 circular buffers, but ")


# ===--------------------------------------------------------------------------=== #
# Errors when compiling
# ===--------------------------------------------------------------------------=== #


def error_of(op, *tensors):
    with pytest.raises(ttl.CompileError) as caught:
        op(*tensors)
    return caught.value


def unified(body):
    """Returns the error message of an operation whose unified body calls `body`."""
    d_and_more = numbers(64), np.zeros((64, 32), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[0, 0]).wait()
        body(d, e)

    return error_of(op, *d_and_more).message


ANY = ttl.DFBReset(participants=selectors())


@pytest.mark.parametrize("body, message", [
    (lambda d, e: ttl.reset_dfbs(ANY),
     "ttl.reset_dfbs() requires the dfbs keyword argument, the list of buffers that become empty: write "
     "dfbs=[buffer], or call ttl.reset_all_dfbs(reset)"),
    (lambda d, e: ttl.reset_dfbs(ANY, dfbs=[]),
     "ttl.reset_dfbs() dfbs must be a nonempty list of dataflow buffers, found an empty list"),
    (lambda d, e: ttl.reset_dfbs(ANY, dfbs=d),
     "ttl.reset_dfbs() dfbs must be a nonempty list of dataflow buffers, found a DataflowBuffer"),
    (lambda d, e: ttl.reset_dfbs(ANY, dfbs=[d, e, d]),
     "ttl.reset_dfbs() dfbs must be distinct, but 'd' is listed twice"),
    (lambda d, e: ttl.reset_dfbs(ANY, dfbs=[d, 3]),
     "ttl.reset_dfbs() dfbs element must be a DFB of this operation, found an int"),
    (lambda d, e: ttl.reset_dfbs(7, dfbs=[d]),
     "ttl.reset_dfbs() reset must be a DFBReset captured by the enclosing operation: write reset = "
     "ttl.DFBReset(participants=(compute, reader, writer)) in the function that defines the operation; found "
     "an int"),
    (lambda d, e: ttl.reset_all_dfbs(ANY, preserve=4),
     "ttl.reset_all_dfbs() preserve must be a list of dataflow buffers, found an int"),
    (lambda d, e: ttl.reset_all_dfbs(ANY, preserve=[d, d]),
     "ttl.reset_all_dfbs() preserve must be distinct, but 'd' is listed twice"),
    (lambda d, e: ttl.reconfigure_dfbs(ANY),
     "ttl.reconfigure_dfbs() boundary must be a DFBReconfiguration captured by the enclosing operation: write "
     "boundary = ttl.DFBReconfiguration(participants=(compute, reader, writer)) in the function that defines "
     "the operation; found a DFBReset"),
])
def test_wrong_arguments(body, message):
    assert unified(body) == message


@pytest.mark.parametrize("make, kind, message", [
    (lambda c, r, w: ttl.DFBReset(participants=[c, r, w]), TypeError,
     "DFBReset participants must be a nonempty tuple of kernel selectors, such as (compute, reader, writer); "
     "found ["),
    (lambda c, r, w: ttl.DFBReset(participants=()), TypeError,
     "DFBReset participants must be a nonempty tuple of kernel selectors, such as (compute, reader, writer); "
     "found ()"),
    (lambda c, r, w: ttl.DFBReset(participants=(c, r, 3)), TypeError,
     "DFBReset participants must contain only KernelKind or Kernel values, each of one kind; found 3"),
    (lambda c, r, w: ttl.DFBReset(participants=(c, r, r)), ValueError,
     "DFBReset participants must be distinct, found "),
    (lambda c, r, w: ttl.DFBReconfiguration(participants=(c, r)), ValueError,
     "DFBReconfiguration participants must contain one compute kernel and two data movement kernels, found "),
    (lambda c, r, w: ttl.DFBReconfiguration(participants=(c, r, w), discard_dfb_state=1), TypeError,
     "discard_dfb_state must be a bool, found 1"),
])
def test_wrong_boundaries(make, kind, message):
    with pytest.raises(kind) as caught:
        make(*selectors())
    assert str(caught.value).startswith(message)


def explicit(participants, chosen, body):
    """Returns an operation with a kernel function per selector in `chosen`; each calls body(name, reset, d)."""
    reset = ttl.DFBReset(participants=participants)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1))

        @ttl.compute(kernel=chosen[0])
        def compute():
            body("compute", reset, d)

        @ttl.datamovement(kernel=chosen[1])
        def read():
            ttl.copy(a[0, 0], d.reserve()).wait()
            body("read", reset, d)

        if len(chosen) > 2:

            @ttl.datamovement(kernel=chosen[2])
            def write():
                ttl.copy(d.wait(), y[0, 0]).wait()
                body("write", reset, d)

    return op


def all_reset(thread, reset, d):
    ttl.reset_dfbs(reset, dfbs=[d])


def message_of(*arguments):
    return error_of(explicit(*arguments), numbers(64), np.zeros((64, 32), np.float32)).message


def test_a_thread_that_is_no_participant():
    c, r, w = selectors()
    other = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)
    assert message_of((c, r, w), (c, r, other), all_reset) == (
        "DFBReset participant Kernel must be declared by the enclosing operation: "
        "ttl.Kernel(KernelKind.DATA_MOVEMENT) is the kernel= of no kernel function of op()"
    )

    def only_write(thread, reset, d):
        if thread == "write":
            ttl.reset_dfbs(reset, dfbs=[d])

    assert message_of((c, r, w), (c, r, ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)), only_write) == (
        "write() calls ttl.reset_dfbs(), but it is no participant of this DFBReset: name its selector in "
        "participants=, or leave the call out"
    )


def test_a_participant_that_does_not_exist():
    kinds = ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, ttl.PIPE_SOURCE_KERNEL
    assert message_of(kinds, (None, None), all_reset) == (
        "DFBReset has 2 data_movement participants, but op() has only 1 such kernel function: add the missing "
        "one, which may do nothing but call this"
    )


def test_kinds_name_the_canonical_threads():
    kinds = ttl.KernelKind.COMPUTE, ttl.KernelKind.DATA_MOVEMENT, ttl.PIPE_SOURCE_KERNEL
    a, y = numbers(64), np.zeros((64, 32), np.float32)
    explicit(kinds, (None, None, None), all_reset)(a, y)
    assert np.array_equal(y[:32], a[:32])


def test_a_participant_that_never_calls():
    c, r, w = selectors()

    def not_write(thread, reset, d):
        if thread != "write":
            ttl.reset_dfbs(reset, dfbs=[d])

    assert message_of((c, r, w), (c, r, w), not_write) == (
        "ttl.reset_dfbs() is never called by write(): all threads of a node meet at a reset, so each of them "
        "must call it"
    )


def test_reset_dataflow_buffers_in_a_kernel_function():
    c, r, w = selectors()

    def everything(thread, reset, d):
        ttl.reset_dataflow_buffers()

    assert message_of((c, r, w), (c, r, w), everything) == (
        "ttl.reset_dataflow_buffers() is a statement of an operation without kernel functions, but this is in "
        "kernel function 'compute': write reset = ttl.DFBReset(participants=(compute, reader, writer)) in the "
        "function that defines the operation, and call ttl.reset_all_dfbs(reset) in every kernel function"
    )


def test_other_counts():
    c, r, w = selectors()

    def one_or_two(thread, reset, d):
        for _ in range(2 if thread == "read" else 1):
            ttl.reset_dfbs(reset, dfbs=[d])

    assert message_of((c, r, w), (c, r, w), one_or_two) == (
        "ttl.reset_dfbs(): on node (0, 0) read() reaches 2 resets, but compute() only 1: all threads of a node "
        "must reach a reset equally often"
    )


def test_nested_loops():
    c, r, w = selectors()

    def nested(thread, reset, d):
        for _ in range(100):
            for _ in range(100):
                ttl.reset_dfbs(reset, dfbs=[d])

    assert message_of((c, r, w), (c, r, w), nested) == (
        "ttl.reset_dfbs() may be in one loop, not in nested loops: move it out of the inner loop"
    )


def test_a_condition_on_data():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        block = d.reserve()
        ttl.copy(a[0, 0], block).wait()
        if ttl.raw_element_read(block, 0, 0) > 1:
            ttl.reset_dataflow_buffers()
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[0, 0]).wait()

    assert error_of(op, numbers(32), numbers(32)).message == (
        "ttl.reset_dataflow_buffers() must execute a compile-time-known number of times on each launch node, but "
        "a condition that depends on data decides whether it runs: put it under conditions on the node's "
        "coordinates, or under none"
    )


def over_a_pipe(send, receive):
    """Returns the error of an operation on two nodes. Its thread move() calls `send` on node 0 and `receive`
    on node 1, with the reset, a pipe, a reserved block and two buffers."""
    c, r, w = selectors()
    reset = ttl.DFBReset(participants=(c, r, w))
    pipe = ttl.Pipe(src=(0, 0), dst=(1, 0))
    net = ttl.PipeNet([pipe])

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        _net = net

        @ttl.compute(kernel=c)
        def compute():
            ttl.reset_dfbs(reset, dfbs=[d, e])

        @ttl.datamovement(kernel=r)
        def read():
            ttl.reset_dfbs(reset, dfbs=[d, e])

        @ttl.datamovement(kernel=w)
        def move():
            if ttl.node(dims=2)[0] == 0:
                block = d.reserve()
                ttl.copy(a[0, 0], block).wait()
                send(reset, pipe, block, d, e)
            if ttl.node(dims=2)[0] == 1:
                block = e.reserve()
                receive(reset, pipe, block, d, e)

    return error_of(op, numbers(32), numbers(32))


def test_a_send_that_is_under_way():
    def send(reset, pipe, block, d, e):
        sent = ttl.copy(block, pipe)
        ttl.reset_dfbs(reset, dfbs=[d, e])
        sent.wait()

    def receive(reset, pipe, block, d, e):
        ttl.copy(pipe, block).wait()
        block.push()
        ttl.reset_dfbs(reset, dfbs=[d, e])

    error = over_a_pipe(send, receive)
    assert error.message.startswith("this resets 'd' while the send of block 'block' of 'd' in line ")
    assert error.message.endswith(" is under way: wait for it before the reset")


def test_a_receive_that_is_under_way():
    def send(reset, pipe, block, d, e):
        ttl.copy(block, pipe).wait()
        block.push()
        ttl.reset_dfbs(reset, dfbs=[d, e])

    def receive(reset, pipe, block, d, e):
        received = ttl.copy(pipe, block)
        ttl.reset_dfbs(reset, dfbs=[d, e])
        received.wait()

    error = over_a_pipe(send, receive)
    assert error.message.startswith("this resets 'e' while the receive into block 'block' of 'e' in line ")
    assert error.message.endswith(" is under way: wait for it before the reset")


def test_a_callback():
    c, r, w = selectors()
    net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(0, 0))])

    def in_callback(thread, reset, d):
        if thread == "read":
            net.if_src(lambda pipe: ttl.reset_dfbs(reset, dfbs=[d]))
        else:
            ttl.reset_dfbs(reset, dfbs=[d])

    assert message_of((c, r, w), (c, r, w), in_callback) == (
        "ttl.reset_dfbs() cannot be in a callback of pipes, which runs once per pipe: move it behind the callback"
    )


def test_a_while_loop():
    c, r, w = selectors()

    def in_while(thread, reset, d):
        i = 0
        while i < 3:
            ttl.reset_dfbs(reset, dfbs=[d])
            i += 1

    assert message_of((c, r, w), (c, r, w), in_while) == (
        "ttl.reset_dfbs() must execute a compile-time-known number of times on each launch node, but a condition "
        "or a break ends the loop around it: move it out of the loop"
    )


def test_wormhole_with_strict():
    with ttl.options(strict=True, arch="wormhole_b0"):
        error = error_of(phases(CALLS["reset_dfbs"]), numbers(96, 64), np.zeros((192, 64), np.float32))
    assert error.message == (
        "ttl.reset_dfbs(): tt-lang has resets on Blackhole only, and this kernel is for wormhole_b0: choose --arch "
        "blackhole, or leave --strict out"
    )


def test_a_variable_of_the_loop():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1))
        n = 0
        for i in range(4):
            ttl.copy(a[i, 0], d.reserve())
            ttl.copy(d.wait(), y[i, 0])
            n += i
            if n > 2:
                ttl.reset_dataflow_buffers()

    assert error_of(op, numbers(128), numbers(128)).message == (
        "ttl.reset_dataflow_buffers() must execute a compile-time-known number of times on each launch node, but "
        "a variable that the loop changes decides whether it runs: put it under conditions on the node's "
        "coordinates, or under none"
    )


def test_behind_a_break():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1))
        for i in range(4):
            ttl.copy(a[i, 0], d.reserve())
            ttl.copy(d.wait(), y[i, 0])
            if i == 2:
                break
            ttl.reset_dataflow_buffers()

    assert error_of(op, numbers(128), numbers(128)).message == (
        "ttl.reset_dataflow_buffers() must execute a compile-time-known number of times on each launch node, but "
        "a condition or a break ends the loop around it: move it out of the loop"
    )


def test_a_block_behind_the_reset():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], d.reserve()).wait()
        x = d.wait()
        e.reserve().store(x + 1)
        ttl.copy(e.wait(), y[0, 0]).wait()
        ttl.reset_dataflow_buffers()
        e.reserve().store(x + 2)
        ttl.copy(e.wait(), y[0, 0]).wait()

    error = error_of(op, numbers(32), numbers(32))
    reset = op.__wrapped__.__code__.co_firstlineno + 7 if hasattr(op, "__wrapped__") else None
    assert error.message.startswith("cannot read block 'x' of 'd': the reset in line ")
    assert error.message.endswith(" dropped it; acquire a block after the reset")
    assert reset is None or f"line {reset} " in error.message
    assert [str(note) for note in error.notes] == ["the block is acquired here", "the reset is here"]


def test_outside_of_an_operation():
    with pytest.raises(RuntimeError, match="ttl.reset_dfbs.. can only be called inside a kernel function"):
        ttl.reset_dfbs(ANY, dfbs=[])


# ===--------------------------------------------------------------------------=== #
# Faults at run time
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("engine", ENGINES)
def test_a_participant_that_never_arrives(engine):
    """The writer waits for a block that nobody pushes, so the others wait for the writer at the reset."""
    c, r, w = selectors()
    reset = ttl.DFBReset(participants=(c, r, w))

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d, e = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))

        @ttl.compute(kernel=c)
        def compute():
            ttl.reset_dfbs(reset, dfbs=[d])
            with e.reserve() as o:
                o.store(ttl.block.fill(1, shape=(1, 1)))

        @ttl.datamovement(kernel=r)
        def read():
            ttl.reset_dfbs(reset, dfbs=[d])

        @ttl.datamovement(kernel=w)
        def write():
            with e.wait() as block:
                ttl.copy(block, y[0, 0]).wait()
            ttl.reset_dfbs(reset, dfbs=[d])

    with ttl.options(engine=engine), pytest.raises(ttl.DeadlockError) as caught:
        op(numbers(32), numbers(32))
    notes = [str(note) for note in caught.value.notes]
    assert "compute() waits at this reset for write()" in notes
    assert "read() waits at this reset for write()" in notes
    assert "write() is blocked before it" in notes


@pytest.mark.parametrize("engine", ENGINES)
def test_a_block_that_a_reset_dropped_is_waited_for(engine):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        d = ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], d.reserve())
        ttl.reset_dataflow_buffers()
        ttl.copy(d.wait(), y[0, 0])

    with ttl.options(engine=engine), pytest.raises(ttl.DeadlockError) as caught:
        op(numbers(32), numbers(32))
    notes = [str(note) for note in caught.value.notes]
    assert "no thread has reserved 'd' since its last reset" in notes
    assert (
        "likely cause: the last reset of 'd' dropped all its blocks, since then reader() pushed 0 blocks and writer() "
        "popped 0 blocks: push and pop equally often between two resets"
    ) in notes
