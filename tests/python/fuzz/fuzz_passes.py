#!/usr/bin/env python3
"""Runs each pass of ttl-opt alone on modules with random mistakes.

    python3 tests/python/fuzz/fuzz_passes.py build/bin/ttl-opt --count=5000 --seed=1

The modules are those of tests/corpus before each pass of the pipeline, in MLIR's generic form. This
form can write what the ops' own forms cannot: ops without operands or results, empty regions, shapes
with 0. A mutant must end with a result or with an error, not with a signal or an internal error.
One process runs a pass on many mutants; if it fails, each mutant runs alone. Failing mutants are
written to the folder --out."""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

CORPUS = pathlib.Path(__file__).parents[2] / "corpus"
BATCH = 25
NUMBERS = ["0", "1", "-1", "2", "33", "2147483647", "9223372036854775807"]
ENDS = ("internal error", "PLEASE submit a bug report", "Assertion", "LLVM ERROR", "Sanitizer")


def passes(opt):
    """Names of the passes that ttl-opt has, without options."""
    text = subprocess.run([opt, "--help"], capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"^ +--(ttl-[a-z0-9-]+|ttkernel-[a-z0-9-]+) ", text, re.M)))


def sources(opt, path):
    """The generic form of a file of the corpus, before the pipeline and after each pass."""
    options = ["--ttl-to-ttkernel", "--mlir-print-ir-before-all", "--mlir-print-ir-module-scope",
               "--mlir-disable-threading", "--mlir-print-op-generic"]
    text = subprocess.run([opt, path, *options], capture_output=True, text=True).stderr
    return re.split(r"// -----// IR Dump .*\n", text)[1:]


def _change(lines, at, pattern, replacement, count=1):
    lines[at] = re.sub(pattern, replacement, lines[at], count=count)


def drop_operands(lines, at, chance):
    """Removes the operands of an op."""
    _change(lines, at, r'("[\w.]+")\([^()]*\)', r"\1()")
    _change(lines, at, r": \((?!\)).*\) ->", ": () ->")


def drop_operand(lines, at, chance):
    """Removes the last operand of an op."""
    found = re.search(r'"[\w.]+"\(([^()]*)\)', lines[at])
    types = re.search(r" : \(([^()]*)\) ->", lines[at])
    if not found or not types or "," not in found[1]:
        return drop_operands(lines, at, chance)
    old, old_types = found[1], types[1]
    new, new_types = old.rsplit(", ", 1)[0], old_types.rsplit(", ", 1)[0]
    line = lines[at].replace(f"({old})", f"({new})", 1)
    lines[at] = line.replace(f"({old_types})", f"({new_types})", 1)


def drop_results(lines, at, chance):
    """Removes the results of an op that no later line uses."""
    name = re.match(r"\s*(%\w+)(:\d+)? = ", lines[at])
    if name and not any(re.search(rf"{name[1]}\b", line) for line in lines[at + 1:]):
        _change(lines, at, r"%\w+(:\d+)? = ", "")
        _change(lines, at, r"-> .*$", "-> ()")


def zero_extent(lines, at, chance):
    """Changes one extent of a shape to 0, 1 or 3, everywhere in the module."""
    pattern = r"(?:tensor|memref)<[0-9x]+x|cb<\[[0-9, ]+\]|slice<\[[0-9, ]+\]"
    shapes = re.findall(pattern, "\n".join(lines))
    if not shapes:
        return
    old = chance.choice(shapes)
    numbers = list(re.finditer(r"\d+", old))
    number = chance.choice(numbers)
    new = old[: number.start()] + chance.choice(["0", "1", "3"]) + old[number.end():]
    lines[:] = [line.replace(old, new) for line in lines]


def empty_region(lines, at, chance):
    """Removes the ops of a region; the head of its first block stays in half of the cases."""
    starts = [i for i, line in enumerate(lines) if line.rstrip().endswith("({")]
    if not starts:
        return
    start = chance.choice(starts)
    depth, end = 0, start
    for end in range(start, len(lines)):
        depth += lines[end].count("({") - lines[end].count("})")
        if depth <= 0:
            break
    keep = chance.random() < 0.5 and lines[start + 1].lstrip().startswith("^bb")
    del lines[start + 1 + keep:end]


