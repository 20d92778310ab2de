"""Reads the source tree: libraries and what they link, includes, imports, sizes of files and functions.

`python3 tests/python/tools/structure.py` lists the files, folders and modules that include or import each other
in a circle.
"""

import ast
import os
import pathlib
import re
import subprocess
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
# Kernels include these headers; CMake puts them into a library as text, so they are no sources here.
KERNEL_HEADERS = ROOT / "hw" / "metalium" / "include"
SOURCES = ("diagnostics", "hw", "ir", "passes", "interp", "jit", "frontend", "tools")


def source_files(*suffixes):
    """Returns the names of the files with these suffixes, relative to the root."""
    found = []
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes and KERNEL_HEADERS not in path.parents:
                found.append(str(path.relative_to(ROOT)))
    return sorted(found)


# ===--------------------------------------------------------------------------=== #
# Graphs
# ===--------------------------------------------------------------------------=== #


def reachable(graph, start):
    """Returns all nodes that `start` leads to, among them `start` itself only if a circle leads back to it."""
    found, open_nodes = set(), list(graph.get(start, ()))
    while open_nodes:
        node = open_nodes.pop()
        if node not in found:
            found.add(node)
            open_nodes.extend(graph.get(node, ()))
    return found


def circles(graph):
    """Returns the groups of nodes that reach each other, as sorted lists."""
    behind = {node: reachable(graph, node) for node in graph}
    groups = set()
    for node in graph:
        if node in behind[node]:
            groups.add(frozenset(n for n in behind[node] if node in behind.get(n, ())))
    return sorted(sorted(group) for group in groups)


# ===--------------------------------------------------------------------------=== #
# Libraries
# ===--------------------------------------------------------------------------=== #


def linked_targets(folder):
    """Returns {target: targets that it links}, from what `cmake --graphviz` writes into `folder`."""
    graph = folder / "targets.dot"
    command = ["cmake", f"--graphviz={graph}", str(BUILD)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    links = {}
    for source, target in re.findall(r"// (\S+) -> (\S+)$", graph.read_text(), re.MULTILINE):
        links.setdefault(source, set()).add(target)
    return links


def library_folders():
    """Returns {folder: its library}. The library of folder a/b is called ttjit-a-b."""
    folders = {}
    for path in ROOT.rglob("CMakeLists.txt"):
        name = str(path.parent.relative_to(ROOT))
        if name.split("/")[0] not in SOURCES:
            continue
        text = path.read_text()
        library = "ttjit-" + name.replace("/", "-")
        stage = f"ttjit_passes_library({path.parent.name}"
        declared = (f"ttjit_library({library}", f"add_library({library} ", stage)
        if any(each in text for each in declared):
            folders[name] = library
    return folders


def written_arrows(page):
    """Returns {folder: folders that it may use}, from the block `text arrows` of a page."""
    block = re.search(r"^```text arrows\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    arrows = {}
    for line in block.replace(",\n", ",").splitlines():
        folder, targets = line.split("->")
        arrows[folder.strip()] = {name.strip() for name in targets.split(",") if name.strip()}
    return arrows


# ===--------------------------------------------------------------------------=== #
# Includes and imports
# ===--------------------------------------------------------------------------=== #


def includes_of(name):
    """Returns the headers of the tree that a file includes."""
    text = (ROOT / name).read_text()
    found = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
    return [header for header in found if header.split("/")[0] in SOURCES]


def stem(name):
    """Returns the name without its suffix; hw/device/Noc is the stem of a header and of its source file."""
    return name.rsplit(".", 1)[0]


def folder(name):
    """Returns the folder of a file or a header."""
    return name.rsplit("/", 1)[0]


def include_graph(files, node=stem):
    """Returns {node: nodes that it includes}. Generated headers, which end in .inc, are left out."""
    graph = {}
    for name in files:
        used = {node(header) for header in includes_of(name) if header.endswith(".h")}
        graph.setdefault(node(name), set()).update(used - {node(name)})
    return graph


TYPE = re.compile(
    r"^(?:template <[^>]*>\s*)?(?:class|struct|enum class|union)\s+(?:alignas\([^)]*\)\s+)?"
    r"(\w+)(?: final)?(?: :[^;{]*)?\s*\{",
    re.M,
)


def types_of(text):
    """Returns the names of the types that a header defines outside of other types."""
    return set(TYPE.findall(text))


def module_name(path):
    """Returns a file's module name: ttl._keys for frontend/python/ttl/_keys.py."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree, package):
    """Yields the dotted names that a module of `package` imports, anywhere in the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = ".".join([*base, node.module] if node.module else base)
            origin = origin if node.level else node.module
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def import_graph(folder):
    """Returns {module: modules under `folder` that it imports}. A package may import its own modules."""
    paths = {module_name(p.relative_to(folder)): p for p in folder.rglob("*.py")}
    graph = {}
    for name, path in paths.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        used = set(imports_of(ast.parse(path.read_text()), package)) & set(paths)
        # `from . import x` imports x; it names the package only because x is in it.
        graph[name] = {other for other in used if other not in (name, package)}
    return graph


# ===--------------------------------------------------------------------------=== #
# Sizes
# ===--------------------------------------------------------------------------=== #


class Function(NamedTuple):
    place: str  # file:line
    lines: int


NOISE = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/'
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$",
    re.DOTALL | re.MULTILINE,
)


def without_noise(text):
    """Returns C++ text with strings, comments and preprocessor lines blanked; line numbers stay the same."""
    return NOISE.sub(lambda match: "\n" * match[0].count("\n"), text)


def opens_function(head):
    """Returns whether a brace starts a function. `head` is the text from the last ; { or } to the brace."""
    head = re.sub(r"^\s*(?:public|private|protected)\s*:", "", head)
    if re.match(r"\s*(?:template\s*<.*>\s*)?(?:namespace|class|struct|enum|union|extern)\b", head,
                re.DOTALL):
        return False
    return "(" in head and not re.search(r"=\s*$", head)


def cpp_functions(name, text):
    """Yields the functions of a file. A lambda counts as a part of the function around it."""
    text = without_noise(text)
    depth_of_function, depth, last, start = None, 0, 0, 0
    for match in re.finditer(r"[{};]", text):
        position = match.start()
        if match[0] == "{":
            head = text[last:position]
            if depth_of_function is None and opens_function(head):
                depth_of_function = depth
                start = last + len(head) - len(head.lstrip())
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == depth_of_function:
                depth_of_function = None
                first = text.count("\n", 0, start) + 1
                yield Function(f"{name}:{first}", text.count("\n", start, position) + 1)
        last = position + 1


def python_functions(name, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield Function(f"{name}:{node.lineno}", node.end_lineno - node.lineno + 1)


def functions():
    found = []
    for name in source_files(".h", ".cpp", ".py"):
        count = python_functions if name.endswith(".py") else cpp_functions
        found += count(name, (ROOT / name).read_text())
    return found


def main():
    files = source_files(".h", ".cpp")
    graphs = {
        "files": include_graph(files),
        "folders": include_graph(files, node=folder),
        "modules": import_graph(ROOT / "frontend" / "python"),
    }
    for kind, graph in graphs.items():
        for names in circles(graph):
            print(f"{len(names)} {kind}: {', '.join(names)}")


if __name__ == "__main__":
    main()
