# SPDX-License-Identifier: Apache-2.0
"""Options processor= and hint= of decorators: the processors that kernel functions run on."""
# feature: Processors

import inspect
import json
import re

import numpy as np
import pytest
import ttl
from running import SUCCESS, run

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")
PLACES = [(None, None), ("noc0", "noc1"), ("noc1", "noc0"), ("noc1", None), (None, "NOC0")]


def tile(number=0.0):
    return np.full((32, 32), number, np.float32)


def increment(first, second, grid=(1, 1)):
    """Returns an operation that adds 1. Its reader is bound to processor `first`, its writer to `second`."""

    @ttl.operation(grid=grid)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement(processor=first)
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

        @ttl.compute(hint="math")
        def compute():
            with a_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + 1)

        @ttl.datamovement(processor=second)
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return op


def processors_of(first, second):
    """Returns {function: processor}: a data movement function that is not bound gets the other one."""
    names = ["noc0", "noc1"]
    reader = first or (names[names.index(second.lower()) ^ 1] if second else "noc0")
    return {"reader": reader, "compute": "math", "writer": names[names.index(reader) ^ 1]}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("places", PLACES)
def test_every_place_gives_the_same_result(engine, places):
    y = tile()
    with ttl.options(engine=engine, schedule="random", seed=1):
        kernel = increment(*places).compile(tile(1), y)
        kernel(tile(1), y)
    assert kernel.processors == processors_of(*places)
    assert np.all(y == 2)


def test_the_ir_has_the_hints():
    text = increment("noc1", None).ir(tile(), tile())
    hints = re.findall(r'ttl\.(\w+)_thread "(\w+)"(?: attributes \{microcore_hint = "(\w+)"\})?', text)
    assert hints == [("datamovement", "reader", "NOC1"), ("compute", "compute", "MATH"),
                     ("datamovement", "writer", "")]
    lowered = increment("noc1", None).compile(tile(), tile()).ir()
    assert re.findall(r"ttl\.thread @op__(\w+) on (\w+)", lowered) == [
        ("reader", "riscv_0"), ("compute", "compute"), ("writer", "riscv_1")]


def run_script(places, folder, *options):
    """Runs increment() with arguments `places` in a process of its own, with these options."""
    file = folder / "script.py"
    functions = inspect.getsource(tile) + inspect.getsource(increment)
    file.write_text(f"import numpy as np\nimport ttl\n{functions}\nincrement{places}(tile(1), tile())\n")
    process = run(file, *options)
    assert process.returncode == SUCCESS, process.stderr


@pytest.mark.parametrize("places", PLACES)
def test_emitted_programs_name_the_processor(places, tmp_path):
    run_script(places, tmp_path, f"--emit={tmp_path}")
    (program,) = json.loads((tmp_path / "program.json").read_text())["programs"]
    roles = {"noc0": "reader", "noc1": "writer", "math": "compute"}
    expected = {name: roles[place] for name, place in processors_of(*places).items()}
    assert {kernel["name"]: kernel["processor"] for kernel in program["kernels"]} == expected


def test_traces_name_the_processor(tmp_path):
    run_script(("noc1", "noc0"), tmp_path, f"--trace={tmp_path / 'trace.json'}")
    text = (tmp_path / "trace.json").read_text()
    assert "reader (RISCV_0)" in text and "writer (RISCV_1)" in text


@pytest.mark.parametrize("engine", ENGINES)
def test_one_function_on_the_second_processor(engine):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement(processor="noc1")
        def mover():
            ttl.copy(a[0, 0], dfb.reserve()).wait()
            ttl.copy(dfb.wait(), y[0, 0]).wait()

    y = tile()
    with ttl.options(engine=engine):
        kernel = op.compile(tile(3), y)
        kernel(tile(3), y)
    assert kernel.processors == {"mover": "noc1"} and np.all(y == 3)


def test_a_call_with_another_processor_is_compiled_again():
    @ttl.operation(grid=(1, 1))
    def op(a, y, place):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement(processor=place)
        def mover():
            ttl.copy(a[0, 0], dfb.reserve()).wait()
            ttl.copy(dfb.wait(), y[0, 0]).wait()

    for place in ("noc0", "noc1", None):
        y = tile()
        op(tile(3), y, place)
        assert np.all(y == 3)
        assert op.compile(tile(3), y, place).processors == {"mover": place or "noc0"}


@pytest.mark.parametrize("engine", ENGINES)
def test_nodes_may_bind_functions_to_different_processors(engine):
    @ttl.operation(grid=(2, 1))
    def op(a, y):
        first = ttl.node()[0] == 0
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement(processor="noc1" if first else None)
        def reader():
            ttl.copy(a[0, 0], dfb.reserve()).wait()

        @ttl.datamovement(processor=None if first else "noc1")
        def writer():
            column = ttl.node(dims=2)[0]
            ttl.copy(dfb.wait(), y[0, column]).wait()

    y = np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        kernel = op.compile(tile(3), y)
        kernel(tile(3), y)
    assert np.all(y == 3)
    # The functions on noc1, the reader of node 0 and the writer of node 1, become one thread.
    assert kernel.processors == {"reader": "noc1", "writer": "noc0"}


