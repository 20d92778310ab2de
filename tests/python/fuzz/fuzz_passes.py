#!/usr/bin/env python3
"""Runs each pass of ttl-opt on its own on randomly changed modules (mutants).

    python3 tests/python/fuzz/fuzz_passes.py build/bin/ttl-opt --count=5000 --seed=1 --jobs=2

The modules are those of tests/corpus as they are before each pass of the pipeline, and those of ttir and d2m, in
MLIR's generic form. This form can express what the ops' own forms cannot: ops without operands, empty
regions, extents of 0. A mutant must end with a result or an error, not with a signal or an internal error.
One process runs a pass on a batch of mutants of some files; if it fails, each of its mutants runs alone.
Batch number N of a seed is always the same: --first=N --count=100 repeats it. Failing mutants are
written to the folder --out."""

import argparse
import functools
import pathlib
import random
import re
import subprocess
import sys

import fuzz_batches
import fuzz_sources

CORPUS = pathlib.Path(__file__).parents[2] / "corpus"
BATCH = 100  # mutants of one process
FILES = 4  # files of tests/corpus from which a batch takes its modules
SECONDS = 5  # of processor time for one mutant
WALL_SECONDS = 600  # machines may be loaded
NUMBERS = ["0", "1", "-1", "2", "33", "2147483647", "9223372036854775807"]
ENDS = ("internal error", "PLEASE submit a bug report", "Assertion", "LLVM ERROR", "Sanitizer")


def passes(opt):
    """Returns the names of ttl-opt's passes on our dialects, without those that come from tt-mlir."""
    text = subprocess.run([opt, "--help"], capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"^ +--((?:ttl|ttkernel|ttir|d2m)-[a-z0-9-]+) +- +(?!Of tt-mlir| )", text, re.M)))


def sources(opt, path):
    """Returns a corpus file's modules in generic form: before the pipeline and after each of its passes."""
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
    """Removes the ops of a region; in half of the cases the label of its first block stays."""
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
    """Removes the arguments of a block, or replaces them by one of type i32."""
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
    """Returns whether MLIR's parser would abort at the text. ttl-jit refuses such a text before it parses."""
    return "array<index" in text


def failure(opt, name, texts, seconds=SECONDS):
    """Runs a pass of ttl-opt on the texts; returns what is wrong with its end, or None."""
    module = "\n// -----\n".join(texts) + "\n"
    limited = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh"]
    try:
        run = subprocess.run([*limited, opt, "-", f"--{name}", "--split-input-file", "-o", "/dev/null",
                              "--mlir-disable-threading"],
                             input=module, capture_output=True, text=True, timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        return "does not end"
    if run.returncode not in (0, 1):
        return f"status {run.returncode}: {run.stderr[-400:]}"
    return next((f"{end}: {run.stderr[-400:]}" for end in ENDS if end in run.stderr), None)


class Fuzzer:
    def __init__(self, opt, seed):
        self.opt, self.seed = opt, seed
        self.files = sorted(CORPUS.glob("*.mlir"))
        self.names = [*passes(opt), "canonicalize", "cse"]
        self.sources = functools.cache(functools.partial(sources, opt))
        self.modules = functools.cache(lambda dialect: fuzz_sources.generic(fuzz_sources.texts(dialect)))

    def batch(self, number):
        """Returns the name of a pass, and mutants to run it on."""
        chance = random.Random(f"{self.seed}/{number}")
        name = chance.choice(self.names)
        texts = self._texts(name.partition("-")[0], chance)
        mutants = [mutate(chance.choice(texts), chance) for _ in range(BATCH)]
        return name, [text for text in mutants if not is_refused_by_mlir(text)]

    def _texts(self, dialect, chance):
        """Returns modules for a pass: of the dialect in the pass's name, and sometimes of another one."""
        if dialect not in ("ttir", "d2m") and chance.random() < 0.1:
            dialect = chance.choice(("ttir", "d2m"))
        if dialect in ("ttir", "d2m"):
            return self.modules(dialect)
        return [text for file in chance.sample(self.files, FILES) for text in self.sources(file)]

    def run(self, numbers):
        """Yields, for each batch, a list of (batch number, pass, text, problem) of the mutants that fail."""
        for number in numbers:
            name, texts = self.batch(number)
            alone = []
            if failure(self.opt, name, texts, SECONDS + len(texts) // 5):
                alone = [(number, name, text, failure(self.opt, name, [text])) for text in texts]
                alone = [each for each in alone if each[-1]] or [(number, name, *_together(texts))]
            yield alone


def _together(texts):
    """Returns the text and the problem of a batch that fails although each of its mutants alone does not."""
    return "\n// -----\n".join(texts), "only the whole batch fails"


def save(chosen, index, batch, name, text, problem):
    chosen.out.mkdir(parents=True, exist_ok=True)
    path = chosen.out / f"{chosen.seed}-{batch}-{index}.mlir"
    path.write_text(f"// --{name}: {problem.splitlines()[0]}\n{text}\n")
    print(f"{path}: --{name}: {problem}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opt")
    parser.add_argument("--count", type=int, default=1000, help=f"mutants, in batches of {BATCH}")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other mutants")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes")
    parser.add_argument("--every", type=int, default=1000, help="print counts after so many mutants")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-passes"))
    chosen = parser.parse_args()
    numbers = range(chosen.first, chosen.first + -(-chosen.count // BATCH))
    found = done = 0
    for failures in fuzz_batches.in_jobs(chosen.jobs, numbers, Fuzzer(chosen.opt, chosen.seed).run):
        for each in failures:
            save(chosen, found, *each)
            found += 1
        done += BATCH
        if done % chosen.every == 0 or done == len(numbers) * BATCH:
            print(f"{done} mutants, {found} failures", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
