# SPDX-License-Identifier: Apache-2.0
"""Python code of kernel functions that runs while the kernel is compiled."""

import signal
import subprocess
import sys
import textwrap

import pytest
import ttl
from test_refusals import check, tensor

HEADER = """
import dataclasses, itertools, math, operator, random, signal, sys
import numpy as np
import ttl
"""
OPERATION = """
@ttl.operation(grid=(2, 2))
def op(a):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    @ttl.datamovement()
    def reader():
"""


def source(body, before=""):
    lines = textwrap.indent(textwrap.dedent(body), " " * 8)
    return HEADER + textwrap.dedent(before) + OPERATION + lines + "\n"


def operation(tmp_path, body, before=""):
    """Returns an operation whose data movement function has this body."""
    file = tmp_path / f"kernel{len(list(tmp_path.iterdir()))}.py"
    file.write_text(source(body, before))
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    return scope["op"]


def ir(tmp_path, body, before=""):
    return operation(tmp_path, body, before).ir(tensor())


def refusal(tmp_path, body, before=""):
    """Returns the error of operation(). The error must be at the line marked `# HERE`, if there is one."""
    with pytest.raises(ttl.CompileError) as caught:
        ir(tmp_path, body, before)
    lines = source(body, before).splitlines()
    places = [number for number, line in enumerate(lines, 1) if "# HERE" in line]
    error = caught.value
    assert error.file.startswith(str(tmp_path))
    assert [error.line] == places or not places, str(error)
    return error


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "10**10**7 % 7",
        "1 << 10**9",
        "2**40000 * 2**40000",
        "(0,) * 10**9",
        "10**9 * [0]",
        "'x' * 10**10",
        "'%1000000000d' % 1",
        "'%*d' % (10**9, 1)",
        "f'{1:1000000000d}'",
        "'{:1000000000d}'.format(1)",
        "'x'.ljust(10**10)",
        "bytes(10**10)",
        "pow(9, 9**9)",
        "operator.pow(9, 9**9)",
        "(9).__pow__(9**9)",
        "(9**9).__rpow__(9)",
        "math.factorial(10**7)",
        "list(range(10**9))",
        "sum(range(10**10))",
        "set(range(10**400))",
        "sum(itertools.count())",
        "','.join(map(str, itertools.count()))",
        "np.zeros((10**6, 10**6))",
        "np.ones((2, 2)) % range(10**9)",
        "range(10**9) == np.float32(1)",
        "range(10**30) + np.ones(2)",
        "np.ones((10**6, 1)) + np.ones(10**6)",
        "np.ones(3).repeat(10**9)",
        "round(5, -10**9)",
        "1.5 in range(10**10)",
        "range(10**10).index(1.5)",
        "1 not in itertools.repeat(0)",
    ],
)
def test_results_that_are_too_large(expression, tmp_path):
    error = refusal(tmp_path, f"x = {expression}  # HERE")
    assert "compile time" in error.message


def test_results_of_ordinary_size(tmp_path):
    text = ir(
        tmp_path,
        """
        assert 3**40 % 7 == 4 and pow(9, 9**9, 7) == 1 and 1 << 40 == 2**40
        assert len((0,) * 1000) == sum(map(int, ["400", "600"])) == 1000
        assert "%5d|%s" % (1, "a") + f"{2:4}" == "    1|a   2" and "x".ljust(3) == "x  "
        assert math.factorial(5) == 120 and np.full((3, 4), 10**9).size == 12
        assert math.comb(10**6, 2) == 499999500000 and round(123456.75, 1) == 123456.8
        assert 10**9 in range(10**10) and 3 not in (1, 2) and range(10**10).index(7) == 7
        assert int("ff", base=16) == 255 and min([3, 1], key=lambda x: -x) == 3
        """.replace(", key=lambda x: -x", ", key=operator.neg"),
    )
    assert "ttl.assert" not in text


@pytest.mark.parametrize(
    "body",
    [
        "x = [0 for i in range(60000) for j in range(60000)]",
        "x = [0 for i in range(60000) for j in range(60000) if i < 0]",
        "for i in [*range(60000)]:\n    for j in [*range(60000)]:\n        pass",
    ],
)
def test_loops_with_too_many_steps(body, tmp_path):
    assert "steps to compile" in refusal(tmp_path, body).message


FAILING = """
class Failing(list):
    def exhaust(self):
        raise MemoryError
    def fail(self, *_):
        raise ValueError("boom")
    __bool__ = __eq__ = __index__ = __float__ = __str__ = __iter__ = __getattr__ = fail
    __contains__ = __getitem__ = __call__ = __add__ = fail
"""