def marked_line(function, mark):
    lines, first = inspect.getsourcelines(function)
    return next(number for number, line in enumerate(lines, first) if mark in line)


def check(define, message):
    """Calls `define` in the body of an operation. It must define kernel functions with a mistake, whose
    line has the comment HERE. Returns the error, which must be there and have this message."""
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        define()

    with pytest.raises(ttl.CompileError) as caught:
        op.ir(tile(), tile())
    assert message in str(caught.value)
    assert caught.value.line == marked_line(define, "HERE")
    return caught.value


def test_two_functions_on_one_processor():
    def define():
        @ttl.datamovement(processor="noc1")  # FIRST
        def reader():
            pass

        @ttl.datamovement(processor="noc1")  # HERE
        def writer():
            pass

    error = check(define, "kernel functions reader() and writer() are both bound to processor 'noc1': "
                          "bind one of them to 'noc0'")
    assert [note.line for note in error.notes] == [marked_line(define, "FIRST")]


@pytest.mark.parametrize("value, found", [
    ("noc2", "found 'noc2'"), ("math", "found 'math', which computes"), (1, "found an object of type int"),
])
def test_data_movement_functions_run_on_noc0_or_noc1(value, found):
    def define():
        @ttl.datamovement(processor=value)  # HERE
        def reader():
            pass

    check(define, f"@ttl.datamovement(processor=...) must be 'noc0' or 'noc1', {found}")


@pytest.mark.parametrize("value, found", [
    ("unpack", "found 'unpack'"), ("noc0", "found 'noc0', which moves data"), (True, "found an object of type bool"),
])
def test_compute_functions_run_on_the_compute_engine(value, found):
    def define():
        @ttl.compute(hint=value)  # HERE
        def compute():
            pass

    check(define, f"@ttl.compute(hint=...) must be 'math', {found}")


def unified(processors):
    """Returns an operation with a unified body that adds 1, with option processors=."""
    @ttl.operation(grid=(1, 1), processors=processors)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        y_dfb.reserve().store(a_dfb.wait() + 1)
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    return op


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("processors, reader", [
    (None, "noc0"), ({}, "noc0"), ({"compute": "math"}, "noc0"), ({"reader": "noc0"}, "noc0"),
    ({"reader": "NOC1"}, "noc1"), ({"writer": "noc0"}, "noc1"),
    ({"writer": "noc1", "reader": "noc0"}, "noc0"), ({"reader": "noc1", "compute": "math"}, "noc1"),
], ids=str)
def test_threads_of_unified_bodies(engine, processors, reader):
    y = tile()
    with ttl.options(engine=engine):
        kernel = unified(processors).compile(tile(1), y)
        kernel(tile(1), y)
    assert np.all(y == 2)
    assert kernel.processors == {"reader": reader, "compute": "math",
                                 "writer": {"noc0": "noc1", "noc1": "noc0"}[reader]}


def test_a_unified_body_that_only_writes():
    @ttl.operation(grid=(1, 1), processors={"writer": "noc1"})
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        y_dfb.reserve().store(ttl.block.fill(3.0, shape=(1, 1)))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    y = tile()
    op(y)
    assert np.all(y == 3)
    assert op.compile(y).processors["writer"] == "noc1"


@pytest.mark.parametrize("processors, message", [
    ("noc1", 'processors=...) must be a dict such as {"reader": "noc1"}, found an object of type str'),
    ({"reeder": "noc1"}, "processors=...) names 'reeder', but the threads of a body without kernel functions are "
                         "'reader', 'compute' and 'writer'"),
    ({"reader": "noc2"}, "processors={'reader': ...}) must be 'noc0' or 'noc1', found 'noc2'"),
    ({"writer": "math"}, "processors={'writer': ...}) must be 'noc0' or 'noc1', found 'math', which computes"),
    ({"compute": "noc0"}, "processors={'compute': ...}) must be 'math', found 'noc0', which moves data"),
    ({"reader": "noc1", "writer": "noc1"}, "processors=...) binds the reader and the writer to processor 'noc1': a "
                                           "processor runs one thread"),
], ids=str)
def test_wrong_processors_of_unified_bodies(processors, message):
    with pytest.raises(ttl.CompileError) as caught:
        unified(processors)
    assert f"@ttl.operation({message}" in str(caught.value)
    assert caught.value.line == marked_line(unified, "@ttl.operation")


def test_processors_are_not_for_bodies_with_kernel_functions():
    @ttl.operation(grid=(1, 1), processors={"reader": "noc1"})
    def op(a, y):
        @ttl.datamovement()
        def mover():
            pass

    with pytest.raises(ttl.CompileError) as caught:
        op.ir(tile(), tile())
    assert ("@ttl.operation(processors=...) is for a body without kernel functions, and op() has some: bind each of "
            'them, for example @ttl.datamovement(processor="noc1")') in str(caught.value)
