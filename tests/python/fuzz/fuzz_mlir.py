#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs randomly changed .mlir programs as `ttl-jit run FILE.mlir` does.

    PYTHONPATH=build/python python3 tests/python/fuzz/fuzz_mlir.py --count=5000 --jobs=2

The programs are those of tests/corpus and tests/lit/programs (also with threads that name processors), random
modules of ttir, and modules of d2m. Each is used as written and in MLIR's generic form. A changed program (a mutant)
must end with a result, an error at a line, or a fault of the device, but not with a signal, an internal error or a
failure without a message. Forked children call the function that ttl-jit's main() calls. Mutant number N of a seed is
always the same: --first=N --count=1 repeats it. Failing mutants are written to the folder --out."""

import argparse
import functools
import os
import pathlib
import random
import re
import resource
import sys

import fuzz_batches
import fuzz_command
import fuzz_passes
import fuzz_sources
from fuzz_damage import damage_text

# An error must give a position, or be one of these, which are about the whole file.
PLACED = r"^  at .*\.mlir:\d+:\d+$|no func.func @main to run|no public function to run"
STATUSES = (0, 1, 3, 4)  # success, a failed expectation, an error, a fault
MEMORY = 4 << 30  # bytes of address space on top of what the parent has mapped
# Most mutants run on the interpreter, because LLVM and Clang take most of the time.
ENGINES = (("--engine=interp",),) * 36 + (("--engine=jit",),) * 3 + (("--engine=emitted", "--emit-path=direct"),)
STEPS = 100_000  # limit of steps of a kernel
EVERY = 1000  # the counts are printed after so many mutants


class Modules:
    """Mutants of the programs of some dialects."""

    def __init__(self, folder, dialects=fuzz_sources.DIALECTS):
        self.file, self.command = folder / "case.mlir", fuzz_command.Command(folder / "messages")
        plain = {name: fuzz_sources.texts(name) for name in dialects}
        self.sources = {name: (texts, fuzz_sources.generic(texts)) for name, texts in plain.items()}

    def mutant(self, chance):
        """Returns the text of a mutant, and the options to run it with."""
        plain, generic = self.sources[chance.choice(list(self.sources))]
        if chance.random() < 0.4:
            text = fuzz_passes.mutate(chance.choice(generic), chance)
        elif chance.random() < 0.5:
            text = fuzz_passes.mutate(chance.choice(plain), chance)
        else:
            text = damage_text(chance, chance.choice(plain))
        return text, chance.choice(ENGINES)

    def run(self, chance):
        text, options = self.mutant(chance)
        self.file.write_bytes(text.encode("utf-8", "replace"))
        _limit_memory()
        return judge(*self.command.run("run", self.file, *options, f"--limit={STEPS}"))


def _limit_memory():
    """Limits memory, because programs may ask for tensors of any size."""
    with open("/proc/self/statm") as stream:
        mapped = int(stream.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))


def judge(status, messages):
    """Returns what is wrong with the end of a program, or None."""
    if status == 2 and "has no function" in messages:
        return None
    if status not in STATUSES or any(end in messages for end in (*fuzz_passes.ENDS, "Traceback")):
        return f"status {status}: {messages[-2000:]}"
    if status in (1, 3, 4) and not re.search(PLACED, messages, re.M):
        return f"status {status} without an error at a line: {messages[-2000:]}"
    return None


def save(chosen, modules, number, finding):
    """Writes a mutant that showed a finding into the folder --out."""
    chosen.out.mkdir(parents=True, exist_ok=True)
    text, options = modules.mutant(random.Random(f"{chosen.seed}:{number}"))
    path = chosen.out / f"{chosen.seed}-{number}.mlir"
    path.write_bytes(f"// {' '.join(options)}\n{text}".encode("utf-8", "replace"))
    print(f"{path}: {finding}\n", flush=True)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    fuzz_batches.add_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-mlir"))
    parser.add_argument("--dialects", default=",".join(fuzz_sources.DIALECTS), help="dialects of programs to change")
    chosen = parser.parse_args(arguments)
    make = functools.partial(Modules, dialects=chosen.dialects.split(","))
    chosen.out = chosen.out.absolute()
    os.environ["TTL_CACHE"] = "off"
    findings, modules = 0, None
    for done, (number, finding) in enumerate(fuzz_batches.run(make, chosen), 1):
        if finding:
            findings += 1
            modules = modules or make(chosen.out)
            save(chosen, modules, number, finding)
        if done % EVERY == 0 or done == chosen.count:
            print(f"{done} mutants, {findings} findings", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
