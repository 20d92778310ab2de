#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs .mlir programs with random mistakes, as `ttl-jit run FILE.mlir` does.

    PYTHONPATH=build/python python3 tests/python/fuzz/fuzz_mlir.py --count=5000 --jobs=2

The programs are those of tests/corpus and tests/lit/programs, as they are written and in MLIR's
generic form, and random modules of ttir. A mutant must end with a result, with an error at a line, or with a fault
of the device: not with a signal, an internal error or a failure without a message. Children of one process run the
function that ttl-jit's main() calls. Mutant number N of a seed is always the same: --first=N --count=1
repeats it. Failing mutants are written to the folder --out."""

import argparse
import os
import pathlib
import random
import re
import resource
import subprocess
import sys

import fuzz_batches
import fuzz_command
import fuzz_passes
from fuzz_damage import damage_text

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/python/models"))
OPT = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build")) / "bin" / "ttl-opt"
FOLDERS = ("tests/corpus", "tests/lit/programs")
STATUSES = (0, 1, 3, 4)  # success, a failed expectation, an error, a fault
MEMORY = 4 << 30  # bytes of address space on top of what the parent has mapped
# Most of the time, the interpreter: LLVM takes longer than all the rest.
ENGINES = ("interp",) * 9 + ("jit",)
SPLIT = "// -----"
STEPS = 100_000  # of a kernel
EVERY = 1000  # mutants, the counts are printed


def plain_sources():
    """Texts of the programs that have @main."""
    files = sorted(each for folder in FOLDERS for each in (ROOT / folder).glob("*.mlir"))
    texts = [_without_comments(file.read_text()) for file in files]
    return [text for text in texts if "func.func @main" in text and SPLIT not in text]


def _without_comments(text):
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("//"))


def model_sources(count=60):
    """Texts of random modules of ttir."""
    from cases import random_module

    modules = [random_module(seed)[0] for seed in range(count)]
    return [module.text(module.ops[-1].results) for module in modules if module.ops]


def generic_sources(texts):
    """The generic form of those texts that MLIR accepts."""
    found = subprocess.run([OPT, "-", "--mlir-print-op-generic", "--split-input-file"], text=True,
                           input=f"\n{SPLIT}\n".join(texts), capture_output=True)
    return [text for text in found.stdout.split(SPLIT) if '"func.func"' in text]


class Modules:
    """Mutants of the programs."""

    def __init__(self, folder):
        self.file, self.command = folder / "case.mlir", fuzz_command.Command(folder / "messages")
        self.plain = plain_sources()
        self.generic = generic_sources(self.plain)
        self.models = model_sources()

    def mutant(self, chance):
        """A text, and the engine that runs it."""
        if chance.random() < 0.2:
            change = chance.choice((fuzz_passes.mutate, lambda text, chance: damage_text(chance, text)))
            text = change(chance.choice(self.models), chance)
        elif chance.random() < 0.5:
            text = fuzz_passes.mutate(chance.choice(self.generic), chance)
        elif chance.random() < 0.5:
            text = fuzz_passes.mutate(chance.choice(self.plain), chance)
        else:
            text = damage_text(chance, chance.choice(self.plain))
        return text, chance.choice(ENGINES)

    def run(self, chance):
        text, engine = self.mutant(chance)
        self.file.write_bytes(text.encode("utf-8", "replace"))
        _limit_memory()
        return judge(*self.command.run("run", self.file, f"--engine={engine}", f"--limit={STEPS}"))


def _limit_memory():
    """Programs may ask for tensors of any size."""
    with open("/proc/self/statm") as stream:
        mapped = int(stream.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))


def judge(status, messages):
    """What is wrong with the end of a program, or None."""
    if status == 2 and "has no function" in messages:
        return None
    if status not in STATUSES or any(end in messages for end in (*fuzz_passes.ENDS, "Traceback")):
        return f"status {status}: {messages[-2000:]}"
    if status in (1, 3, 4) and not re.search(r"^  at .*\.mlir:\d+:\d+$|no func.func @main to run", messages, re.M):
        return f"status {status} without an error at a line: {messages[-2000:]}"
    return None


def save(chosen, modules, number, finding):
    """Writes the mutant of a finding into the folder --out."""
    chosen.out.mkdir(parents=True, exist_ok=True)
    text, engine = modules.mutant(random.Random(f"{chosen.seed}:{number}"))
    path = chosen.out / f"{chosen.seed}-{number}.mlir"
    path.write_bytes(f"// --engine={engine}\n{text}".encode("utf-8", "replace"))
    print(f"{path}: {finding}\n", flush=True)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    fuzz_batches.add_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-mlir"))
    chosen = parser.parse_args(arguments)
    chosen.out = chosen.out.absolute()
    os.environ["TTL_CACHE"] = "off"
    findings, modules = 0, None
    for done, (number, finding) in enumerate(fuzz_batches.run(Modules, chosen), 1):
        if finding:
            findings += 1
            modules = modules or Modules(chosen.out)
            save(chosen, modules, number, finding)
        if done % EVERY == 0 or done == chosen.count:
            print(f"{done} mutants, {findings} findings", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
