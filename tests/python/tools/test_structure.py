"""The tree has the shape that docs/architecture.md describes, and its files stay small."""

import statistics

import pytest
import structure
from structure import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text()
LONGEST_FILE, LONGEST_FUNCTION = 600, 60

# Shared libraries. The last three are loaded only when something needs them.
SHARED = ("ttjit-session", "ttjit-device", "ttjit-emission", "ttjit-modules", "ttjit-schedule")

# Programs (of ttl-jit its commands, and the library that it loads), the larger Python extensions, the loops of
# tools/bench: folder and targets.
PROGRAMS = {
    "tools/ttl-jit": ("ttjit-command", "ttjit-modules"),
    "tools/ttl-opt": ("ttl-opt",),
    "tools/ttl-translate": ("ttl-translate",),
    "tools/ttl-lsp-server": ("ttl-lsp-server",),
    "tools/python-extension": ("_ttjit_compiler", "_ttjit_models"),
    "tools/benchmarks": ("ttjit-bench-native",),
}


def text_of(lines):
    return "\n".join(str(line) for line in lines)


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    """Folder: folders whose libraries its library links directly."""
    targets = structure.linked_targets(tmp_path_factory.mktemp("graph"))
    folders = structure.library_folders()
    names = {library: folder for folder, library in folders.items()}
    used = {}
    owners = {folder: (library,) for folder, library in folders.items()} | PROGRAMS
    for folder, libraries in owners.items():
        # A program that links a shared library may use all libraries that this one was made of.
        direct = set().union(libraries, *(targets.get(library, ()) for library in libraries))
        for shared in SHARED:
            direct |= targets[shared] if shared in direct else set()
        direct -= set(libraries)
        used[folder] = {names[target] for target in direct if target in names}
    return used


def folder_of(name, folders):
    return max((f for f in folders if name.startswith(f + "/")), key=len, default=None)


# ===--------------------------------------------------------------------------=== #
# Libraries
# ===--------------------------------------------------------------------------=== #


def test_libraries_link_what_the_page_says(links):
    arrows = structure.written_arrows(PAGE)
    libraries = {f: used for f, used in links.items() if f in structure.library_folders()}
    assert arrows == libraries


def test_libraries_have_no_circle(links):
    assert structure.circles(links) == []


def test_every_folder_with_sources_is_a_library(links):
    files = structure.source_files(".h", ".cpp")
    outside = [f for f in files if folder_of(f, links) is None]
    assert not outside, text_of(outside)


def test_the_shared_libraries_hold_every_folder(tmp_path):
    targets = structure.linked_targets(tmp_path)
    names = {library: folder for folder, library in structure.library_folders().items()}
    linked = set().union(*(targets[library] for library in SHARED))
    held = {names[target] for target in linked if target in names}
    frontend = {"frontend", "frontend/tensor", "frontend/launcher"}
    headers = {"hw/facts", "hw/abi"}
    assert held == set(structure.library_folders()) - frontend - headers


def test_includes_follow_links(links):
    wrong = []
    for name in structure.source_files(".h", ".cpp"):
        folder = folder_of(name, links)
        allowed = structure.reachable(links, folder) | {folder}
        for header in structure.includes_of(name):
            if folder_of(header, links) not in allowed:
                wrong.append(f"{name} includes {header}")
    assert not wrong, text_of(wrong)


# ===--------------------------------------------------------------------------=== #
# Files
# ===--------------------------------------------------------------------------=== #


def test_headers_do_not_include_each_other_in_a_circle():
    graph = structure.include_graph(structure.source_files(".h"), node=str)
    found = structure.circles(graph)
    assert not found, text_of(found)


def test_no_two_headers_define_types_of_one_name():
    """A name means one thing in the whole tree, also where two namespaces would keep it apart."""
    owners = {}
    for name in structure.source_files(".h"):
        for each in structure.types_of((ROOT / name).read_text()):
            owners.setdefault(each, []).append(name)
    found = [f"{each}: {', '.join(names)}" for each, names in sorted(owners.items()) if len(names) > 1]
    assert not found, text_of(found)


def test_files_do_not_include_each_other_in_a_circle():
    """A header and its source file count as one file."""
    graph = structure.include_graph(structure.source_files(".h", ".cpp"))
    found = structure.circles(graph)
    assert not found, text_of(found)


def test_folders_of_the_frontend_do_not_include_each_other_in_a_circle():
    """One library holds frontend and frontend/walk/*, so the links do not say what they may use."""
    files = [name for name in structure.source_files(".h", ".cpp") if name.startswith("frontend/")]
    graph = structure.include_graph(files, node=structure.folder)
    found = structure.circles(graph)
    assert not found, text_of(found)


