# SPDX-License-Identifier: Apache-2.0
"""docs/mlir-in.md: its programs and commands print what it quotes, and its table says where each op runs.

python3 tests/python/docs/test_mlir_in_page.py --update writes the outputs and the table."""

import contextlib
import io
import pathlib
import re
import shlex
import sys

import numpy as np
import page_programs
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
import _ttl_load  # noqa: E402
import cases  # noqa: E402
import ttl  # noqa: E402
from modules import Type  # noqa: E402
from running import ROOT, ttl_jit  # noqa: E402
from tutorial import commands  # noqa: E402

_ttjit_models = _ttl_load.load_on_demand("_ttjit_models", "ttjit-modules")

PAGE = ROOT / "docs" / "mlir-in.md"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"^\| op \|.*?(?=^$|\Z)", re.M | re.S)
HINT = "run python3 tests/python/docs/test_mlir_in_page.py --update"
SHAPES = ((2, 2, 32, 32), (64, 32), (1, 2, 40))


def _steps(name, element):
    """Returns the steps of a function of this op, on a shape that it takes. Returns None if no shape fits."""
    for shape in SHAPES:
        for seed in range(20):
            maker = cases.Maker(np.random.default_rng(seed), [Type(shape, element)])
            if maker.add(name, 0):
                numbers = maker.module.ops[-1].results
                _, functions, *_ = _ttjit_models.lower_model(maker.module.text(numbers), "<page>", 8, 8)
                return functions[0]["steps"] if functions else None
    return None


def _where(name, element):
    """Returns the table's cell for an op and an element type; "" means that the op does not have the type."""
    if name in ("full", "ones", "zeros"):
        return "in kernels"
    steps = _steps(name, element)
    if steps is None:
        return ""
    kernels = any(is_kernel for _, is_kernel, *_ in steps)
    hosts = sorted({step for step, is_kernel, *_ in steps if not is_kernel} - {"empty", "to_layout", "constant"})
    if not kernels:
        return "host"
    return "kernel" if not hosts else f"kernel; {', '.join(hosts)} on the host"


def table():
    lines = ["| op | meaning | f32, bf16 | integers |", "| --- | --- | --- | --- |"]
    for name, _, formula, attributes in _ttjit_models.ttir_ops():
        shown = [f"`{key}`" if required else f"[`{key}`]" for key, required in attributes
                 if key not in ("operandSegmentSizes", "conservative_folding")]
        given = f"; {', '.join(shown)}" if shown else ""
        if name in ("empty", "rand", "to_layout"):
            columns = ("kernel", "kernel") if name == "to_layout" else ("host", "host")
        else:
            columns = (_where(name, "f32"), _where(name, "si32"))
        text = formula.replace("|", "\\|")
        lines.append(f"| `{name}` | {text}{given} | {' | '.join(columns)} |")
    return "\n".join(lines) + "\n"


def printed(command):
    process = ttl_jit(*shlex.split(command)[1:])
    return process.stdout + process.stderr


def updated(page):
    def console(match):
        texts = [f"$ {command}\n{printed(command)}" for command, _ in commands(match[1])]
        return "```console\n" + "".join(texts) + "```"

    def program(match):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(match[1], {})
        return f"```python\n{match[1]}```\n\n```output\n{output.getvalue()}```\n"

    page = page_programs.PROGRAM.sub(program, CONSOLE.sub(console, page))
    start = page.index("## The ops")
    head, tail = page[:start], TABLE.sub("", page[start:]).rstrip("\n")
    return f"{head}{tail}\n\n{table()}"


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_programs(engine, tmp_path, capsys):
    with ttl.options(engine=engine):
        assert page_programs.run(PAGE.name, tmp_path, capsys) == 2


@pytest.mark.parametrize("command, output",
                         [pair for text in CONSOLE.findall(PAGE.read_text()) for pair in commands(text)])
def test_commands_print_what_the_page_quotes(command, output):
    assert printed(command) == output, HINT


def test_ops_of_tosa_are_listed():
    text = PAGE.read_text().split("These ops have a counterpart:")[1].split("\n\n")[0]
    assert re.findall(r"`(\w+)`", text) == _ttjit_models.imported_ops("tosa")


def test_ops_of_ttnn_that_differ_are_listed():
    page = PAGE.read_text()
    text = page.split("| ttnn | here |")[1].split("\n\n")[0]
    listed = {name for row in text.splitlines() for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    known = {name for name, *_ in _ttjit_models.ttir_ops()}
    imported = set(_ttjit_models.imported_ops("ttnn"))
    assert listed - known == imported - known and listed <= imported


def test_table():
    assert table() in PAGE.read_text(), HINT


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    PAGE.write_text(updated(PAGE.read_text()))
