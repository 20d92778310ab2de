# SPDX-License-Identifier: Apache-2.0
"""ttl.KernelKind and ttl.Kernel: values that select a thread of an operation."""
# feature: Kernel selectors

import re

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")


def tile(number=0.0):
    return np.full((32, 32), number, np.float32)


def threads_of(text):
    """Returns {thread name: its IR}. `text` is the IR of an operation whose unified body was split."""
    return dict(re.findall(r'ttl\.\w+_thread "(\w+)"[^{]*\{(.*?)\n  \}', text, re.DOTALL))


@pytest.mark.parametrize("engine", ENGINES)
def test_decorators(engine):
    def factory():
        mover = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

        @ttl.operation(grid=(1, 1))
        def op(a, y):
            a_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))
            y_dfb = ttl.make_dataflow_buffer_like(a, (1, 1))

            @ttl.compute(kernel=ttl.KernelKind.COMPUTE)
            def compute():
                y_dfb.reserve().store(a_dfb.wait() + 1)

            @ttl.datamovement(kernel=ttl.KernelKind.DATA_MOVEMENT)
            def reader():
                ttl.copy(a[0, 0], a_dfb.reserve()).wait()

            @ttl.datamovement(kernel=mover)
            def writer():
                ttl.copy(y_dfb.wait(), y[0, 0]).wait()

        return op

    y = tile()
    with ttl.options(engine=engine):
        op = factory()
        op(tile(1), y)
        op(tile(1), y)
        factory()(tile(1), y)
    assert np.all(y == 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("selector", [ttl.KernelKind.DATA_MOVEMENT, ttl.PIPE_SOURCE_KERNEL])
def test_a_block_that_only_its_release_names(engine, selector):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        unused = a_dfb.wait()
        unused.pop(kernel=selector)
        y_dfb.reserve().store(ttl.block.fill(3, shape=(1, 1)))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    y = tile()
    with ttl.options(engine=engine):
        op(tile(1), y)
    assert np.all(y == 3)


def pops(selector):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        a_dfb.wait().pop(kernel=selector)
        y_dfb.reserve().store(ttl.block.fill(3, shape=(1, 1)))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    return op


def test_the_compute_thread_is_named():
    y = tile()
    pops(ttl.KernelKind.COMPUTE)(tile(1), y)
    assert np.all(y == 3)


def test_ignored_in_explicit_threads():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dfb("fp32", (1, 1))

        @ttl.datamovement()
        def reader():
            block = a_dfb.reserve()
            ttl.copy(a[0, 0], block).wait()
            block.push(kernel=ttl.KernelKind.COMPUTE)

        @ttl.datamovement()
        def writer():
            block = a_dfb.wait()
            ttl.copy(block, y[0, 0]).wait()
            block.pop()

    y = tile()
    op(tile(4), y)
    assert np.all(y == 4)


@pytest.mark.parametrize("selector, message", [
    (3, "kernel= must be a ttl.KernelKind, .* found an object of type int"),
    (None, "kernel= must be a ttl.KernelKind, .* found None"),
    (ttl.KernelKind.COMPUTE | ttl.KernelKind.DATA_MOVEMENT, "must name one thread, found 2"),
    ((ttl.KernelKind.COMPUTE, ttl.KernelKind.COMPUTE), "found one of them twice"),
])
def test_selectors_that_are_none(selector, message):
    with pytest.raises(ttl.CompileError, match=message) as caught:
        pops(selector)(tile(), tile())
    assert caught.value.file == __file__


def test_too_many_threads():
    one, two = (ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT) for _ in range(2))

    @ttl.operation(grid=(1, 1))
    def op(a):
        dfbs = [ttl.make_dfb("fp32", (1, 1)) for _ in range(3)]
        for i, selector in enumerate((ttl.KernelKind.DATA_MOVEMENT, one, two)):
            ttl.copy(a[0, 0], dfbs[i].reserve()).wait()
            dfbs[i].wait().pop(kernel=selector)

    message = "operation requires 3 data_movement kernels, but the target supports 2"
    with pytest.raises(ttl.CompileError, match=message):
        op(tile())


def test_a_conflict_with_the_uses_of_the_block():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        block = a_dfb.wait()
        y_dfb.reserve().store(block + 1)
        block.pop(kernel=ttl.KernelKind.DATA_MOVEMENT)
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    with pytest.raises(ttl.CompileError, match="kernel= gives .* but the compute thread uses it"):
        op(tile(), tile())


@pytest.mark.parametrize("name, call", [
    ("wait", lambda dfb: dfb.wait(kernel=ttl.KernelKind.COMPUTE)),
    ("reserve", lambda dfb: dfb.reserve(kernel=ttl.KernelKind.COMPUTE)),
    ("push", lambda dfb: dfb.push(kernel=ttl.KernelKind.COMPUTE)),
])
def test_buffers_take_no_selector(name, call):
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dfb("fp32", (1, 1))

        @ttl.datamovement()
        def reader():
            call(a_dfb)

    with pytest.raises(ttl.CompileError, match=f"{name}\\(\\) takes no kernel="):
        op(tile())


def decorating(kernel, twice=False, kind="datamovement"):
    @ttl.operation(grid=(1, 1))
    def op(a):
        @getattr(ttl, kind)(kernel=kernel)
        def first():
            pass

        if twice:

            @ttl.datamovement(kernel=kernel)
            def second():
                pass

    return op


def test_two_threads_with_one_selector():
    for kernel in (ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT), ttl.KernelKind.DATA_MOVEMENT):
        with pytest.raises(ttl.CompileError, match=r"first\(\) and second\(\) have one selector"):
            decorating(kernel, twice=True)(tile())


def test_the_kinds_must_agree():
    kernel = ttl.Kernel(ttl.KernelKind.COMPUTE)
    with pytest.raises(ttl.CompileError, match="can only decorate a kernel of kind"):
        decorating(kernel)(tile())


def test_one_kernel_in_two_operations():
    kernel = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

    @ttl.operation(grid=(1, 1))
    def other(a):
        @ttl.datamovement(kernel=kernel)
        def third():
            pass

    decorating(kernel)(tile())
    with pytest.raises(ttl.CompileError, match=r"already bound as '\w+' of operation op\(\)"):
        other(tile())


def test_two_names_of_one_kernel():
    @ttl.operation(grid=(1, 1))
    def op(a):
        one = two = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

        @ttl.datamovement(kernel=one)
        def first():
            assert two is not None

    with pytest.raises(ttl.CompileError, match="multiple names, one and two"):
        op(tile())


def test_a_kernel_in_the_body_and_by_name():
    @ttl.operation(grid=(1, 1))
    def op(a):
        mover = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

        @ttl.datamovement(kernel=mover)
        def first():
            pass

        @ttl.datamovement(kernel=ttl.Kernel("second"))
        def other():
            pass

    text = op.ir(tile())
    assert 'thread "first"' in text and 'thread "second"' in text


@pytest.mark.parametrize("kind, error, message", [
    (3, TypeError, "Kernel kind must be a KernelKind"),
    (None, TypeError, "Kernel kind must be a KernelKind"),
    ("not a name", ValueError, "must be an identifier"),
    (ttl.KernelKind.COMPUTE | ttl.KernelKind.DATA_MOVEMENT, ValueError, "must have one kind"),
])
def test_kinds_that_are_none(kind, error, message):
    with pytest.raises(error, match=message):
        ttl.Kernel(kind)