def test_python_modules_do_not_import_each_other_in_a_circle():
    found = structure.circles(structure.import_graph(ROOT / "frontend" / "python"))
    assert not found, text_of(found)


def test_a_helper_header_has_several_users():
    """A header that a single source file includes belongs into that file.

    Not so the header of a source file, and not a header that another header includes: both
    are a part of an interface.
    """
    files = structure.source_files(".h", ".cpp")
    users = {}
    for name in files:
        for header in structure.includes_of(name):
            users.setdefault(header, set()).add(name)
    # CMake writes several source files from each file .cpp.in.
    written = {h for name in structure.source_files(".in") for h in structure.includes_of(name)}
    # Kernels in C++ are compiled against these headers while the program runs.
    kernel_headers = ROOT.glob("hw/metalium/include/ttjit/*.h")
    written |= {h for path in kernel_headers for h in structure.includes_of(str(path.relative_to(ROOT)))}
    sources = {structure.stem(name) for name in files if name.endswith(".cpp")}
    lonely = []
    for header in structure.source_files(".h"):
        including = users.get(header, set())
        if len(including) > 1 or header in written or header.endswith("/Precompiled.h"):
            continue
        included_by_header = any(user.endswith(".h") for user in including)
        if structure.stem(header) not in sources and not included_by_header:
            lonely.append(f"{header} is included by {', '.join(including) or 'no file'}")
    assert not lonely, text_of(lonely)


def test_no_file_is_too_long():
    files = structure.source_files(".h", ".cpp", ".py", ".td", ".def")
    lines = {name: (ROOT / name).read_text().count("\n") for name in files}
    long = [f"{name}: {count} lines" for name, count in lines.items() if count > LONGEST_FILE]
    assert not long, text_of(long)


def test_files_have_a_good_size():
    files = structure.source_files(".cpp")
    median = statistics.median((ROOT / name).read_text().count("\n") for name in files)
    assert 100 <= median <= 250


def test_no_function_is_too_long():
    long = [each for each in structure.functions() if each.lines > LONGEST_FUNCTION]
    long.sort(key=lambda each: -each.lines)
    assert not long, text_of(f"{each.place}: {each.lines} lines" for each in long)


def test_most_functions_are_short():
    assert statistics.median(each.lines for each in structure.functions()) <= 8


# ===--------------------------------------------------------------------------=== #
# Tests
# ===--------------------------------------------------------------------------=== #

# Tests of several folders at once.
SPANNING = {"tests/unit": {"engines", "corpus", "robustness"}, "tests/lit": {"programs"}}


@pytest.mark.parametrize("root", SPANNING)
def test_tests_mirror_the_folders(root):
    """tests/unit/passes/dst tests passes/dst."""
    tested = {
        str(path.parent.relative_to(ROOT / root))
        for path in (ROOT / root).rglob("*")
        if path.suffix in (".cpp", ".mlir", ".test") and path.parent.name != "Inputs"
    }
    outside = {name for name in tested - SPANNING[root] if not (ROOT / name).is_dir()}
    assert not outside, text_of(sorted(outside))


# ===--------------------------------------------------------------------------=== #
# The checks can fail
# ===--------------------------------------------------------------------------=== #


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}
    assert structure.circles(graph) == [["b", "c"], ["e"]]


def test_types_are_found():
    text = "struct A;\nstruct B : C {\n  struct D {};\n};\ntemplate <typename T> class E {\nenum class F : int {\n"
    assert structure.types_of(text) == {"B", "E", "F"}


def test_functions_are_counted():
    text = """
namespace n {
struct S : Base {
  int size() const { return 1; } // {
  std::vector<int> values = {1, 2};
};
static const Table table[] = {
    {1, f(2)},
};
template <typename T>
S::S(int a)
    : a(a), b("{") {
  auto l = [&] {
    return a;
  };
}
#define M(x) {
} // namespace n
"""
    found = [tuple(each) for each in structure.cpp_functions("f", text)]
    assert found == [("f:4", 1), ("f:10", 7)]


def test_imports_are_found(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.py").write_text("from . import a\nfrom .b import x\n")
    (tmp_path / "p" / "a.py").write_text("from .b import x\nimport os\n")
    (tmp_path / "p" / "b.py").write_text("def f():\n    from . import a\n")
    graph = structure.import_graph(tmp_path)
    assert graph == {"p": {"p.a", "p.b"}, "p.a": {"p.b"}, "p.b": {"p.a"}}
    assert structure.circles(graph) == [["p.a", "p.b"]]
