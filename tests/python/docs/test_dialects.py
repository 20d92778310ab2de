"""docs/dialects and docs/ops.md are what tools/docs writes; all has a summary and a test."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """(folder, finished process) of one run of tools/docs."""
    folder = tmp_path_factory.mktemp("docs")
    run = subprocess.run(
        [ROOT / "tools" / "docs", "--output", folder], capture_output=True, text=True
    )
    return folder, run


def pages(folder):
    return {str(path.relative_to(folder)) for path in (folder / "dialects").iterdir()} | {"ops.md"}


def test_everything_has_a_summary_and_every_op_a_test(written):
    _, run = written
    assert run.returncode == 0, run.stderr


def test_pages_are_up_to_date(written):
    folder, _ = written
    assert pages(folder) == pages(DOCS)
    stale = [
        page for page in pages(folder) if (folder / page).read_text() != (DOCS / page).read_text()
    ]
    assert not stale, f"run tools/docs: {', '.join(sorted(stale))} changed"


@pytest.fixture(scope="module")
def docs():
    """tools/docs as a module."""
    loader = importlib.machinery.SourceFileLoader("ttjit_docs", str(ROOT / "tools" / "docs"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ttjit_docs", loader))
    loader.exec_module(module)
    return module


def test_an_op_without_tests_is_reported(docs):
    """The check can fail: a made-up op is found in no test."""
    # Not written in one piece, or this file would be its test.
    name = "ttl." + "imaginary"
    page, untested = docs.ops_page({"ttl": [(name, "nothing"), ("ttl.compute", "something")]})
    assert untested == [name]
    assert "**none**" in page


def test_what_lacks_a_summary_is_reported(docs):
    page = (
        "### `ttl.described` (tt::ttl::A)\n\n_It is_\n\n"
        "### `ttl.silent` (tt::ttl::B)\n\nSyntax:\n\n"
        "### NamedType\n\n_A type_\n\n### SilentAttr\n\nSyntax: `#x`\n\n"
        "### `-silent-pass`\n\n#### Options\n"
    )
    assert docs.undescribed_in(page) == ["ttl.silent", "SilentAttr", "-silent-pass"]
