"""docs/running.md has the table of options that `ttl-jit` prints."""

import pathlib
import sys

import _ttjit

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "running.md"
BEGIN, END = "<!-- options -->\n", "<!-- end of options -->\n"


def updated(page):
    """Returns the page with the table that ttl-jit prints now."""
    head, rest = page.split(BEGIN)
    return head + BEGIN + _ttjit.options_page() + END + rest.split(END)[1]


def test_the_page_has_every_option():
    page = PAGE.read_text()
    assert updated(page) == page, "run python3 tests/python/docs/test_running_page.py --update"


def test_each_option_has_one_row():
    page = _ttjit.options_page()
    names = [name for name, _ in _ttjit.kernel_options()] + _ttjit.process_options()
    assert len(names) > 35
    for name in names:
        rows = [row for row in page.splitlines() if f"`--{name}`" in row.split(" | ")[0]]
        assert len(rows) == 1, name


def test_the_page_of_python_lists_the_options_of_launches():
    *names, last = [f"`{name.replace('-', '_')}`" for name in _ttjit.launch_options()
                    if name != "scheduler"]
    sentence = f"{', '.join(names)} and {last} change a launch, not the kernel"
    assert sentence in " ".join((ROOT / "docs" / "python.md").read_text().split())


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    PAGE.write_text(updated(PAGE.read_text()))
