"""tools/style.py checks namespaces, header guards, rulers and comments of C++ files."""

import collections
import importlib.util

import pytest
from structure import ROOT


@pytest.fixture(scope="module")
def style():
    specification = importlib.util.spec_from_file_location("style", ROOT / "tools" / "style.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


RULER = "//===" + "-" * 74 + "===//"


@pytest.mark.parametrize(("folder", "namespace"), [
    ("hw/device", "ttjit::hw"),
    ("diagnostics", "ttjit::diagnostics"),
    ("tools/mlir-run", "ttjit::mlir_run"),
    ("ir/TTL", "mlir::tt::ttl"),
    ("ir/Nodes", "ttjit"),
    ("passes/dst", "ttjit"),
    ("passes/llvm", "ttjit::tollvm"),
])
def test_namespaces_have_the_names_of_folders(style, folder, namespace):
    assert style.namespace_of(folder) == namespace
    text = f"namespace {namespace} {{\nint f();\n}} // namespace {namespace}\n"
    assert list(style.namespace_mistakes(f"{folder}/F.cpp", text)) == []


def test_another_namespace_is_a_mistake(style):
    text = "\nnamespace ttjit::session {\nint f();\n} // namespace ttjit::session\n"
    message = "namespace ttjit::session: the files of this folder are in ttjit::plan"
    assert list(style.namespace_mistakes("tools/plan/F.h", text)) == [(2, message)]


def test_declarations_of_other_classes_and_inner_namespaces_are_none(style):
    text = "namespace mlir {\nclass Operation;\n// a comment\n} // namespace mlir\n"
    assert list(style.namespace_mistakes("jit/F.h", text)) == []
    text = "namespace ttjit::hw::fast {\nint f();\n} // namespace ttjit::hw::fast\n"
    assert list(style.namespace_mistakes("hw/abi/F.h", text)) == []


def test_header_guards_have_the_names_of_files(style):
    text = "#ifndef TTJIT_TOOLS_MLIR_RUN_F_H\n#define TTJIT_TOOLS_MLIR_RUN_F_H\n"
    assert list(style.guard_mistakes("tools/mlir-run/F.h", text)) == []
    assert list(style.guard_mistakes("tools/plan/F.h", text)) == [
        (1, "header guard TTJIT_TOOLS_MLIR_RUN_F_H: expected TTJIT_TOOLS_PLAN_F_H")]


@pytest.mark.parametrize(("line", "title"), [
    ("//===-===//", ""),
    ("//===- F.h - text ----------------*- C++ -*-===//", "- F.h - text "),
    ("//===- F.td - text -*- tablegen -*-===//", "- F.td - text "),
    ("//===--- Title -----===//", "--- Title "),
    ("//===" + "-" * 100 + "===//", ""),
])
def test_rulers_get_one_width(style, line, title):
    better = style.ruled(line)
    assert len(better) == len(RULER) == style.WIDTH
    assert better.startswith("//===" + title) and better.endswith("===//")
    assert ("tablegen" in better, "C++" in better) == ("tablegen" in line, "C++" in line)
    assert style.ruled(better) == better


def test_other_lines_stay(style):
    for line in ("// text ---", "int i; // ===", RULER):
        assert style.ruled(line) == line


def test_a_title_that_is_too_long_is_a_mistake(style):
    line = "//===- F.h - " + "long " * 15 + "-*- C++ -*-===//"
    found = list(style.style_mistakes("hw/device/F.h", style.ruled(line)))
    assert len(found) == 1 and "shorten its text" in found[0][1]


def test_comments_of_source_files_have_two_slashes(style):
    text = '/// Text.\nint i; ///< text\nauto s = "a /// b";\n'
    assert style.restyled("hw/device/F.cpp", text) == '// Text.\nint i; // text\nauto s = "a /// b";\n'
    assert style.restyled("hw/device/F.h", text) == text
    assert [line for line, _ in style.mistakes("hw/device/F.cpp", text)] == [1, 2]


def test_modules_beside_tests_have_names_of_their_own():
    """All tests run in one process, which can import only one module of a name."""
    files = [file for file in (ROOT / "tests" / "python").rglob("*.py") if file.name != "conftest.py"]
    names = collections.Counter(file.stem for file in files)
    assert not [file for file in files if names[file.stem] > 1]
