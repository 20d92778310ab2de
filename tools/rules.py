"""Finds, for each op, the file that executes it (interp/ops) or the pass that removes it; for tools/docs."""
# SPDX-License-Identifier: Apache-2.0

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Files that handle ops which no thread runs. The first file that names the op's class counts.
ELSEWHERE = ["tools/plan/ProgramBuilder.cpp", "tools/plan/PipePlan.cpp", "tools/mlir-run/MainRunner.cpp",
             "passes/ttl/Microcores.cpp", "passes/ttl/SplitUnifiedThreads.cpp", "passes/ttl/Shorthands.cpp"]
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
    """Returns the file with the rule of an op, or that handles it before threads run; None if there is none."""
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
