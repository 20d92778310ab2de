# SPDX-License-Identifier: Apache-2.0
"""The paths, pages and identifiers that pages and comments name exist."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CPP = (".h", ".cpp", ".def", ".td", ".in")
# Folders whose comments are checked. Tests and examples are not: they use names that they make up.
CHECKED = ("diagnostics/", "frontend/", "hw/", "interp/", "ir/", "jit/", "passes/", "tools/", "cmake/")
FOLDERS = "diagnostics|frontend|ir|passes|hw|jit|interp|tools|tests|docs|examples|cmake"
PATH = re.compile(rf"(?<![\w./-])((?:{FOLDERS})/[\w./-]*\w)(?![\w*{{])")
FILE = re.compile(r"(?<![\w./*-])([\w-]+\.(?:h|cpp|py|def|td|md))\b")
QUALIFIED = re.compile(r"\b([A-Za-z_]\w*(?:::\w+)+)|\b([a-z]\w*[A-Z_]\w*)\(\)|`([A-Za-z_][\w.:]*)(?:\(\))?`")
# Files that are not in the tree: headers of other projects, and files that a build or a program writes.
ELSEWHERE = {"dev_mem_map.h", "noc_parameters.h", "circular_buffer_constants.h", "immintrin.h", "Python.h", "ffi.h",
             "ops.md", "functions.md", "names.md", "kernel.mlir", "add__reader.cpp", "add__reader-2.cpp"}
WRITTEN = ("docs/ops.md", "docs/dialects", "docs/names")


def listed():
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if (ROOT / name).is_file()]


def is_text(name):
    return pathlib.Path(name).suffix in (*CPP, ".py", ".txt", ".sh", ".cmake", ".json", ".mlir", "") or \
        name.endswith(".md")


NAMES = listed()
TEXTS = {name: (ROOT / name).read_text(errors="replace") for name in NAMES if is_text(name)}
PAGES = {name: text for name, text in TEXTS.items()
         if name.endswith(".md") and not name.startswith(("docs/dialects", "docs/ops", "docs/language/status"))}


def comments(name, text):
    """Returns the comments and docstrings of a file, each at its line; other text is removed."""
    if name.endswith(CPP):
        found = re.finditer(r"//[^\n]*", text)
    else:
        found = re.finditer(r'(?<![\w"\'])#[^\n]*|"""(?s:.*?)"""', text)
    return "\n".join(match[0] for match in found)


COMMENTS = {name: comments(name, text) for name, text in TEXTS.items()
            if name.startswith(CHECKED) and not name.endswith(".md") and not name.endswith("CMakeLists.txt")}


def is_placeholder(name):
    """Returns whether the name has a part in capitals, which is a placeholder for another name."""
    return re.search(r"[A-Z]{4}", name.replace("README", "").replace("LICENSE", "")) is not None


def missing_paths(text):
    found = {name for name in PATH.findall(text) if not is_placeholder(name)}
    places = [ROOT, ROOT / "tests", ROOT / "tests" / "python"]
    return sorted(
        name for name in found
        if not name.startswith(WRITTEN)
        and not any((place / f"{name}{end}").exists() for place in places for end in ("", ".h", ".cpp", ".py"))
    )


FILES = {pathlib.Path(name).name for name in NAMES}
CODE = {name: re.sub(r"//[^\n]*", "", text) if name.endswith(CPP) else text
        for name, text in TEXTS.items() if not name.endswith(".md") and not name.startswith("tests/python/docs/")}
STRINGS = "\n".join(CODE.values())
WORDS = set(re.findall(r"\w+", STRINGS))


def missing_files(text):
    """Returns the file names in a text that neither the tree nor a program's output has."""
    named = {name for name in FILE.findall(text) if not is_placeholder(name)}
    return sorted(name for name in named - FILES - ELSEWHERE if f'"{name}' not in STRINGS)


def is_identifier(name):
    """Returns whether a word looks like an identifier of the code, not like a word of the text."""
    is_made_up = name.startswith(("_", "transform.")) or is_placeholder(name) or re.search(r"_[N\d]|\d$", name)
    return re.search(r"[a-z][A-Z]|[a-z]_[a-z]|::", name) and not is_made_up and not FILE.fullmatch(name)


def missing_identifiers(text):
    named = {"".join(match) for match in QUALIFIED.findall(text)}
    return sorted(name for name in named
                  if is_identifier(name) and not set(filter(None, re.split(r"::|\.", name))) <= WORDS)


def prose(text):
    """Returns a page without its fenced blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_what_exists(page):
    text = prose(PAGES[page])
    assert missing_paths(text) == []
    if page != "docs/performance.md":  # a program puts the names of its cases together
        assert missing_identifiers(text) == []


def test_comments_name_paths_that_exist():
    assert {name: found for name, text in COMMENTS.items() if (found := missing_paths(text))} == {}


def test_comments_name_files_and_documents_that_exist():
    found = {name: missing_files(text) for name, text in COMMENTS.items()}
    assert {name: files for name, files in found.items() if files} == {}


def test_comments_name_identifiers_that_exist():
    found = {name: missing_identifiers(text) for name, text in COMMENTS.items() if name.endswith(CPP)}
    assert {name: identifiers for name, identifiers in found.items() if identifiers} == {}


def test_what_is_gone_is_found():
    gone = "k" + "GoneHeaders"  # put together: written as one word, it would be found in this file
    text = f"`{gone}` and Session::launch() and `hw::{gone}` in hw/gone/File.h, see design.md and Noc.h"
    assert missing_identifiers(text) == [f"hw::{gone}", gone]
    assert missing_paths(text) == ["hw/gone/File.h"]
    assert missing_files(text) == ["design.md"]
    assert missing_paths("hw/gone/NAME.h passes/STAGE/*.cpp tests/lit/*") == []
    assert comments("a.h", "int a; // b\n") == "// b" and comments("a.py", 'x = 1  # y\n"""z"""\n') == '# y\n"""z"""'