@pytest.mark.parametrize(
    "expression, kind",
    [
        ("signal.raise_signal(signal.SIGINT)", KeyboardInterrupt),
        ("sys.exit(3)", SystemExit),
    ],
)
def test_exceptions_that_are_no_mistakes_of_the_kernel(expression, kind, tmp_path):
    with pytest.raises(kind):
        ir(tmp_path, expression, FAILING)


@pytest.mark.parametrize(
    "expression, message",
    [
        ("Failing().exhaust()", "MemoryError"),
        ("np.outer(np.ones(10**6), np.ones(10**6))", "MemoryError: Unable to allocate"),
    ],
)
def test_lack_of_memory_is_at_the_expression(expression, message, tmp_path):
    assert message in refusal(tmp_path, f"x = {expression}", FAILING).message


def test_sequence_that_does_not_end(tmp_path):
    before = """
    class Endless(list):
        def __iter__(self):
            return itertools.repeat(0)
    """
    error = refusal(tmp_path, "endless = Endless([1])\nfor i in endless: pass  # HERE", before)
    assert "found an Endless" in error.message


def test_interrupted_walk(tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            ir(tmp_path, "x = [0 for i in range(60000) for j in range(60000)]")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "statement",
    [
        "failing.name",
        "failing == 1",
        "failing + 1",
        "failing()",
        "failing[0]",
        "1 in failing",
        "x = 1 if failing else 2",
        "x, y = failing",
        "x = [i for i in failing]",
        "for i in failing: pass",
        "f'{failing!s}'",
        "isinstance(ttl.node(dims=1), failing)",
        "assert ttl.node(dims=1), failing",
    ],
)
def test_exceptions_of_the_programs_objects(statement, tmp_path):
    body = f"failing = Failing([1, 2])\n{statement}  # HERE"
    error = refusal(tmp_path, body, FAILING)
    assert error.message == "ValueError: boom" or "isinstance" in error.message


OBJECTS = """
import collections
items, iterator, log = [1], iter([1, 2]), []
@dataclasses.dataclass
class Shape:
    rows: int = 2
    columns: int = 3
    def area(self):
        return max(self.rows, 1) * self.columns
    def grow(self):
        self.rows += 1
    def note(self):
        log.append(self.rows)
    def __call__(self):
        return self.rows
shape = Shape()
Pair = collections.namedtuple("Pair", "x y")
"""


@pytest.mark.parametrize(
    "call",
    [
        "items.append(1)",
        "list.append(items, 1)",
        "next(iterator)",
        "setattr(shape, 'rows', 3)",
        "operator.setitem(items, 0, 2)",
        "random.random()",
        "shape.grow()",
        "shape.note()",
        "max(items, key=shape.note)",
        "np.copyto(np.zeros(2), 1)",
        "np.add(1, 2, out=np.zeros(1))",
        "np.zeros(2).fill(1)",
        "exec('x = 1')",
    ],
)
def test_calls_with_effects_under_run_time_control(call, tmp_path):
    branch = f"if ttl.node(dims=1) == 0:\n    {call}  # HERE"
    loop = f"for i in range(ttl.node(dims=1)):\n    {call}  # HERE"
    for body in (branch, loop):
        assert "may have side effects" in refusal(tmp_path, body, OBJECTS).message


@pytest.mark.parametrize(
    "call",
    [
        "items.index(1)",
        "math.sqrt(2)",
        "'a,b'.split(',')",
        "operator.add(1, 2)",
        "np.zeros((2, 2)).sum()",
        "np.float32(3)",
        "dict.fromkeys(items)",
        "shape.area()",
        "shape()",
        "Shape(1, 2)",
        "Pair(1, 2)._replace(x=3)",
        "sorted(items, key=operator.neg)",
    ],
)
def test_calls_without_effects_under_run_time_control(call, tmp_path):
    ir(tmp_path, f"if ttl.node(dims=1) == 0:\n    x = {call}", OBJECTS)


def test_effects_outside_run_time_control(tmp_path):
    text = ir(
        tmp_path,
        """
        squares = []
        for i in range(4):
            squares.append(i * i)
        if len(squares) == 4:
            squares.append(shape.area())
        for i in (5, 6):
            squares.append(i)
        assert squares == [0, 1, 4, 9, 6, 5, 6]
        """,
        OBJECTS,
    )
    assert "ttl.assert" not in text and "scf.for" not in text


