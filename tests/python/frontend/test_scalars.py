# SPDX-License-Identifier: Apache-2.0
"""Numbers as arguments of operations: run-time values, so calls with other numbers compile nothing."""
# feature: Arguments

import json
import math
import subprocess
import sys

import numpy as np
import pytest
import ttl
from running import BUILD
from ttl import _operation, _scalars

VALUES = (0.1, 3.0, -2.5, 1.0, 0.0, -0.0, 1 / 3, 1e30)
X = np.random.default_rng(0).uniform(-4, 4, (32, 64)).astype(np.float32)
ENGINES = ("jit", "interp", "interp --stage=ttl", "interp --stage=loops", "emitted",
           "emitted --emit-path=direct")

KERNEL = '''import ttl


@ttl.operation(grid=(2, 1))
def f(x, y, {parameters}):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with x_dfb.wait() as b, y_dfb.reserve() as out:
            {statement}

    @ttl.datamovement()
    def read():
        column, _ = ttl.node(dims=2)
        with x_dfb.reserve() as block:
            ttl.copy(x[0, column], block).wait()

    @ttl.datamovement()
    def write():
        column, _ = ttl.node(dims=2)
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, column]).wait()
'''
UNIFIED = '''import ttl


@ttl.operation(grid=(2, 1))
def f(x, y, {parameters}):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    column, _ = ttl.node(dims=2)
    with x_dfb.reserve() as block:
        ttl.copy(x[0, column], block).wait()
    with x_dfb.wait() as b, y_dfb.reserve() as out:
        {statement}
    with y_dfb.wait() as block:
        ttl.copy(block, y[0, column]).wait()
'''


@pytest.fixture
def make(tmp_path):
    """Returns a function that makes an operation from a statement of its compute thread."""

    def make(statement, parameters="s", text=KERNEL):
        path = tmp_path / f"kernel{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text.format(statement=statement, parameters=parameters))
        scope = {"__name__": path.stem, "__file__": str(path)}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        return scope["f"]

    return make


def outputs(f, values, **keywords):
    results = []
    for value in values:
        y = np.full_like(X, 7)
        f(X, y, *(value if isinstance(value, tuple) else (value,)), **keywords)
        results.append(y.tobytes())
    return results


def compiled(run):
    """Calls run(). Returns how many programs it compiled."""
    before = _operation.cache_info().misses
    run()
    return _operation.cache_info().misses - before


OPERANDS = (
    "b * s", "b + s", "b - s", "s - b", "b / s", "s / b", "b * s + s", "b > s",
    "ttl.math.exp(b * s)", "ttl.math.max(b, s)", "ttl.math.where(b > s, b, s)",
    "ttl.math.fill(s, shape=(1, 1)) * b",
)
CONSTANTS = ("b * (s * 2.0)", "b ** s", "b * s if s > 0 else b", "b * int(s)", "b * min(s, 1.0)")


@pytest.mark.parametrize("text", (KERNEL, UNIFIED), ids=("threads", "unified"))
@pytest.mark.parametrize("expression", OPERANDS)
def test_operands_of_block_arithmetic_are_run_time_arguments(make, expression, text):
    f = make(f"out.store({expression})", text=text)
    fixed = make(f"out.store({expression})", "s: ttl.constexpr", text=text)
    found = []
    assert compiled(lambda: found.extend(outputs(f, VALUES))) == 1
    assert compiled(lambda: found.extend(outputs(fixed, VALUES))) >= len(VALUES) - 1
    assert found[: len(VALUES)] == found[len(VALUES) :]