def drop_arguments(lines, at, chance):
    """Removes the arguments of a block, or gives it one of type i32."""
    blocks = [i for i, line in enumerate(lines) if line.lstrip().startswith("^bb")]
    if blocks:
        block = chance.choice(blocks)
        _change(lines, block, r"\^bb(\d+).*:", chance.choice([r"^bb\1:", r"^bb\1(%more: i32):"]))


def change_number(lines, at, chance):
    numbers = list(re.finditer(r"(?<![\w%#.])-?\d+", lines[at]))
    if numbers:
        number = chance.choice(numbers)
        lines[at] = lines[at][: number.start()] + chance.choice(NUMBERS) + lines[at][number.end():]


def empty_array(lines, at, chance):
    _change(lines, at, r"array<(i\d+): [^>]*>", r"array<\1>")
    _change(lines, at, r"= \[[^\[\]]*\]", "= []")


def drop_attribute(lines, at, chance):
    found = re.search(r"<?\{([^{}]*)\}>?", lines[at])
    if found:
        fields = found[1].split(", ")
        fields.pop(chance.randrange(len(fields)))
        lines[at] = lines[at].replace(found[1], ", ".join(fields), 1)


def drop_op(lines, at, chance):
    if "({" not in lines[at] and "})" not in lines[at] and "module" not in lines[at]:
        del lines[at]


def repeat_op(lines, at, chance):
    if "({" in lines[at] or "})" in lines[at] or lines[at].lstrip().startswith("^"):
        return
    lines.insert(at, re.sub(r"%\w+(:\d+)? = ", "", lines[at]) if chance.random() < 0.3 else
                 re.sub(r"(%\w+)(:\d+)? = ", r"\1_again\2 = ", lines[at]))


def swap_ops(lines, at, chance):
    if at + 1 < len(lines) and not any("({" in line or "})" in line for line in lines[at:at + 2]):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]


CHANGES = [drop_operands, drop_operand, drop_results, zero_extent, empty_region, drop_arguments,
           change_number, change_number, empty_array, drop_attribute, drop_op, repeat_op, swap_ops]


def mutate(text, chance):
    lines = text.splitlines()
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if len(lines) > 2:
            chance.choice(CHANGES)(lines, chance.randrange(1, len(lines) - 1), chance)
    return "\n".join(lines)


def is_refused_by_mlir(text):
    """Whether MLIR's parser would abort at the text. ttl-jit refuses such a text before it parses."""
    return "array<index" in text


def failure(opt, name, texts):
    """What is wrong with the end of ttl-opt, or None."""
    module = "\n// -----\n".join(texts) + "\n"
    try:
        run = subprocess.run([opt, "-", f"--{name}", "--split-input-file", "-o", "/dev/null",
                              "--mlir-disable-threading"],
                             input=module, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "does not end"
    if run.returncode not in (0, 1):
        return f"status {run.returncode}: {run.stderr[-400:]}"
    return next((f"{end}: {run.stderr[-400:]}" for end in ENDS if end in run.stderr), None)


def run_batch(opt, name, texts):
    if failure(opt, name, texts) is None:
        return []
    alone = [(text, failure(opt, name, [text])) for text in texts]
    return [(name, text, problem) for text, problem in alone if problem]


def batches(opt, count, seed):
    chance = random.Random(seed)
    files = sorted(CORPUS.glob("*.mlir"))
    names, texts = [*passes(opt), "canonicalize", "cse"], []
    while len(texts) < min(60, 3 + count // 25):
        texts.append(chance.choice(sources(opt, chance.choice(files)) or ["module {}"]))
    for _ in range(0, count, BATCH):
        mutants = [mutate(chance.choice(texts), chance) for _ in range(BATCH)]
        yield chance.choice(names), [text for text in mutants if not is_refused_by_mlir(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opt")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-passes"))
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run_batch, options.opt, *batch)
                for batch in batches(options.opt, options.count, options.seed)]
        found = [failed for run in runs for failed in run.result()]
    for i, (name, text, problem) in enumerate(found):
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / f"{i}.mlir").write_text(f"// --{name}: {problem.splitlines()[0]}\n{text}\n")
        print(f"{options.out}/{i}.mlir: --{name}: {problem}")
    print(f"{options.count} mutants, {len(found)} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