def test_operation_inside_a_kernel_function(tmp_path):
    for call in ("op(1)", "op.ir(1)"):
        error = refusal(tmp_path, call + "  # HERE")
        assert error.message.startswith("operation op() cannot be called inside kernel function")
        assert len(str(error)) < 500


def test_operation_inside_a_method(tmp_path):
    before = """
    class Runner:
        def run(self):
            return op(1)
    runner = Runner()
    """
    error = refusal(tmp_path, "runner.run()  # HERE", before)
    assert "operation op() cannot be called while a kernel function is compiled" in error.message
    assert [note.line for note in error.notes] == [8]


def test_errors_of_the_package_keep_their_place(tmp_path):
    error = refusal(tmp_path, "ttl.Program(1)  # HERE")
    assert error.message.startswith("TypeError: the arguments of ttl.Program must be kernel")
    error = refusal(tmp_path, "ttl.make_dataflow_buffer_like(1)  # HERE")
    assert "call it in the operation's body" in error.message


@pytest.mark.parametrize(
    "expression, words",
    [
        ("(yield)", "'yield'"),
    ],
)
def test_expressions_that_are_not_supported(expression, words, tmp_path):
    error = refusal(tmp_path, f"x = {expression}  # HERE")
    assert error.message.startswith(f"{words} is not supported in kernel functions: ")


def test_chain_of_many_functions(tmp_path):
    chain = "def f0(): return 1\n" + "".join(
        f"def f{i}(): return f{i - 1}()\n" for i in range(1, 401)
    )
    error = refusal(tmp_path, "f400()", chain)
    assert "f336() are nested more than 64 levels deep" in error.message
    notes = [str(note) for note in error.notes]
    assert notes == ["called"] * 8 + ["called through 52 more functions"] + ["called"] * 4
    assert ir(tmp_path, "assert f50() == 1", chain)


def test_kernel_function_that_is_a_lambda():
    def threads(a, y, a_dfb, y_dfb):
        ttl.compute()(lambda: None)  # HERE: ttl.compute()(lambda: None)

    check(threads, "can only decorate a function written with 'def', found a lambda")


def test_comparison_of_blocks():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, y_dfb.wait() as z:
                x <= z < 1  # HERE: x <= z < 1

    check(threads, "a chain of comparisons cannot compare blocks")


def test_range_of_no_integers():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            range(ttl.node(dims=1), "x")  # HERE: "x"

    check(threads, "must be integers, found a str")


@pytest.mark.parametrize("start", ["(n + 1) % 3", "n // 2 * 2", "abs(n - 5) ** 2"])
def test_slices_with_equal_starts_that_are_not_linear(start, tmp_path):
    body = """
    n = ttl.node(dims=1)
    with a_dfb.reserve() as block:
        ttl.copy(a[{0} : {0} + 1, 0], block).wait()
    """.format(start)
    assert "tensor_slice<[1, 1]" in ir(tmp_path, body)


def test_slices_with_unequal_starts(tmp_path):
    body = """
    n, m = ttl.node()
    with a_dfb.reserve() as block:
        ttl.copy(a[n % 3 : m % 3 + 1, 0], block).wait()  # HERE
    """
    assert "extent of this slice" in refusal(tmp_path, body).message


def test_copies_between_element_types(tmp_path):
    before = """
    import ttnn
    other = ttnn.zeros((32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
    """
    body = """
    with a_dfb.reserve() as block:
        ttl.copy(other[0, 0], block).wait()  # HERE
    """
    message = refusal(tmp_path, body, before).message
    assert "does not convert a slice of bfloat16 to a block of float32" in message


SMALL_STACK = """
import threading

def compile_kernel():
    try:
        op.ir(np.zeros((32, 32), np.float32))
    except ttl.CompileError as error:
        print(error.message)

compile_kernel()  # Python parses the source, on a large stack
threading.stack_size(256 * 1024)
thread = threading.Thread(target=compile_kernel)
thread.start()
thread.join()
"""


# Runs in a process of its own: a new thread of this process may reuse the larger stack of an older one.
@pytest.mark.parametrize(
    "expression", ["+".join(["n"] * 2500), "-" * 900 + "n", "n if n else " * 400 + "n"],
    ids=["sum", "signs", "conditions"],
)
def test_deep_expressions_on_a_small_stack(expression, tmp_path):
    file = tmp_path / "deep.py"
    file.write_text(source(f"n = ttl.node(dims=1)\nx = {expression}") + SMALL_STACK)
    process = subprocess.run([sys.executable, file], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("this code is nested too deep for the stack")
