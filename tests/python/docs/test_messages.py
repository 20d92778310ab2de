"""Every sentence of an error, warning or remark of ir/ and passes/ is in some test.

Sentences are the string literals of the C++ sources that read like prose: the pieces of a
message between the values that it names.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
SELF = pathlib.Path(__file__).name

# Pieces of messages that no test can show, and the reason.
_FITS = "no operation takes more than the four registers that every configuration has"
UNREACHABLE = {
    "internal error: one operation needs more than": _FITS,
    "DST registers; please report it": _FITS,
    "between its passes": "no test crashes MLIR's pass manager itself",
}

CPP_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | '(?:[^'\\]|\\.)+' | \s+
      | (?P<string>"(?:[^"\\]|\\.)*") | (?P<code>\w+|.)""",
    re.VERBOSE | re.DOTALL,
)
# Calls and directives whose strings are for programmers only or are no messages.
SILENT = {"assert", "TTJIT_ASSERT", "static_assert", "llvm_unreachable", "include", "StringLiteral"}
# Files whose strings are emitted programs or explanations, not messages: tests compare their whole output.
EMITTED = ("passes/metalium/", "passes/llvm/", "passes/UpstreamPasses.cpp")


def literals_of(source):
    """Returns the string literals of a C++ file; adjacent literals are joined."""
    pieces, silent, depth = [], None, 0
    joined = False
    for match in CPP_TOKEN.finditer(source):
        if match["string"]:
            text = re.sub(r"\\(.)", r"\1", match["string"][1:-1])
            if silent is None:
                if joined:
                    pieces[-1] += text
                else:
                    pieces.append(text)
            joined = silent is None
        elif match["code"]:
            joined = False
            code = match["code"]
            depth += {"(": 1, ")": -1}.get(code, 0)
            if code in SILENT and silent is None:
                silent = depth
            elif silent is not None and code in (";", ")") and depth <= silent:
                silent = None
    return pieces


def is_prose(literal):
    return re.search(r"[a-z]{2,},? [a-z]{2,}", literal) is not None


def texts_of_tests():
    """Returns the texts of all tests; adjacent string literals are joined."""
    texts = []
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix not in (".mlir", ".py", ".test", ".cpp", ".h", ".expected") or path.name == SELF:
            continue
        text = path.read_text(errors="replace")
        if path.suffix not in (".mlir", ".expected"):
            text = re.sub(r"""(["'])\s*\n\s*[fr]?\1""", "", text).replace('\\"', '"')
        texts.append(text)
    return "\n".join(texts)


def untested(sources, tests):
    """Returns (file, literal) for literals that read like prose and are in no test."""
    missing = []
    for name, source in sources.items():
        for literal in literals_of(source):
            lines = [line.strip() for line in literal.split("\n")]
            missing += [(name, line) for line in lines if is_prose(line) and line not in tests]
    return missing


def sources():
    paths = [p for folder in ("ir", "passes") for p in sorted((ROOT / folder).rglob("*"))]
    names = {str(p.relative_to(ROOT)): p for p in paths if p.suffix in (".cpp", ".h")}
    return {name: p.read_text() for name, p in names.items() if not name.startswith(EMITTED)}


def constraints_of(text):
    """Returns the descriptions of constraints of operands, results, attributes and types in a .td file."""
    text = re.sub(r"//[^\n]*", "", text)
    unions = re.findall(r'\bAnyTypeOf<\[[^]]*\],\s*"([^"]+)"', text)
    types = re.findall(r'\bType<\s*CPred<"[^"]*">,\s*"([^"]+)"', text)
    arrays = re.findall(r'\bTypedArrayAttrBase<\w+,\s*"([^"]+)"', text)
    equal = re.findall(r'\bTypesMatchWith<\s*"([^"]+)"', text)
    return (
        [f"must be {what}, but got" for what in unions + types]
        + [f"failed to satisfy constraint: {what}" for what in arrays]
        + [f"failed to verify that {what}" for what in equal]
    )


def test_every_constraint_has_a_test():
    tests = texts_of_tests()
    found = [
        constraint
        for path in sorted((ROOT / "ir").rglob("*.td"))
        for constraint in constraints_of(path.read_text())
    ]
    assert len(found) > 8
    assert not [constraint for constraint in found if constraint not in tests]


def test_every_message_has_a_test():
    missing = [(name, text) for name, text in untested(sources(), texts_of_tests())
               if text not in UNREACHABLE]
    assert not missing, "\n".join(f"{name}: {text}" for name, text in missing)


def test_the_allow_list_is_needed():
    texts = texts_of_tests()
    stale = [text for text in UNREACHABLE if text in texts]
    assert not stale


def test_the_check_can_fail():
    source = 'op.emitError("is far too " "long") << x << " for a short line";  // "no text here"\n'
    assert untested({"a.cpp": source}, "is far too long") == [("a.cpp", "for a short line")]
    assert untested({"a.cpp": 'assert(x && "only for programmers");'}, "") == []
