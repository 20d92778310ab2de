#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs mutated programs: none may crash or hang, and every rejection has a position.

    PYTHONPATH=build/python python3 tests/python/fuzz/fuzz_frontend.py --count=100000 --jobs=2

Mutant number N of a seed is always the same program: --first=N --count=1 repeats it. The
programs of findings are written into the folder --save, the smallest that still show them."""

import argparse
import collections
import os
import pathlib
import random
import re
import sys
import tempfile
import time

import fuzz_children
import fuzz_minimise
import fuzz_mutations
import fuzz_programs
import fuzz_refused


GENERATED = 0.4  # part of the programs that fuzz_refused generates


class Fuzzer:
    def __init__(self, seed=0):
        self.seed = seed
        self.programs = fuzz_programs.programs()

    def mutant(self, number):
        """(name of the program, text of the mutant)."""
        chance = random.Random(f"{self.seed}/{number}")
        if chance.random() < GENERATED:
            text = fuzz_refused.program(chance)
            return "generated", text if fuzz_mutations.compiles(text) else "pass\n"
        program = chance.choice(self.programs)
        other = chance.choice(self.programs)
        return program.name, fuzz_mutations.mutate(program.text, chance, [other.text])

    def check(self, numbers, folder):
        """(number, text, report) of these mutants."""
        texts = [self.mutant(number)[1] for number in numbers]
        return zip(numbers, texts, fuzz_children.run(texts, folder))


def signature(finding):
    """What findings with the same cause have in common."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "_", finding["text"].partition("\n")[0])
    return f"{finding['kind']}: {text[:160]} {finding['where'] if '.py' in finding['where'] else ''}"


class Statistics:
    """Counts answers and keeps one number for each kind of finding."""

    def __init__(self):
        self.answers = collections.Counter()
        self.findings = collections.defaultdict(list)
        self.programs = 0

    def add(self, number, report):
        """Returns the findings of a new kind."""
        self.programs += 1
        self.answers.update(set(report["answers"]))
        new = []
        for finding in report["findings"]:
            if signature(finding) not in self.findings:
                new.append(finding)
            self.findings[signature(finding)].append(number)
        return new

    def text(self):
        lines = [f"{self.programs} programs, {len(self.findings)} kinds of findings"]
        lines += [f"  {count:7} {answer}" for answer, count in self.answers.most_common(20)]
        for name, found in self.findings.items():
            numbers = " ".join(str(number) for number in found[:5])
            lines += [f"{len(found)} x {name}", f"  numbers {numbers}"]
        return "\n".join(lines)


def run(options, numbers):
    """Checks the mutants with these numbers."""
    fuzzer, statistics = Fuzzer(options.seed), Statistics()
    with tempfile.TemporaryDirectory() as folder:
        fuzz_children.warm_up(folder)
        start = time.monotonic()
        for first in range(0, len(numbers), options.batch):
            for number, text, report in fuzzer.check(numbers[first : first + options.batch], folder):
                for finding in statistics.add(number, report):
                    save(options, folder, number, text, finding)
            if statistics.programs % options.every < options.batch:
                rate = statistics.programs / (time.monotonic() - start)
                print(f"--- {rate:.1f} programs/s; {statistics.text()}", flush=True)
    print(f"=== {statistics.text()}", flush=True)
    return not statistics.findings


def save(options, folder, number, text, finding):
    print(f"{number}: {signature(finding)}", flush=True)
    if options.save is None:
        return
    wanted = signature(finding)

    def shows(smaller):
        report = fuzz_children.run_alone(smaller, folder)
        return any(signature(each) == wanted for each in report["findings"])

    small = fuzz_minimise.minimise(text, shows)
    options.save.mkdir(parents=True, exist_ok=True)
    head = f"# seed {options.seed}, number {number}\n" + "".join(
        f"# {line}\n" for line in f"{wanted}\n{finding['text']}\n{finding['where']}".splitlines()
    )
    (options.save / f"{options.seed}-{number}.py").write_text(head + small)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--batch", type=int, default=10, help="programs of one child")
    parser.add_argument("--every", type=int, default=1000, help="print the counts so often")
    parser.add_argument("--save", type=pathlib.Path, help="folder for the programs of findings")
    parser.add_argument("--show", action="store_true", help="print the mutants, run nothing")
    return parser.parse_args()


def main():
    options = arguments()
    numbers = range(options.first, options.first + options.count)
    if options.show:
        fuzzer = Fuzzer(options.seed)
        for number in numbers:
            print("# {}: {}\n{}".format(number, *fuzzer.mutant(number)))
        return 0
    children = []
    for job in range(1, options.jobs):
        child = os.fork()
        if child == 0:
            os._exit(0 if run(options, numbers[job :: options.jobs]) else 1)
        children.append(child)
    clean = run(options, numbers[:: options.jobs])
    statuses = [os.waitpid(child, 0)[1] for child in children]
    return 0 if clean and not any(statuses) else 1


if __name__ == "__main__":
    sys.exit(main())
