# SPDX-License-Identifier: Apache-2.0
"""runtime_resource_factory=: semaphores, arguments and macros for C++ functions; dispatcher=True."""
# feature: Runtime resources; Options of operations

import gc
import weakref

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")
COMPUTE = ttl.KernelKind.COMPUTE


def tile(number=0.0):
    return np.full((32, 32), number, np.float32)


def doubling(factory, unified=False):
    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, (1, 1))

        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + a_blk)

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node(dims=2)
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, x], blk).wait()

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node(dims=2)
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, x]).wait()

    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def unified_op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, (1, 1))
        x, _ = ttl.node(dims=2)
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, x], blk).wait()
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + a_blk)
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, x]).wait()

    return unified_op if unified else op


def launch(resources, **keywords):
    """Launches an operation whose runtime_resource_factory returns `resources`."""
    op = doubling(lambda *, tensors, core_ranges, first_free_semaphore_id: resources, **keywords)
    op(np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32))


def kernel(**fields):
    return ttl.ProgramRuntimeResources(
        kernel_resources=(ttl.KernelRuntimeResources(COMPUTE, **fields),))


@pytest.mark.parametrize("unified", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_factory_runs_at_every_launch(engine, unified):
    seen = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        seen.append((tensors, core_ranges, first_free_semaphore_id))
        return ttl.ProgramRuntimeResources()

    op = doubling(factory, unified)
    a, y = np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        for _ in range(3):
            op(a, y)
    assert (y == 2).all() and len(seen) == 3
    tensors, core_ranges, first_free = seen[-1]
    assert tensors[0] is a and tensors[1] is y and first_free == 0
    assert core_ranges.num_cores() == 2


def test_semaphores_of_the_operation_come_first():
    seen = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        seen.append(first_free_semaphore_id)
        return ttl.ProgramRuntimeResources()

    @ttl.operation(grid=(1, 1), runtime_resource_factory=factory)
    def op(y):
        semaphore = ttl.Semaphore(0)

        @ttl.compute()
        def compute():
            pass

        @ttl.datamovement()
        def reader():
            semaphore.set(1)

    op(tile())
    assert seen[0] >= 1


def test_lifetimes_are_kept_until_the_next_launch():
    class Owner:
        pass

    owners = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        owner = Owner()
        owners.append(weakref.ref(owner))
        return ttl.ProgramRuntimeResources(lifetimes=(owner,))

    op = doubling(factory)
    a, y = np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32)
    op(a, y)
    gc.collect()
    assert owners[0]() is not None
    op(a, y)
    gc.collect()
    assert owners[0]() is None and owners[1]() is not None


def test_all_records():
    own = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        semaphore = ttnn.SemaphoreDescriptor(first_free_semaphore_id, core_ranges=core_ranges,
                                             initial_value=0)
        args = (ttl.CoreRuntimeArgs(ttnn.CoreCoord(0, 0), (1, np.int32(2))),
                ttl.CoreRuntimeArgs(ttnn.CoreCoord(1, 0), ()))
        return ttl.ProgramRuntimeResources(
            semaphore_descriptors=(semaphore,),
            kernel_resources=(
                ttl.KernelRuntimeResources(kernel=own, runtime_args=args),
                ttl.KernelRuntimeResources(COMPUTE, defines=(ttl.KernelDefine("A", "1"),)),
            ),
            lifetimes=(semaphore,),
        )

    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def op(y):
        @ttl.datamovement(kernel=own)
        def reader():
            pass

    op(tile())
    with pytest.raises(Exception, match="cannot assign"):
        ttl.KernelDefine("A", "1").name = "B"


ARGS = ttl.CoreRuntimeArgs(ttnn.CoreCoord(0, 0), (1,))
RANGES = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
FAR = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(2, 0))])


def semaphores(*entries):
    return ttl.ProgramRuntimeResources(semaphore_descriptors=tuple(
        ttnn.SemaphoreDescriptor(number, core_ranges=ranges, initial_value=0)
        for number, ranges in entries))