@pytest.mark.counts_compiles
@pytest.mark.parametrize("text", (KERNEL, UNIFIED), ids=("threads", "unified"))
@pytest.mark.parametrize("expression", CONSTANTS)
def test_other_uses_are_constants(make, expression, text):
    f = make(f"out.store({expression})", text=text)
    fixed = make(f"out.store({expression})", "s: ttl.constexpr", text=text)
    values = (0.5, 3.0, 2.0)
    assert outputs(f, values) == outputs(fixed, values)
    assert _scalars._constant[f.function.__code__] == {"s"}


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("numerics", ("host", "device"))
def test_engines_agree(make, engine, numerics):
    statement = "out.store(ttl.math.exp(b * s) - t)"
    values = [(0.25, 1.5), (-1.0, 0.1), (0.25, 0.1)]
    if numerics == "device" and "ttl" in engine:
        pytest.skip("--numerics=device needs a later stage")
    options = f"--numerics={numerics} --engine={engine}"
    found = outputs(make(statement, "s, t"), values, options=options)
    wanted = outputs(make(statement, "s: ttl.constexpr, t: ttl.constexpr"), values,
                     options=f"--numerics={numerics} --engine=jit")
    assert found == wanted


def test_a_hundred_values_are_one_program(make):
    f = make("out.store(b * s)")
    values = [number / 8 for number in range(100)]
    found = []
    assert compiled(lambda: found.extend(outputs(f, values))) == 1
    assert found == [(X * np.float32(value)).tobytes() for value in values]


@pytest.mark.counts_compiles
@pytest.mark.parametrize("engine", ("jit", "emitted"))
def test_other_values_leave_out_the_body(make, engine, monkeypatch):
    f = make("out.store(b * s)")
    with ttl.options(engine=engine):
        outputs(f, (0.5,))
        monkeypatch.setattr(_operation.Operation, "_run_body", None)
        assert outputs(f, (1.5, 2.5)) == [(X * np.float32(v)).tobytes() for v in (1.5, 2.5)]


def test_defaults_are_arguments_too(make):
    f = make("out.store(b * s)", "s=2.0")
    y, z = np.zeros_like(X), np.zeros_like(X)
    for factor in (2.0, 3.0, 2.0):
        f(X, y)
        f(X, z, s=factor)
        assert (y == X * 2).all() and (z == X * np.float32(factor)).all()


def test_integers_are_run_time_arguments_from_the_first_call_on(make):
    f = make("out.store(b * s)")
    assert compiled(lambda: outputs(f, (2, 2, 3))) == 1
    found = []
    assert compiled(lambda: found.extend(outputs(f, (4, -5, 2, 2**31 - 1)))) <= 1, "one program for large integers"
    assert found == [(X * np.float32(value)).tobytes() for value in (4, -5, 2, 2**31 - 1)]
    assert outputs(f, (2**40,)) == [(X * np.float32(2**40)).tobytes()]


def test_extents_of_loops(make):
    f = make("total = b * s\n            for _ in range(n): total = total + b\n"
             "            out.store(total)", "n, s")
    def run():
        for n, s in ((1, 2.0), (2, 2.0), (3, 0.5), (2, 0.5), (0, 1.0), (-1, 1.0), (40, 1.0)):
            y = np.zeros_like(X)
            f(X, y, n, s)
            wanted = X * np.float32(s)
            for _ in range(n):
                wanted = wanted + X
            assert (y == wanted).all()

    assert compiled(run) == 1


# Statements in which n can stay a run-time integer. DIFFERENT has the values of n in successive calls:
# one program must serve all of them.
INTEGERS = {
    "bound": "total = b\nfor _ in range(n): total = total + b\nout.store(total)",
    "lower bound": "total = b\nfor i in range(n, 8): total = total + b * i\nout.store(total)",
    "downward": "total = b\nfor i in range(n, -1, -1): total = total + b * i\nout.store(total)",
    "sum": "total = b\nfor i in range(2 * n + 1): total = total + b * (i - n)\nout.store(total)",
    "with the counter": "total = b\nfor i in range(4): total = total + b * (i * n)\nout.store(total)",
    "nested": "total = b\nfor i in range(n):\n    for j in range(i, n): total = total + b * j\n"
              "out.store(total)",
    "branch": "if n > 2: out.store(b)\nelse: out.store(b * 2)",
    "conditional": "out.store(b if n == 3 else b * 4)",
    "while": "total, k = b, n\nwhile k > 0:\n    total, k = total + b, k - 1\nout.store(total)",
    "early end": "total = b\nfor i in range(8):\n    if i == n: break\n    total = total + b\n"
                 "out.store(total)",
    "quotient": "total = b\nfor _ in range(n // 2): total = total + b\nout.store(total)",
    "remainder": "total = b\nfor i in range(4): total = total + b * (i if n % 3 == 1 else i * 2)\n"
                 "out.store(total)",
    "absolute": "total = b\nfor _ in range(abs(2 - n)): total = total + b\nout.store(total)",
    "min": "total = b\nfor _ in range(min(n, 3)): total = total + b\nout.store(total)",
    "max": "total = b\nfor _ in range(max(n, 3)): total = total + b\nout.store(total)",
}
DIFFERENT = (5, 2, 3, 0, 1, 7, 3)


