"""What tools/lint checks besides clang-format and clang-tidy: namespaces, header guards, rulers and
comments of the C++ files, and rulers of the Python files. CONTRIBUTING.md has the rules."""
# SPDX-License-Identifier: Apache-2.0

import re

WIDTH = 84
# Folders whose namespace is not the folder's name, because other code uses their names unqualified, or
# because the name means something else in C++.
NAMESPACES = {
    "frontend/launcher": "ttjit",
    "passes/llvm": "ttjit::tollvm",
    "passes/metalium": "ttjit::tometalium",
}
# Namespaces and guards are not checked here: tests and examples need none, and the headers in
# hw/metalium follow Metalium.
UNCHECKED = ("tests/", "examples/", "hw/metalium/")
PYTHON = re.compile(r"#!.*\bpython3?\n")


def is_python(path):
    """Returns whether a file is a module or a script of Python."""
    if path.suffix:
        return path.suffix == ".py"
    with path.open(errors="replace") as file:
        return PYTHON.match(file.readline()) is not None


def namespace_of(folder):
    """Returns the namespace of the files of a folder."""
    if folder in NAMESPACES:
        return NAMESPACES[folder]
    first, _, rest = folder.partition("/")
    dialect = rest.removeprefix("modules/")
    if first == "ir" and (dialect.startswith("TT") or dialect in ("D2M", "Linalg")):
        return "mlir::tt::" + dialect.lower()
    if first in ("ir", "passes"):
        return "ttjit"
    return "ttjit::" + (rest if first == "tools" else first).replace("-", "_")


def declares_only(body):
    """Returns whether a namespace has nothing but declarations of classes."""
    return re.fullmatch(r"\s*((//[^\n]*|(class|struct|enum class) [^;{]+;)\s*)*", body) is not None


def namespace_mistakes(name, text):
    """Yields (line, message) for each namespace of a file that does not belong to the file's folder."""
    if name.startswith(UNCHECKED) or "/" not in name:
        return
    wanted = namespace_of(name.rpartition("/")[0])
    for match in re.finditer(r"^namespace ([\w: ]+) \{\n(.*?)^\} // namespace \1$", text, re.M | re.S):
        found, body = match.groups()
        inside = found == wanted or found.startswith(wanted + "::")
        shared = name.startswith("passes/") and found == "ttjit"
        if not (inside or shared or declares_only(body)):
            line = text.count("\n", 0, match.start()) + 1
            yield line, f"namespace {found}: the files of this folder are in {wanted}"


def guard_mistakes(name, text):
    """Yields (line, message) if the header guard of a file is not made from the file's path."""
    if not name.endswith(".h") or name.startswith(UNCHECKED):
        return
    wanted = "TTJIT_" + re.sub(r"[/.-]", "_", name).upper()
    match = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)
    if match and match[1] != wanted:
        yield text.count("\n", 0, match.start()) + 1, f"header guard {match[1]}: expected {wanted}"


def ruled(line):
    """Returns a ruler with the width of all rulers; returns any other line unchanged."""
    match = re.fullmatch(r"(\s*//===-.*?)-*((?: ?\*- [\w+]+ -\*)?-?===//)", line)
    if not match or len(line) == WIDTH:
        return line
    start, end = match.groups()
    return start + "-" * (WIDTH - len(start) - len(end)) + end


def ruled_in_python(line):
    """Returns a ruler in the form of all rulers in Python; returns any other line unchanged."""
    match = re.fullmatch(r"( *)# ?(?:=*-{8,}[-=]*|=+(-+ .*\S )-+=*)(?: ?#|//)?", line)
    if not match:
        return line
    start = f"{match[1]}# ===" + (match[2] or "")
    end = "=== #"
    return start + "-" * (WIDTH - len(start) - len(end)) + end


def restyled(name, text, python=False):
    """Returns the text with rulers of one width. In a .cpp file, it also makes comments begin with two
    slashes, because three are for what a header declares, and removes "*- C++ -*-" from line 1,
    because the ending .cpp already names the language."""
    lines = text.split("\n")
    if python:
        return "\n".join(map(ruled_in_python, lines))
    if name.endswith(".cpp"):
        lines[0] = lines[0].replace("*- C++ -*-===//", "===//")
        lines = [re.sub(r'^(\s*|[^"]*?\s)///<?(?= |$)', r"\1//", line) for line in lines]
    return "\n".join(ruled(line) for line in lines)


def style_mistakes(name, text, python=False):
    """Returns (line, message) for each line that restyled() changes, and for rulers that are too long."""
    better = restyled(name, text, python).split("\n")
    for number, (line, wanted) in enumerate(zip(text.split("\n"), better), 1):
        if line != wanted:
            yield number, f"expected: {wanted.strip()}"
        elif re.fullmatch(r"//===-.*===//", line) and len(line) > WIDTH:
            yield number, f"this ruler has {len(line)} characters, expected {WIDTH}: shorten its text"


def mistakes(name, text, python=False):
    """Returns (line, message) for each mistake in a file."""
    if python:
        return list(style_mistakes(name, text, python))
    found = [*namespace_mistakes(name, text), *guard_mistakes(name, text), *style_mistakes(name, text)]
    return sorted(found)
