# SPDX-License-Identifier: Apache-2.0
"""Links of pages lead to files and headings that exist; lines are short; docs/README.md lists all pages."""

import pathlib
import re

import pytest
from language_page import status

ROOT = pathlib.Path(__file__).resolve().parents[3]
GENERATED = {ROOT / "docs" / "ops.md", *(ROOT / "docs" / "dialects").glob("*.md")}
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "examples" / "README.md"} - GENERATED)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def without_code(text):
    return status.FENCE.sub("", text)


def broken_links(page, text):
    """Yields the links of a page whose file or heading does not exist."""
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", without_code(text))):
        file, _, anchor = target.partition("#")
        if ":" in file:
            continue
        path = page.parent / file if file else page
        headings = status.headings(path.read_text()) if path.suffix == ".md" and path.exists() else []
        if not path.exists() or (anchor and anchor not in {status.anchor(each) for _, _, each in headings}):
            yield target


def long_lines(text):
    """Returns lines of more than 120 characters, except in tables and in blocks that quote output."""
    found, block = [], None
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            block = line.lstrip("` ").split(" ")[0] if block is None else None
        elif len(line) > 120 and not line.startswith("|") and block in (None, "python"):
            found.append(line)
    return found


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links(page):
    assert list(broken_links(page, page.read_text())) == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_lines_are_short_enough_to_read(page):
    assert long_lines(page.read_text()) == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_has_one_title(page):
    text = page.read_text()
    assert text.startswith("# ") and [level for _, level, _ in status.headings(text)].count(1) == 1


def test_every_page_is_listed():
    listed = {target for target in LINK.findall((ROOT / "docs" / "README.md").read_text())}
    pages = {path.name for path in ROOT.glob("docs/*.md")} - {path.name for path in GENERATED} - {"README.md"}
    assert pages - listed == set() and "language/README.md" in listed


def test_the_checks_can_fail():
    page = ROOT / "docs" / "errors.md"
    text = "[a](no.md) [b](errors.md#no) [c](errors.md#source) `[d](no.md)`\n```\n[e](no.md)\n```\n"
    assert list(broken_links(page, text)) == ["no.md", "errors.md#no"]
    line = "x" * 121
    assert long_lines(f"{line}\n| {line} |\n```\n{line}\n```\n```python\n{line}\n```\n") == [line, line]
