# SPDX-License-Identifier: Apache-2.0
"""The time to make ttl IR from Python is linear in the number of statements, with any
control flow. The tests measure CPU time, so that other processes do not count."""

import gc
import time

import _ttjit
import numpy as np
import pytest
from ttl import _capture, _source

FEW, MANY = 250, 1000
# The ratio of times is about MANY / FEW if linear, and its square if quadratic.
MAX_RATIO = 2.5 * MANY / FEW
RUNS = 5
# A 500-line kernel should compile in 20 ms. A test machine may be four times slower.
MAX_SECONDS = 0.020 * 4


def source(kind, lines):
    """Returns a program with one kernel function, whose body is `lines`."""
    body = "".join(f"        {line}\n" for line in lines)
    return f"""import ttl
@ttl.operation(grid=(1, 1))
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    def helper(x, k):
        z = x + k
        return z * 2
    @ttl.{kind}()
    def kernel():
{body}"""


def mover(lines):
    """Returns a program whose data movement kernel runs `lines` with a run-time number `w`."""
    return source("datamovement", ["c = ttl.node(dims=1)", "w = c", *lines, "assert w != 7"])


def block_expressions(n):
    steps = [f"    e{i + 1} = e{i} * {i}.5 + b" for i in range(n)]
    head = ["with a_dfb.wait() as b, y_dfb.reserve() as o:", "    e0 = b + 1"]
    return source("compute", [*head, *steps, f"    o.store(e{n})"])


