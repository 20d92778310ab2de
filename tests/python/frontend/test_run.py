# SPDX-License-Identifier: Apache-2.0
"""Kernels that run: results as in Python, faults, and tensors as arguments."""
# feature: Run-time and compile-time values; assert and raise; Single elements

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
import ttl
import ttnn
from kernels import run


def tensor(rows=32, columns=32, value=0.0):
    return np.full((rows, columns), value, np.float32)


INTEGERS = [-7, -2, -1, 1, 2, 3, 7, 2**31 - 1, -(2**31)]


def fits(value):
    return -(2**31) <= value < 2**31


def test_integer_arithmetic_is_python_s():
    def body(zero, cases):
        for a, b, sum_, difference, product, quotient, remainder in cases:
            x = zero + a
            y = zero + b
            assert x // y == quotient and x % y == remainder
            if sum_ is not None:
                assert x + y == sum_
            if difference is not None:
                assert x - b == difference
            if product is not None:
                assert a * y == product
            assert (x < y) == (a < b) and (x >= y) == (a >= b) and (x != y) == (a != b)
            assert min(x, y) == min(a, b) and max(x, y, 0) == max(a, b, 0)
            assert x / y > a / b - 0.001 * abs(a / b) - 0.001

    cases = []
    for a, b in itertools.product(INTEGERS, INTEGERS):
        if fits(a // b):
            results = [a + b, a - b, a * b]
            checked = [r if fits(r) else None for r in results]
            cases.append((a, b, *checked, a // b, a % b))
    for grid in [(1, 1), (2, 1)]:
        for first in range(0, len(cases), 20):
            run(body, cases[first : first + 20], grid=grid)


def test_unary_and_conversions():
    def body(zero):
        x = zero - 3
        assert -x == 3 and abs(x) == 3 and +x == -3
        assert int(x / 2) == -1 and int(2.9) == 2
        assert float(x) == -3.0 and abs(float(x)) == 3.0
        assert x**2 == 9 and x**0 == 1
        assert bool(x) and not bool(zero)
        assert (x > 0) + (x < 0) == 1
        assert -4 < x <= -3 < 0

    run(body, grid=(2, 1))


@pytest.mark.parametrize("start, stop", [(0, 5), (3, 17), (5, 0), (-4, 4), (2, 2)])
def test_ranges(start, stop):
    def body(zero, step, expected, count):
        total = 0
        trips = 0
        for i in range(zero + start, stop, step):
            total += i
            trips += 1
        assert total == expected and trips == count
        total = 0
        for i in range(start, stop, step):
            total += i
        assert total == expected

    for step in (1, 2, 3, -1, -2, -5):
        values = range(start, stop, step)
        run(body, step, sum(values), len(values), grid=(2, 1))


def test_while_with_branches():
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    def body(zero, expected):
        assert collatz(zero + 27) == expected

    run(body, collatz(27), grid=(2, 1))


def sign(x):
    if x < 0:
        return -1
    if x == 0:
        return 0
    return 1


def test_functions_that_return_early():
    def body(zero):
        assert sign(zero - 5) == -1 and sign(zero) == 0 and sign(zero + 5) == 1
        low, high = (lambda a, b: (min(a, b), max(a, b)))(zero + 4, 2)
        assert low == 2 and high == 4

    run(body, grid=(2, 1))


def test_an_int_that_becomes_a_float_in_a_loop():
    def body(zero):
        x = 1
        for i in range(zero + 3):
            x = x * 0.5
        assert x == 0.125

    run(body, grid=(2, 1))


def test_node_coordinates():
    @ttl.operation(grid=(2, 3))
    def op(a):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            assert 0 <= x < 2 and 0 <= y < 3
            assert ttl.node(dims=1) == x * 3 + y
            x3, y3, z3 = ttl.node(dims=3)
            assert x3 == x and y3 == y and z3 == 0
            assert ttl.grid_size(dims=1) == 6

    op(tensor())


def fault_of(body, *arguments, **keywords):
    with pytest.raises(ttl.RuntimeFault) as caught:
        run(body, *arguments, **keywords)
    return caught.value


def test_assert_and_raise_carry_their_messages():
    def failing_assert(zero):
        assert zero == 1, f"zero is {zero}, not {1 + 1}"

    def failing_raise(zero):
        if zero == 0:
            raise ValueError("no")

    fault = fault_of(failing_assert, grid=(2, 1))
    assert "zero is 0, not 2" in fault.message
    assert (fault.file, fault.line) == (__file__, failing_assert.__code__.co_firstlineno + 1)
    assert fault.node == (0, 0) and fault.thread == "reader"
    assert "ValueError: no" in fault_of(failing_raise, grid=(2, 1)).message


@pytest.mark.parametrize("what", ["overflow", "product", "negation", "division", "remainder", "power", "index"])
def test_faults(what):
    """An operation that faults is reported at its line, also if no statement uses its result."""
    def overflow(zero):
        (zero + 2147483647) + 1

    def product(zero):
        unused = (zero + 65536) * 65536

    def negation(zero):
        unused = -(zero - 2147483647 - 1)

    def division(zero):
        1 // zero

    def remainder(zero):
        unused = 1 % zero

    def power(zero):
        (zero + 2) ** 31

    def index(zero):
        assert int((zero + 1.0) * 2.0**40) > 0

    fault = fault_of(locals()[what], grid=(2, 1))
    assert fault.line == locals()[what].__code__.co_firstlineno + 1


@ttl.operation(grid=(1, 1))
def double(a, y, fail):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for column in range(2):
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, column], blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(2):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + a_blk)

    @ttl.datamovement()
    def writer():
        for column in range(2):
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, column]).wait()
            assert column == 0 or not fail