def indented(statements, text=KERNEL):
    """Returns statements with the indentation that they need in `text`."""
    return statements.replace("\n", "\n" + " " * (12 if text is KERNEL else 8))


@pytest.mark.not_emitted("test_engines_agree_on_integers() runs these kernels")
@pytest.mark.parametrize("text", (KERNEL, UNIFIED), ids=("threads", "unified"))
@pytest.mark.parametrize("statement", INTEGERS)
def test_integers_that_need_no_constant(make, statement, text):
    body = indented(INTEGERS[statement], text)
    f, fixed = make(body, "n", text=text), make(body, "n: ttl.constexpr", text=text)
    found = []
    assert compiled(lambda: found.extend(outputs(f, DIFFERENT))) == 1
    assert found == outputs(fixed, DIFFERENT)


@pytest.mark.parametrize("value", (3, 3.5))
def test_a_hundred_values_are_one_compilation(make, value):
    f = make("total = b\n            for _ in range(int_part): total = total + b * s\n            out.store(total)",
             "int_part, s")
    values = [(int(value) + k, value + k) for k in range(100)]
    found = []

    def run():
        for number, factor in values:
            y = np.zeros_like(X)
            f(X, y, number, factor)
            found.append(y[0, 1])

    assert compiled(run) == 1
    total = [np.float32(X[0, 1])] * 100
    for k, (number, factor) in enumerate(values):
        for _ in range(number):
            total[k] += X[0, 1] * np.float32(factor)
    assert found == total


def test_a_warning_that_a_constant_gives_too(make):
    """The first kernel is compiled with a constant to compare the numbers of warnings; the others are not."""
    text = KERNEL.replace("ttl.copy(x[0, column], block).wait()", "ttl.copy(x[0, column], block)")
    body = indented(INTEGERS["bound"])
    f, fixed = make(body, "n", text=text), make(body, "n: ttl.constexpr")
    found = []

    def run():
        with pytest.warns(ttl.TransferWarning):
            found.extend(outputs(f, DIFFERENT))

    assert compiled(run) <= 3
    assert found == outputs(fixed, DIFFERENT)
    assert compiled(lambda: outputs(f, (4, 6, 9))) == 0


CONSTANT_INTEGERS = {
    "division": "out.store(b * (n / 2))",
    "power": "out.store(b ** n)",
    "large": "total = b\nfor _ in range(n * 100000 // 100000): total = total + b\nout.store(total)",
    "division by zero": "out.store(b if n == 0 else b * (12 // n))",
    "product": "out.store(b * (n * 100000))",
    "step": "total = b\nfor i in range(0, 8, n + 1): total = total + b\nout.store(total)",
    "two numbers": "total = b\nfor i in range(n * n): total = total + b\nout.store(total)",
}


@pytest.mark.counts_compiles
@pytest.mark.not_emitted("emitted C++ would be compiled for each of many programs")
@pytest.mark.parametrize("statement", CONSTANT_INTEGERS)
def test_integers_that_are_constants(make, statement):
    body = indented(CONSTANT_INTEGERS[statement])
    f, fixed = make(body, "n"), make(body, "n: ttl.constexpr")
    assert outputs(f, DIFFERENT) == outputs(fixed, DIFFERENT)
    assert _scalars._constant[f.function.__code__] == {"n"}


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.parametrize("engine", ENGINES[:5])
@pytest.mark.parametrize("statement", INTEGERS)
def test_engines_agree_on_integers(make, engine, statement):
    body = indented(INTEGERS[statement])
    wanted = outputs(make(body, "n: ttl.constexpr"), DIFFERENT[:4])
    assert outputs(make(body, "n"), DIFFERENT[:4], options=f"--engine={engine}") == wanted


