"""Finds, for each op, the file that executes it or that handles it before threads run, for tools/docs.

Files of interp/ops execute ops: their functions add*Ops() enter a rule for each op class into a table. A rule is
the C++ function that decodes ops of a class into instructions of the interpreter."""
# SPDX-License-Identifier: Apache-2.0

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Files that handle ops which no thread runs. The first file that names the op's class counts.
ELSEWHERE = ["tools/plan/ProgramBuilder.cpp", "tools/plan/PipePlan.cpp", "tools/mlir-run/MainRunner.cpp",
             "passes/ttl/Microcores.cpp", "passes/ttl/SplitUnifiedThreads.cpp", "passes/ttl/Shorthands.cpp"]
# The files that handle the ops with the trait IsAlias, and the tile ops of the rows of hw/facts/TileOps.def.
ALIASES, ROWS = "passes/ttl/Aliases.cpp", "interp/ops/Compute.cpp"


def rules_in(text):
    """Returns the classes, such as "ttl::CopyOp", that a file of interp/ops adds rules for."""
    body = re.search(r"^void interp::add\w+Ops\(OpTable &table\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    if not body:
        return []
    names = re.findall(r"(?:table\.add|addTileOp)<([\w:]+)", body[1])
    used = re.search(r"using namespace mlir::tt::(\w+);", body[1])
    return [name if "::" in name else f"{used[1]}::{name}" for name in names]


def all_rules():
    """Returns {class: file with its rule}."""
    files = sorted((ROOT / "interp/ops").glob("*.cpp"))
    return {name: f"interp/ops/{path.name}" for path in files for name in rules_in(path.read_text())}


def traits_of(record, records):
    return {records[trait["def"]].get("trait") or trait["def"] for trait in record["traits"]}


def place_of(dialect, record, records, rules):
    """Returns the file that executes an op or handles it before threads run, as text for a table. Returns None if
    there is no such file."""
    name = record["!name"].partition("_")[2]
    traits = traits_of(record, records)
    if f"{dialect}::{name}" in rules:
        return rules[f"{dialect}::{name}"]
    if traits & {"IsInit", "TileOpInterface::Trait"}:
        return ROWS
    if "IsAlias" in traits:
        return ALIASES
    if "IsTerminator" in traits:
        return "with the op that it ends"
    named = re.compile(rf"\b{name}\b")
    return next((file for file in ELSEWHERE if named.search((ROOT / file).read_text())), None)


def places(records, dialect):
    """Returns {op: file} for the ops of a dialect that a kernel may contain."""
    rules = all_rules()
    found = {}
    for name in records["!instanceof"].get("Op", []):
        record = records[name]
        if records[record["opDialect"]["def"]]["name"] == dialect:
            found[f"{dialect}.{record['opName']}"] = place_of(dialect, record, records, rules)
    return found