def host(array):
    return array


def on_device(array):
    return ttnn.from_numpy(array, layout=ttnn.TILE_LAYOUT, device=ttnn.open_device(device_id=0))


@pytest.mark.parametrize("place", [host, ttnn.from_numpy, on_device])
@pytest.mark.parametrize("fail", [False, True])
def test_tensors_of_all_kinds_get_the_result(place, fail):
    a, y = place(tensor(32, 64, 3.0)), place(tensor(32, 64))
    if fail:
        with pytest.raises(ttl.RuntimeFault):
            double(a, y, fail)
    else:
        double(a, y, fail)
    result = y if isinstance(y, np.ndarray) else ttnn.to_numpy(y)
    np.testing.assert_array_equal(result, tensor(32, 64, 6.0))


def test_a_tensor_that_the_body_made():
    y = tensor(value=1.0)

    @ttl.operation(grid=(1, 1))
    def op(y):
        source = tensor(value=5.0)
        dfb = ttl.make_dataflow_buffer_like(source, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(source[0, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    op(y)
    np.testing.assert_array_equal(y, tensor(value=5.0))


def test_accumulation_in_stores_restarts_with_each_block():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(6):
                with a_dfb.reserve() as blk:
                    ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with y_dfb.reserve() as y_blk:
                    for _ in range(3):
                        with a_dfb.wait() as a_blk:
                            y_blk.store(a_blk, acc=True)

        @ttl.datamovement()
        def writer():
            for i in range(2):
                with y_dfb.wait() as blk:
                    ttl.copy(blk, y[0, i]).wait()

    y = tensor(32, 64)
    op(tensor(value=2.0), y)
    np.testing.assert_array_equal(y, tensor(32, 64, 6.0))


def test_adding_to_a_reserved_block_accumulates():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for _ in range(3):
                with a_dfb.reserve() as blk:
                    ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            y_blk = y_dfb.reserve()
            for _ in range(3):
                with a_dfb.wait() as a_blk:
                    y_blk += a_blk * 2
            y_blk.push()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    y = tensor(32, 32)
    op(tensor(32, 32, 2.0), y)
    np.testing.assert_array_equal(y, tensor(32, 32, 12.0))


ENDLESS = """
    import numpy as np, ttl

    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            while True:
                with dfb.reserve() as blk:
                    ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            while True:
                with dfb.wait() as blk:
                    pass

    a = np.zeros((32, 32), np.float32)
    op.ir(a)
    print("ready", flush=True)
    try:
        op(a)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


LARGE = """
    import numpy as np
    import ttl

    @ttl.operation(grid=(1, 1))
    def small(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, y_dfb.reserve() as z:
                z.store(-x)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    @ttl.operation(grid=(1, 1))
    def large(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x:
{stores}

        @ttl.datamovement()
        def writer():
            for _ in range({count}):
                with y_dfb.wait() as blk:
                    ttl.copy(blk, y[0, 0]).wait()

    @ttl.operation(grid=(4, 1))
    def many(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[ttl.node(dims=1), 0]).wait()

    a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    many(a, np.zeros((128, 32), np.float32))  # makes the host threads of the schedule
    print("ready", flush=True)
    try:
        large(a, y)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    small(a, y)  # while the other code is still generated
    print(y.sum(), flush=True)
"""


@pytest.mark.parametrize("schedule", ["fair", "parallel(2)"])
def test_ctrl_c_ends_code_generation(tmp_path, schedule):
    """Code generation for 1,500 stores takes seconds. Ctrl-C must end it at once."""
    line = " " * 16 + "with y_dfb.reserve() as z: z.store(ttl.math.exp(x) + {})"
    count = 1500
    stores = "\n".join(line.format(i) for i in range(count))
    script = tmp_path / "large.py"
    text = LARGE.replace("{stores}", stores).replace("{count}", str(count))
    script.write_text(textwrap.dedent(text))
    environment = {**os.environ, "TTL_ENGINE": "jit", "TTL_CACHE": "off",
                   "TTL_SCHEDULE": schedule}
    process = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE,
                               text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        threads = len(list(tasks.iterdir()))
        while process.poll() is None and len(list(tasks.iterdir())) == threads:
            time.sleep(0.01)  # until one more thread exists: it generates the code
        time.sleep(0.1)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - sent < 1  # 0.03 s on an idle machine; generating all code takes seconds
        output, _ = process.communicate(timeout=60)
        assert output == "-1024.0\n"
        assert process.returncode == 0
    finally:
        process.kill()


def test_ctrl_c_ends_a_kernel(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(textwrap.dedent(ENDLESS))
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        assert output == "interrupted\n"
    finally:
        process.kill()
