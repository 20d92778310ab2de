# SPDX-License-Identifier: Apache-2.0
"""tools/site builds the documentation's web pages, and all of their links lead somewhere."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def load_site():
    loader = importlib.machinery.SourceFileLoader("ttjit_site", str(ROOT / "tools" / "site"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ttjit_site", loader))
    loader.exec_module(module)
    return module


site = load_site()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="the package mkdocs is not installed")
    pytest.importorskip("material", reason="the package mkdocs-material is not installed")
    folder = tmp_path_factory.mktemp("site")
    site.build(folder)
    return folder


def test_every_page_is_built(built):
    pages = {str(path.relative_to(ROOT)) for glob in site.PAGES for path in ROOT.glob(glob)}
    names = {name.replace("README.md", "index.md").replace(".md", ".html") for name in pages}
    assert {name for name in names if not (built / name).exists()} == set()
    assert (built / "docs/dialects/ttl.html").exists() and (built / "docs/ops.html").exists()


def test_examples_are_pages(built):
    assert "make_dataflow_buffer_like" in (built / "examples/eltwise_add.py.html").read_text()


def test_search_finds_the_sections_of_pages(built):
    index = (built / "search/search_index.json").read_text()
    assert "docs/language/data-movement.html#semaphores" in index


def test_from_the_first_page_to_a_first_kernel_in_two_clicks(built):
    first = site.Links((built / "index.html").read_text()).targets
    assert "docs/tutorial.html" in first
    assert "make_dataflow_buffer_like" in (built / "docs/tutorial.html").read_text()


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a id="x" href="b.html"><a href="#x"><a href="#y"><img src="c.png">')
    (tmp_path / "d.html").write_text('<a href="a.html#x"><a href="a.html#z"><a href="https://example.com">')
    assert site.broken_links(tmp_path) == ["a.html: #y", "a.html: b.html", "a.html: c.png", "d.html: a.html#z"]


@pytest.mark.parametrize("text, expected", [
    ("a:\n* b\n  c\n", "a:\n\n* b\n    c\n"),
    ("1. a\n   1. b\n      c\n2. d\n", "1. a\n    1. b\n        c\n2. d\n"),
    ("* a\n\n  ```sh\n  b\n    c\n  ```\n\nd\n", "* a\n\n    ```sh\n    b\n      c\n    ```\n\nd\n"),
    ("```python a.py\n* b\n```\n", '``` {.python title="a.py"}\n* b\n```\n'),
    ("```\n1. a\n   b\n```\nc\n", "```\n1. a\n   b\n```\nc\n"),
    ("* a\n\nb\n  c\n", "* a\n\nb\n  c\n"),
])
def test_markdown_for_mkdocs(text, expected):
    assert site.for_mkdocs(text) == expected


def test_the_menu_has_the_groups_of_the_first_page():
    text = "# D\n\n## Learn\n\n* [A](a.md): text.\n* [B](../CONTRIBUTING.md)\n\n## Inside\n\n* [C](c.md)\n"
    assert site.menu(text) == [
        {"Learn": [{"A": "docs/a.md"}, {"B": "CONTRIBUTING.md"}]}, {"Inside": [{"C": "docs/c.md"}]}]
    (language,) = [each for each in site.menu("## X\n* [L](language/README.md)\n")[0]["X"]]
    assert language["L"][:2] == ["docs/language/README.md", {"Programs": "docs/language/programs.md"}]