def withs(n):
    lines = []
    for k in range(n // 3):
        lines += [
            "with a_dfb.wait() as b, y_dfb.reserve() as o:",
            f"    e = b * {k}",
            "    o.store(e + b)",
        ]
    return source("compute", lines)


def blocks_in_loops(n):
    lines = []
    for k in range(n // 4):
        lines += [
            f"for i{k} in range(4):",
            "    with a_dfb.wait() as b, y_dfb.reserve() as o:",
            f"        e{k} = b * {k}",
            f"        o.store(e{k} + b)",
        ]
    return source("compute", lines)


def blocks_released_at_their_last_use(n):
    lines = ["c = ttl.node(dims=1)"]
    for k in range(n // 5):
        lines += [
            f"b{k} = a_dfb.wait()",
            f"o{k} = y_dfb.reserve()",
            f"o{k}.store(b{k} + {k})",
            f"if c > {k}:",
            "    pass",
        ]
    return source("compute", lines)


def branches(n):
    lines = ["v0 = c"]
    for i in range(n // 4):
        lines += [
            f"if v{i} > {i}:",
            f"    v{i + 1} = v{i} + 1",
            "else:",
            f"    v{i + 1} = v{i} - 1",
        ]
    return mover([*lines, f"assert v{n // 4} != 7"])


def branches_whose_variables_are_not_read(n):
    lines = ["v0 = c"]
    for i in range(n // 4):
        lines += [
            f"if w > {i}:",
            f"    v{i + 1} = v{i} + 1",
            "else:",
            f"    v{i + 1} = v{i} - 1",
        ]
    return mover(lines)


def branches_in_loops(n):
    lines = []
    for i in range(n // 6):
        lines += [
            f"for i{i} in range(c):",
            f"    for j{i} in range(i{i}):",
            f"        if j{i} > w:",
            "            w = w + 1",
            "            if w > 3:",
            f"                u{i} = w",
        ]
    return mover(lines)


def nested_loops(n):
    lines, depth = [], 12
    for k in range(n // (2 * depth)):
        for d in range(depth):
            indent = "    " * d
            lines += [f"{indent}for i{k}_{d} in range(c):", f"{indent}    w = w + {d}"]
    return mover(lines)


def nested_loops_that_widen(n):
    lines, depth = [], 10
    for k in range(n // (2 * depth)):
        lines.append(f"w{k} = 0")
        for d in range(depth):
            indent = "    " * d
            lines += [f"{indent}for i{k}_{d} in range(c):", f"{indent}    w{k} = w{k} + {d}.5"]
        lines.append(f"assert w{k} != 7")
    return mover(lines)


def elif_chain(n):
    lines = ["if c == 0:", "    w = 1"]
    for i in range(1, n // 2):
        lines += [f"elif c == {i}:", f"    w = {i} * c"]
    return mover(lines)


def whiles(n):
    lines = []
    for k in range(n // 7):
        lines += [
            f"i{k} = 0",
            f"while i{k} < c:",
            f"    i{k} += 1",
            f"    if i{k} == w:",
            "        break",
            f"    if i{k} > 9:",
            "        continue",
            "    w += 1",
        ]
    return mover(lines)


def one_while_with_many_ends(n):
    lines = ["while w < 100:"]
    for k in range(n // 3):
        lines += [f"    if w == {k}:", f"        {('continue', 'break')[k % 2]}", f"    w += {k}"]
    return mover(lines)


def early_returns(n):
    lines = []
    for k in range(n // 3):
        lines += [f"if w == {k}:", "    return", f"w = w + {k}"]
    return mover(lines)


def helper_calls(n):
    return mover([f"w = helper(w, {i})" for i in range(n)])


def closures(n):
    lines = []
    for k in range(n // 4):
        lines += [
            f"def f{k}(x):",
            f"    return x + {k} + c",
            f"w = f{k}(w)",
            f"if w > {k}:",
            "    w = w - 1",
        ]
    return mover(lines)


def handles_in_loops(n):
    lines = []
    for k in range(n // 7):
        lines += [
            f"b{k} = a_dfb.reserve()",
            f"h{k} = ttl.copy(a[0, 0], b{k})",
            f"for i{k} in range(3):",
            f"    h{k}.wait()",
            f"    h{k} = ttl.copy(a[0, 0], b{k})",
            f"h{k}.wait()",
            f"b{k}.push()",
        ]
    return source("datamovement", lines)


def groups_of_handles(n):
    lines = ["c = ttl.node(dims=1)", "g = ttl.GroupTransfer()", "b = a_dfb.reserve()"]
    for k in range(n // 4):
        lines += ["g.add(ttl.copy(a[0, 0], b))", f"if c > {k}:", "    pass", "g.wait_all()"]
    return source("datamovement", [*lines, "b.push()"])


def unrolled_loops(n):
    lines = ["names = (1, 2, 3, 4)"]
    for k in range(n // 4):
        lines += [f"for q{k} in range(4):", f"    w = w + names[q{k}]"]
        lines += ["for z in names:", "    w = w * z"]
    return mover(lines)


def prints_and_asserts(n):
    lines = ["c = ttl.node(dims=1)"]
    for k in range(n // 2):
        lines += [f'print("x", c, f"{{c:5d}} {k}")', f'assert c != {k}, f"c is {{c}}"']
    return source("datamovement", lines)


SHAPES = [
    block_expressions,
    withs,
    blocks_in_loops,
    blocks_released_at_their_last_use,
    branches,
    branches_whose_variables_are_not_read,
    branches_in_loops,
    nested_loops,
    nested_loops_that_widen,
    elif_chain,
    whiles,
    one_while_with_many_ends,
    early_returns,
    helper_calls,
    closures,
    handles_in_loops,
    groups_of_handles,
    unrolled_loops,
    prints_and_asserts,
]


def to_ir(call):
    return _ttjit.frontend_ir(call, printed=False)


def seconds(text, path):
    """Returns the CPU seconds to make a kernel's IR: the least of several runs. The IR is not
    printed: its text grows faster than linearly, because nested lines are indented."""
    path.write_text(text)
    scope = {"__name__": "kernel", "__file__": str(path)}
    exec(compile(text, str(path), "exec"), scope)
    a, times = np.zeros((32, 32), np.float32), []
    for _ in range(RUNS):
        _source._files.clear()
        _source._nodes.clear()
        gc.collect()
        start = time.process_time()
        call = scope["op"]._run_body((a, a), {}, scope["op"]._settings())
        _, diagnostics = _capture.walk(to_ir, call)
        times.append(time.process_time() - start)
        assert not [message for kind, message, *_ in diagnostics if kind == "error"]
    return min(times)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_compile_time_is_linear(shape, tmp_path):
    few = seconds(shape(FEW), tmp_path / "few.py")
    many = seconds(shape(MANY), tmp_path / "many.py")
    assert many / few < MAX_RATIO, f"{FEW} statements: {few:.4f} s, {MANY}: {many:.4f} s"


@pytest.mark.parametrize("shape", [block_expressions, withs, branches], ids=lambda s: s.__name__)
def test_500_lines_compile_fast(shape, tmp_path):
    assert seconds(shape(500), tmp_path / "kernel.py") < MAX_SECONDS
