# SPDX-License-Identifier: Apache-2.0
"""Where a script may load and call a module: in loops, functions and threads, but not in a kernel."""

import inspect
import threading

import numpy as np
import pytest
import ttl

TWICE = """
func.func @main(%a: tensor<40x70xf32>) -> tensor<40x70xf32> {
  %0 = "ttir.add"(%a, %a) : (tensor<40x70xf32>, tensor<40x70xf32>) -> tensor<40x70xf32>
  return %0 : tensor<40x70xf32>
}
"""
A = np.arange(40 * 70, dtype=np.float32).reshape(40, 70)


def twice():
    return ttl.load_mlir(TWICE).main


def test_loaded_and_called_in_loops():
    value = A
    for _ in range(3):
        value = twice()(value)
    main = twice()
    while value.max() < 64 * A.max():
        value = main(value)
    assert np.array_equal(value, 64 * A)


def test_called_in_functions():
    main = twice()

    def helper(value, depth):
        return helper(main(value), depth - 1) if depth else value

    assert np.array_equal(helper(A, 3), 8 * A)
    assert all(np.array_equal(each, 2 * A) for each in map(main, (A, A)))
    assert np.array_equal(next(main(each) for each in (A,)), 2 * A)


def test_functions_end_early():
    def first_above(limit):
        value, main = A, twice()
        for step in range(9):
            value = main(value)
            if value.max() > limit:
                return step, value
        raise AssertionError

    step, value = first_above(5 * A.max())
    assert step == 2 and np.array_equal(value, 8 * A)


@pytest.mark.parametrize("engine", ("jit", "interp", "emitted"))
@pytest.mark.parametrize("inside", (True, False), ids=("loaded inside", "loaded before"))
def test_called_in_a_block_of_options(engine, inside):
    main = None if inside else twice()
    with ttl.options(engine=engine):
        assert np.array_equal((main or twice())(A), 2 * A)


def test_the_chip_is_that_of_the_load():
    on_blackhole = ttl.load_mlir(TWICE, options="--arch=blackhole").main
    main = twice()
    assert np.array_equal(on_blackhole(A), 2 * A)
    with ttl.options(arch="blackhole"):
        assert np.array_equal(main(A), 2 * A) and np.array_equal(twice()(A), 2 * A)
    assert np.array_equal(main(A), 2 * A)


def test_called_in_threads():
    main, found = twice(), [None] * 3

    def work(number):
        found[number] = main(A + number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[number], 2 * (A + number)) for number in range(3))


def marked_line(function):
    lines, first = inspect.getsourcelines(function)
    return next(number for number, line in enumerate(lines, first) if "# HERE" in line)


CANNOT = ("main() of a module of ttir launches kernels, so a kernel function cannot call it: call it before or "
          "after this operation")


def check(op, test, words):
    with pytest.raises(ttl.CompileError) as caught:
        op(np.zeros((32, 32), np.float32))
    assert words in str(caught.value) and caught.value.line == marked_line(test)


def test_not_in_a_kernel_function():
    main = twice()

    @ttl.operation(grid=(1, 1))
    def op(y):
        @ttl.compute()
        def compute():
            main(A)  # HERE

    check(op, test_not_in_a_kernel_function, CANNOT)


def test_not_loaded_in_a_kernel_function():
    @ttl.operation(grid=(1, 1))
    def op(y):
        @ttl.compute()
        def compute():
            ttl.load_mlir(TWICE)  # HERE

    check(op, test_not_loaded_in_a_kernel_function, "load_mlir")


def test_not_in_a_unified_body():
    main = twice()

    @ttl.operation(grid=(1, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        main(A)  # HERE
        y_dfb.reserve().store(ttl.block.fill(1.0, shape=(1, 1)))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    check(op, test_not_in_a_unified_body, CANNOT)


def test_in_the_body_of_an_operation():
    main = twice()

    @ttl.operation(grid=(1, 1))
    def op(y):
        number = float(main(A)[0, 1])
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            y_dfb.reserve().store(ttl.block.fill(number, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    y = np.zeros((32, 32), np.float32)
    for _ in range(2):
        op(y)
    assert np.all(y == 2)