@pytest.mark.parametrize(
    "resources, error, message",
    [
        (None, TypeError, "must return a ttl.ProgramRuntimeResources, found NoneType"),
        (ttl.ProgramRuntimeResources(lifetimes=[]), TypeError, "lifetimes must be a tuple"),
        (ttl.ProgramRuntimeResources(kernel_resources=(1,)), TypeError,
         "kernel_resources must have ttl.KernelRuntimeResources objects, found int"),
        (ttl.ProgramRuntimeResources(kernel_resources=(ttl.KernelRuntimeResources("x"),)),
         TypeError, "must be a ttl.KernelKind or a ttl.Kernel, found str"),
        (ttl.ProgramRuntimeResources(kernel_resources=(
            ttl.KernelRuntimeResources(COMPUTE | ttl.KernelKind.DATA_MOVEMENT),)),
         ValueError, "must be one kind"),
        (ttl.ProgramRuntimeResources(kernel_resources=(
            ttl.KernelRuntimeResources(ttl.Kernel(COMPUTE)),)),
         ValueError, "has no thread of this ttl.Kernel"),
        (ttl.ProgramRuntimeResources(kernel_resources=(
            ttl.KernelRuntimeResources(COMPUTE), ttl.KernelRuntimeResources(COMPUTE))),
         ValueError, "kernel_resources: kernel .* is there twice"),
        (kernel(runtime_args=(ARGS, ARGS)), ValueError, r"runtime_args: core \(0, 0\) is there twice"),
        (kernel(runtime_args=(ttl.CoreRuntimeArgs((5, 0), (1,)),)), ValueError,
         r"the core of ttl.CoreRuntimeArgs \(5, 0\) is not in the launch, which has 2 x 1 cores"),
        (kernel(runtime_args=(ttl.CoreRuntimeArgs(7, (1,)),)), TypeError, "must be a ttnn.CoreCoord"),
        (kernel(runtime_args=(ttl.CoreRuntimeArgs((0, 0), (True,)),)), TypeError,
         "values of ttl.CoreRuntimeArgs must be ints, found True"),
        (kernel(runtime_args=(ttl.CoreRuntimeArgs((0, 0), [1]),)), TypeError,
         "values of ttl.CoreRuntimeArgs must be a tuple, found list"),
        (kernel(runtime_args=(ttl.CoreRuntimeArgs((0, 0), (1 << 32,)),)), ValueError,
         "values of ttl.CoreRuntimeArgs must fit in 32 bits, found 4294967296"),
        (kernel(defines=(ttl.KernelDefine("2A", "1"),)), ValueError, "must be that of a C.. macro, found '2A'"),
        (kernel(defines=(ttl.KernelDefine("A", "1\n"),)), ValueError, "must be one line"),
        (kernel(defines=(ttl.KernelDefine("A", 1),)), TypeError, "must be strings, found 'A' and 1"),
        (kernel(defines=(ttl.KernelDefine("A", "1"), ttl.KernelDefine("A", "2"))), ValueError,
         "defines: name 'A' is there twice"),
        (semaphores((1, RANGES), (1, RANGES)), ValueError, "id 1 is there twice"),
        (semaphores((0, FAR)), ValueError, r"core \(2, 0\) is not in the launch"),
        (ttl.ProgramRuntimeResources(semaphore_descriptors=(3,)), TypeError,
         "must have ttnn.SemaphoreDescriptor objects, found int"),
        (ttl.ProgramRuntimeResources(fabric_bindings=(3,)), ValueError, "has no fabric managers"),
    ],
)
def test_mistakes(resources, error, message):
    with pytest.raises(error, match=message):
        launch(resources)


# ===--------------------------------------------------------------------------=== #
# C++ functions that use the resources
# ===--------------------------------------------------------------------------=== #

HEADER = "external/functions.hpp"


def filled(factory, callee, *arguments):
    """Returns an operation on two nodes, whose compute thread fills a tile of y by C++ function `callee`."""

    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def op(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))

        @ttl.compute()
        def compute():
            ttl.call_extern_func(HEADER, callee, func_args=[out, *arguments])

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node(dims=2)
            with out.wait() as block:
                ttl.copy(block, y[0, x]).wait()

    return op


@pytest.mark.parametrize("engine", ENGINES)
def test_arguments_of_each_launch(engine):
    numbers = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        return kernel(runtime_args=tuple(ttl.CoreRuntimeArgs(ttnn.CoreCoord(x, 0), (0, number))
                                         for x, number in enumerate(numbers)))

    op, y = filled(factory, "fill_argument", 1), np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        for numbers[:] in ([3, 4], [5, 1 << 31]):
            op(y)
            assert y[0, 0] == numbers[0] and y[0, 32] == numbers[1]
        numbers[:] = [3]
        with pytest.raises(ttl.RuntimeFault, match="there is no argument 1; this node has 0"):
            op(y)


@pytest.mark.parametrize("engine", ENGINES)
def test_macros(engine):
    """The header tests for macro SCALE. A launch with other macros compiles the kernel again."""
    values = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        return kernel(defines=tuple(ttl.KernelDefine("SCALE", value) for value in values))

    op, y = filled(factory, "fill_scale"), np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        for values[:] in (["2.5f"], ["2.5f"], ["(3 * 2)"]):
            op(y)
            assert np.all(y == eval(values[0].replace("f", "")))
        values[:] = []
        with pytest.raises(ttl.CompileError, match="undeclared identifier 'fill_scale'"):
            op(y)
        values[:] = ["1"]
        op(y)
    assert np.all(y == 1)