def test_large_integers_do_not_run_programs_of_small_ones(make):
    """For a large n, n + 7 may not fit in 32 bits: the program for small n must not run with it."""
    f, fixed = make("out.store(b * (n + 7))", "n"), make("out.store(b * (n + 7))", "n: ttl.constexpr")
    values = (1, 2, 3, 2**31 - 1, 2**31 - 2, 4, -(2**31), 32768, 32769, 5)
    assert outputs(f, values) == outputs(fixed, values)


MOVED = """import ttl


@ttl.operation(grid=(2, 1))
def f(x, y, n):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.compute()
    def compute():
        pass

    @ttl.datamovement()
    def read():
        column, _ = ttl.node(dims=2)
        for step in range(2):
            with dfb.reserve() as block:
                ttl.copy(x[{index}, column], block).wait()

    @ttl.datamovement()
    def write():
        column, _ = ttl.node(dims=2)
        for step in range(2):
            with dfb.wait() as block:
                ttl.copy(block, y[step, column]).wait()
"""


@pytest.mark.not_emitted("these calls choose engines and stages")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("index", ("n", "n + step", "n - 1", "step * n", "min(n, 2)"))
def test_indices(make, index, engine):
    f = make("", text=MOVED.replace("{index}", index))
    x = np.arange(256 * 64, dtype=np.float32).reshape(256, 64)

    def run():
        for n in (1, 2, 3, 4, 1):
            y = np.zeros((64, 64), np.float32)
            f(x, y, n, options=f"--engine={engine}")
            rows = [eval(index, {"n": n, "step": step, "min": min}) for step in range(2)]
            assert y.tobytes() == b"".join(x[32 * row : 32 * row + 32].tobytes() for row in rows)

    assert compiled(run) == 1


@pytest.mark.not_emitted("no C++ is emitted for an index out of range")
def test_an_index_that_is_out_of_range(make):
    f = make("", text=MOVED.replace("{index}", "n"))
    x, y = np.zeros((256, 64), np.float32), np.zeros((64, 64), np.float32)
    messages = []
    for n in (8, 0, 1, 8):
        try:
            f(x, y, n)
        except ttl.OutOfBoundsError as error:
            messages.append(str(error))
    assert len(messages) == 2 and messages[0] == messages[1]
    assert "index 8 is out of range in dimension 0 of tensor 'x'" in messages[0]


def test_blocks_of_integers(make):
    f = make("out.store(b + s)")
    x = np.arange(32 * 64, dtype=np.int32).reshape(32, 64)
    for value in (1, 2, -3, 2**31 - 1, -(2**31)):
        y = np.zeros_like(x)
        f(x, y, value)
        assert (y == (x.astype(np.int64) + value).astype(np.int32)).all()


@pytest.mark.parametrize("value", (math.inf, -math.inf, math.nan, 1e300))
def test_values_without_a_float32(make, value):
    f, fixed = make("out.store(b * s)"), make("out.store(b * s)", "s: ttl.constexpr")
    outputs(f, (1.0,))
    try:
        wanted = outputs(fixed, (value,))
    except ttl.CompileError as error:
        with pytest.raises(ttl.CompileError) as found:
            outputs(f, (value,))
        assert str(found.value).splitlines()[0] == str(error).splitlines()[0]
    else:
        assert outputs(f, (value,)) == wanted


def test_annotations_decide(make):
    assert compiled(lambda: outputs(make("out.store(b * s)", "s: ttl.constexpr"), (1.5, 2.5))) == 2
    assert compiled(lambda: outputs(make("out.store(b * s)", "s: 'ttl.constexpr'"), (1.5, 2.5))) == 2
    f = make("out.store(b * (s * 2.0))", "s: ttl.runtime")
    assert compiled(lambda: outputs(f, (1.5, 2.5))) == 1
    f = make("out.store(b * s)", "s: ttl.runtime")
    assert compiled(lambda: outputs(f, (1, 2, 3))) == 1


