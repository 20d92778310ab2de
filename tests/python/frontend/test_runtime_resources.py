# SPDX-License-Identifier: Apache-2.0
"""runtime_resource_factory: what launches give to C++ functions, and dispatcher=True."""
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
    """Runs an operation whose factory returns `resources`."""
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


def test_used_semaphores():
    with pytest.raises(ValueError, match="id -1 is used by the operation itself; the first free"):
        launch(semaphores((-1, RANGES)))


def test_the_factory_is_a_function():
    with pytest.raises(TypeError, match="runtime_resource_factory= must be a function, found int"):
        doubling(3)


# ===--------------------------------------------------------------------------===//
# dispatcher=True
# ===--------------------------------------------------------------------------===//


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