@pytest.mark.parametrize("unified", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_semaphores_and_arguments_of_a_thread(engine, unified):
    """The factory gives one thread a semaphore and arguments. The kernel's pipe has semaphores of its own."""
    own = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)
    initial = []

    def factory(*, tensors, core_ranges, first_free_semaphore_id):
        semaphore = ttnn.SemaphoreDescriptor(first_free_semaphore_id, core_ranges=core_ranges,
                                             initial_value=initial[0])
        return ttl.ProgramRuntimeResources((semaphore,), (ttl.KernelRuntimeResources(
            own, tuple(ttl.CoreRuntimeArgs(ttnn.CoreCoord(x, 0), (first_free_semaphore_id, 100 * x))
                       for x in range(2))),))

    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def explicit(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))
        net = ttl.PipeNet([ttl.Pipe(src=(1, 0), dst=(0, 0))])

        @ttl.compute()
        def compute():
            x, _ = ttl.node(dims=2)
            if x == 1:
                with out.reserve() as block:
                    block.store(ttl.math.fill(1.0, shape=(1, 1)))

        @ttl.datamovement(kernel=own)
        def mover():
            x, _ = ttl.node(dims=2)
            if x == 0:
                ttl.call_extern_func(HEADER, "signal")
            if x == 1:
                value = ttl.call_extern_func(HEADER, "await_signal", result_type=ttl.ScalarType.I32)
                assert value == initial[0] + 105
                with out.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            net.if_dst(lambda pipe: ttl.copy(pipe, out.reserve()).wait())

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node(dims=2)
            if x == 0:
                with out.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    @ttl.operation(grid=(2, 1), runtime_resource_factory=factory)
    def whole(y):
        out = ttl.make_dataflow_buffer_like(y, (1, 1))
        x, _ = ttl.node(dims=2)
        if x == 0:
            ttl.call_extern_func(HEADER, "signal", kernel=own)
        if x == 1:
            ttl.call_extern_func(HEADER, "await_signal", result_type=ttl.ScalarType.I32, kernel=own)
        out.reserve().store(ttl.math.fill(1.0, shape=(1, 1)))
        ttl.copy(out.wait(), y[0, x]).wait()

    y = np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        for initial[:] in ([2], [40]):
            (whole if unified else explicit)(y)
            assert y[0, 0] == 1


def test_a_thread_that_only_the_compiler_knows():
    resources = ttl.ProgramRuntimeResources(kernel_resources=(
        ttl.KernelRuntimeResources(ttl.PIPE_SOURCE_KERNEL, (ARGS,)),))
    with pytest.raises(ValueError, match="name the thread by a ttl.Kernel"):
        launch(resources)


def test_used_semaphores():
    with pytest.raises(ValueError, match="id -1 is used by the operation itself; the first free"):
        launch(semaphores((-1, RANGES)))


def test_the_factory_is_a_function():
    with pytest.raises(TypeError, match="runtime_resource_factory= must be a function, found int"):
        doubling(3)


# ===--------------------------------------------------------------------------=== #
# Operations with dispatcher=True
# ===--------------------------------------------------------------------------=== #


def test_a_dispatcher_cannot_be_called():
    @ttl.operation(dispatcher=True)
    def op(a):
        pass

    with pytest.raises(ValueError, match=r"operation op\(\) has dispatcher=True, so it is control-only"):
        op(tile())
    with pytest.raises(ValueError, match="dispatcher must be True or False, found 1"):
        ttl.operation(dispatcher=1)(lambda a: None)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("twice", [False, True])
def test_a_dispatcher_in_the_body_of_an_operation(engine, twice):
    @ttl.operation()
    def add(a_dfb: ttl.DFB, y_dfb: ttl.DFB):
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + 1)

    @ttl.operation()
    def double(a_dfb: ttl.DFB, y_dfb: ttl.DFB):
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk * 2)

    @ttl.operation(dispatcher=True)
    def choose(a_dfb: ttl.DFB, y_dfb: ttl.DFB):
        if twice:
            double(a_dfb, y_dfb)
        else:
            add(a_dfb, y_dfb)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, (1, 1))
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()
        choose(a_dfb, y_dfb)
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, 0]).wait()

    a, y = tile(5.0), tile()
    with ttl.options(engine=engine):
        op(a, y)
    assert (y == (10 if twice else 6)).all()
