# SPDX-License-Identifier: Apache-2.0
"""The stubs in a wheel have every public name, with its signature and its docstring."""

import ast
import inspect
import pathlib
import sys

import pytest
import ttl
import ttnn

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
from packages import stubs  # noqa: E402


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes the stubs; returns {package: {name: syntax tree node}}."""
    folder = tmp_path_factory.mktemp("stubs")
    stubs.write(folder)
    assert (folder / "ttl" / "py.typed").exists() and (folder / "ttnn" / "py.typed").exists()
    return {name: nodes_of((folder / name / "__init__.pyi").read_text()) for name in ("ttl", "ttnn")}


def nodes_of(text):
    nodes = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            nodes[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            nodes[node.target.id] = node
        elif isinstance(node, ast.Assign):
            nodes[node.targets[0].id] = node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            nodes |= {each.asname or each.name: node for each in node.names}
    return nodes


def test_every_name_is_there(written):
    assert {name for name in dir(ttl) if not name.startswith("_")} - set(written["ttl"]) == set()
    assert set(ttnn.__all__) - set(written["ttnn"]) == set()


@pytest.mark.parametrize("name", ["exp", "reduce_sum", "copy", "make_dfb", "operation", "grid_size"])
def test_functions_have_their_parameters(written, name):
    node = written["ttl"][name]
    arguments = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    signature = inspect.signature(getattr(ttl, name))
    assert arguments == [each for each, value in signature.parameters.items() if value.kind not in kinds]


def test_texts_are_those_of_help(written):
    assert ast.get_docstring(written["ttl"]["make_dfb"]) == inspect.getdoc(ttl.make_dfb)
    assert inspect.getdoc(ttl.exp).endswith(ast.get_docstring(written["ttl"]["exp"]))
    assert ast.get_docstring(written["ttnn"]["softmax"]) == inspect.getdoc(ttnn.softmax)
    assert ast.get_docstring(written["ttl"]["Pipe"]) == inspect.getdoc(ttl.Pipe)


def test_completion_knows_what_blocks_can(written):
    members = {each.name for each in written["ttl"]["TensorBlock"].body if isinstance(each, ast.FunctionDef)}
    assert {"store", "push", "pop", "__add__", "exp", "reduce_sum"} <= members
    assert ast.unparse(written["ttl"]["exp"].returns) == "TensorBlock"
    reserve = next(each for each in written["ttl"]["DataflowBuffer"].body
                   if isinstance(each, ast.FunctionDef) and each.name == "reserve")
    assert ast.unparse(reserve.returns) == "TensorBlock"


def test_bases_stand_in_the_stubs(written):
    assert ast.unparse(written["ttl"]["DeadlockError"].bases[0]) == "RuntimeFault"


def test_an_editor_completes(tmp_path):
    jedi = pytest.importorskip("jedi", reason="the package jedi is not installed")
    stubs.write(tmp_path)
    for package in ("ttl", "ttnn"):
        (tmp_path / package / "__init__.py").touch()
    project = jedi.Project(tmp_path, added_sys_path=[str(tmp_path)])
    text = 'import ttl\ndfb = ttl.make_dfb("bf16", (1, 1))\nblock = dfb.reserve()\nblock.sto'
    assert [each.name for each in jedi.Script(text, project=project).complete(4, 9)] == ["store"]
    (signature,) = jedi.Script("import ttl\nttl.reduce_sum(", project=project).get_signatures(2, 15)
    assert signature.to_string().startswith("reduce_sum(x, scaler=")