@pytest.mark.counts_compiles
def test_a_run_time_number_where_a_constant_is_needed(make):
    f = make("out.store(ttl.math.fill(1.0, shape=(s, 1)) * b)", "s: ttl.runtime")
    with pytest.raises(ttl.CompileError) as error:
        outputs(f, (1,))
    assert "s" in str(error.value) and ":12:" in str(error.value)


def test_errors_are_those_of_constants(make):
    f = make("out.store(b * s + nosuch)")
    with pytest.raises(ttl.CompileError, match="name 'nosuch' is not defined"):
        outputs(f, (1.5,))


def test_a_body_that_reads_the_number(make):
    """The body reads int(s) to count tiles, so each value of s needs a program of its own."""

    @ttl.operation(grid=(1, 1))
    def f(y, s):
        count = int(s)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.compute()
        def compute():
            for _ in range(count):
                with y_dfb.reserve() as out:
                    out.store(ttl.math.fill(s, shape=(1, 1)))

        @ttl.datamovement()
        def write():
            for tile in range(count):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[tile, 0]).wait()

    for value in (1.0, 2.0, 3.5, 1.0, 2.5):
        y = np.zeros((32 * int(value), 32), np.float32)
        f(y, value)
        assert (y == value).all()


@pytest.mark.parametrize("made_anew", (False, True))
def test_operations_that_are_made_at_each_call(made_anew, make):
    def scale():
        @ttl.operation(grid=(1, 1))
        def f(y, s):
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

            @ttl.compute()
            def compute():
                with y_dfb.reserve() as out:
                    out.store(ttl.math.fill(s * 3.0 if made_anew else s, shape=(1, 1)))

            @ttl.datamovement()
            def write():
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

        return f

    y = np.zeros((32, 32), np.float32)

    def run():
        for _ in range(3):
            scale()(y, 0.5)

    assert compiled(run) == 1


SCRIPT = """
import numpy as np
import ttl
{kernel}
x, y = np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32)
for factor in (0.5, 1.5):
    f(x, y, factor, -2.0)
"""


def test_emitted_kernels_have_run_time_arguments(tmp_path):
    script = tmp_path / "script.py"
    kernel = KERNEL.format(statement="out.store(b * s + t)", parameters="s, t")
    script.write_text(SCRIPT.format(kernel=kernel))
    folder = tmp_path / "out"
    subprocess.run([BUILD / "bin" / "ttl-jit", "run", f"--emit={folder}", script], check=True,
                   capture_output=True)
    programs = json.loads((folder / "program.json").read_text())["programs"]
    assert len(programs) == 1
    kernel = next(each for each in programs[0]["kernels"] if each["processor"] == "compute")
    assert kernel["common_runtime_arg_numbers"] == [
        {"name": "s", "number": 0, "type": "float32", "value": 0.5},
        {"name": "t", "number": 1, "type": "float32", "value": -2.0}]
    text = (folder / kernel["file"]).read_text()
    assert "s = get_common_arg_val<uint32_t>(0)" in text and "get_common_arg_val<uint32_t>(1)" in text
    run = subprocess.run([sys.executable, "-c", RUN, folder], capture_output=True, text=True)
    assert run.stdout == "-1.5\n1.0\nf has no run-time number 'u': s, t\n", run.stderr


RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import run_on_device
import ttnn
device = ttnn.open_device(device_id=0)
x = ttnn.from_numpy(np.ones((32, 64), np.float32), device=device, layout=ttnn.TILE_LAYOUT)
y = ttnn.from_numpy(np.zeros((32, 64), np.float32), device=device, layout=ttnn.TILE_LAYOUT)
run_on_device.run("f", [x, y])
print(ttnn.to_numpy(y)[0, 0])
run_on_device.run("f", [x, y], numbers={"s": 3.0})
print(ttnn.to_numpy(y)[31, 63])
try:
    run_on_device.run("f", [x, y], numbers={"u": 3.0})
except ValueError as error:
    print(error)
"""
