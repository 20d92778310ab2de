"""tools/docs writes its pages, and every op, type, attribute and pass has a summary and a test."""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Runs tools/docs once; returns the folder with its pages, and the finished process."""
    folder = tmp_path_factory.mktemp("docs")
    run = subprocess.run(
        [ROOT / "tools" / "docs", "--output", folder], capture_output=True, text=True
    )
    return folder, run


@pytest.fixture(scope="module")
def docs():
    """Imports tools/docs as a module."""
    loader = importlib.machinery.SourceFileLoader("ttjit_docs", str(ROOT / "tools" / "docs"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ttjit_docs", loader))
    loader.exec_module(module)
    return module


def test_everything_has_a_summary_and_a_test(written):
    _, run = written
    assert run.returncode == 0, run.stderr


def test_pages_exist(written, docs):
    folder, _ = written
    pages = {path.stem for path in (folder / "dialects").iterdir()}
    assert pages == set(docs.PAGES)
    assert (folder / "ops.md").exists()


def test_generated_tile_ops_have_pages(written):
    folder, _ = written
    ttl = (folder / "dialects" / "ttl.md").read_text()
    ttkernel = (folder / "dialects" / "ttkernel.md").read_text()
    table = (ROOT / "hw/facts/TileOps.def").read_text()
    names = re.findall(r"^TILE_UNARY\(\w+, (\w+),", table, re.MULTILINE)
    assert names
    for name in names:
        assert f"### `ttl.block_{name}`" in ttl
        assert f"### `ttl.tile_{name}`" in ttl
    assert "### `ttkernel.exp_tile`" in ttkernel
    assert "### `ttkernel.exp_tile_init`" in ttkernel


def registered_passes():
    """Returns (name, summary) of each pass of this project that ttl-opt lists, without the pipelines."""
    run = subprocess.run([BUILD / "bin" / "ttl-opt", "--help"], capture_output=True, text=True)
    passes = run.stdout.split("\n    Passes:\n")[1].split("\n    Pass Pipelines:\n")[0]
    return re.findall(r"^ +--((?:ttl|ttkernel)-[\w-]+) +- +(.*)$", passes, re.MULTILINE)


def test_every_registered_pass_has_a_page_or_is_checked_here(written, docs):
    """The lowerings to LLVM and EmitC have no page: they are declared in C++, not in a .td file."""
    folder, _ = written
    page = (folder / "dialects" / "passes.md").read_text()
    listed = set(re.findall(r"^### `-(ttl-[\w-]+)`", page, re.MULTILINE))
    registered = dict(registered_passes())
    assert listed <= set(registered)
    others = [("PassBase", name, registered[name], []) for name in set(registered) - listed]
    assert {name for _, name, _, _ in others} == {"ttkernel-to-emitc", "ttkernel-to-llvm", "ttl-to-emitc"}
    assert docs.undescribed_in(others) == []
    assert docs.untested_in(others, docs.test_texts()) == []


def test_an_op_without_tests_is_reported(docs):
    """An op whose name is made up is in no test, so the check must report it."""
    # The name is put together, because this file would otherwise count as its test.
    name = "ttl." + "imaginary"
    page, untested = docs.ops_page({"ttl": [(name, "nothing"), ("ttl.compute", "something")]}, {})
    assert untested == [name]
    assert "**none**" in page


def test_ops_name_the_file_that_runs_them(written):
    folder, _ = written
    rows = re.findall(r"^\| \[`(\S+)`\].*\| ([^|]*) \| [^|]* \|$", (folder / "ops.md").read_text(), re.MULTILINE)
    places = {name: re.sub(r"\[(.*)\]\(.*\)", r"\1", place) for name, place in rows}
    assert places["ttl.cb_wait"] == "interp/ops/Blocks.cpp"
    assert places["ttkernel.exp_tile"] == places["ttkernel.exp_tile_init"] == "interp/ops/Compute.cpp"
    assert places["ttl.core_x"] == "passes/ttl/Aliases.cpp"
    assert places["ttl.program"] == "tools/plan/ProgramBuilder.cpp"
    assert places["ttl.yield"] == "with the op that it ends"
    assert all((ROOT / place).is_file() for place in places.values() if "/" in place)


def test_an_op_without_a_rule_is_found(docs):
    records = {
        "ttl": {"name": "ttl"},
        "!instanceof": {"Op": ["TTL_WaitOp", "TTL_ImaginaryOp"]},
        **{f"TTL_{name}Op": {"!name": f"TTL_{name}Op", "opDialect": {"def": "ttl"}, "opName": name, "traits": []}
           for name in ("Wait", "Imaginary")},
    }
    found = docs.rules.places(records, "ttl")
    assert found == {"ttl.Wait": "interp/ops/Transfers.cpp", "ttl.Imaginary": None}


def test_rules_are_read(docs):
    text = """
void interp::addSomeOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<CopyOp, copy>();
  table.add<ttkernel::PrintOp>(callApi<print>);
  addTileOp<FillOp, fill, ResultIn::OwnRegister>(table);
}
"""
    assert docs.rules.rules_in(text) == ["ttl::CopyOp", "ttkernel::PrintOp", "ttl::FillOp"]
    assert docs.rules.rules_in("void interp::emit() {}\n") == []


def test_a_type_an_attribute_or_a_pass_without_tests_is_reported(docs):
    texts = {"a.mlir": "!ttl.block<1> {a = sum} --pass-pipeline='builtin.module(ttl-one)'"}
    definitions = [
        ("TypeDef", "!ttl.block", "", []),
        ("TypeDef", "!ttl.blocks", "", []),
        ("AttrDef", "#ttl.kind", "", ["sum"]),
        ("AttrDef", "#ttl.other", "", ["sum", "max"]),
        ("PassBase", "--ttl-one", "", []),
        ("PassBase", "--ttl-on", "", []),
    ]
    assert docs.untested_in(definitions, texts) == ["!ttl.blocks", "#ttl.other", "--ttl-on"]


def test_what_lacks_a_summary_is_reported(docs):
    definitions = [("Op", "ttl.described", "It is", []), ("Op", "ttl.silent", " ", [])]
    assert docs.undescribed_in(definitions) == ["ttl.silent"]
