# SPDX-License-Identifier: Apache-2.0
"""examples/README.md lists every file of its folder, and each example says what it shows."""

import ast
import pathlib
import re

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
PAGE = (EXAMPLES / "README.md").read_text()
FILES = sorted(str(path.relative_to(EXAMPLES)) for pattern in ("*.py", "*.mlir", "metalium/*.py")
               for path in EXAMPLES.glob(pattern))


def rows_of(page):
    """Returns the files that the tables' rows name."""
    return re.findall(r"^\| \[([^\]]+)\]\(\1\) \| [^|\s]", page, re.MULTILINE)


def links_of(page):
    return re.findall(r"\]\(([^)#]+)\)", page)


def test_every_file_is_listed():
    assert sorted(set(FILES) - set(links_of(PAGE))) == []


def test_every_link_leads_to_a_file():
    missing = [link for link in links_of(PAGE) if not (EXAMPLES / link).is_file()]
    assert missing == []


def test_every_example_has_one_row():
    examples = [name for name in FILES if name.endswith(".py")
                and name not in ("check.py", "metalium/programs.py")]
    assert sorted(rows_of(PAGE)) == examples


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".py")])
def test_examples_begin_with_what_they_show(name):
    header = ast.get_docstring(ast.parse((EXAMPLES / name).read_text())) or ""
    assert re.match(r".{20,}[.:]", header.replace("\n", " "))


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".py")])
def test_examples_need_no_torch(name):
    assert "torch" not in (EXAMPLES / name).read_text()


def test_the_first_page_leads_here():
    first = (EXAMPLES.parent / "README.md").read_text()
    assert {"docs/tutorial.md", "examples/README.md"} <= set(links_of(first))


def test_rows_need_a_text():
    assert rows_of("| [a.py](a.py) | an idea |\n| [b.py](c.py) | x |\n| [d.py](d.py) | |\n") == ["a.py"]
