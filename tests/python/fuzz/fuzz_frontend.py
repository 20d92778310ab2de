#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs mutants, which are randomly changed programs. None may crash or hang, and errors must have positions.

    PYTHONPATH=build/python python3 tests/python/fuzz/fuzz_frontend.py --count=100000 --jobs=2

Mutant number N of a seed is always the same program: --first=N --count=1 repeats it. The option
--save=FOLDER writes the programs of findings into the folder, each as small as still shows the finding.

With --both=10, each launch of every tenth mutant runs on the JIT and on the interpreter, and their
results are compared. The other mutants run on the interpreter only, after the whole pass pipeline:
generating LLVM code would take most of the time."""

import argparse
import collections
import os
import pathlib
import random
import re
import sys
import tempfile
import time

import fuzz_batches
import fuzz_minimise
import fuzz_mutations
import fuzz_programs
import fuzz_refused


GENERATED = 0.4  # share of the programs that fuzz_refused generates


# Environment variables of launches: on both engines, or on the interpreter only.
BOTH = {"TTL_COMPARE": "engines"}
INTERPRETER = {"TTL_ENGINE": "interp", "TTL_COMPARE": ""}


class Fuzzer:
    def __init__(self, seed=0):
        self.seed = seed
        self.programs = fuzz_programs.programs()

    def mutant(self, number):
        """Returns the name of a program, and the text of the mutant with this number."""
        chance = random.Random(f"{self.seed}/{number}")
        if chance.random() < GENERATED:
            text = fuzz_refused.program(chance)
            return "generated", text if fuzz_mutations.compiles(text) else "pass\n"
        program = chance.choice(self.programs)
        other = chance.choice(self.programs)
        return program.name, fuzz_mutations.mutate(program.text, chance, [other.text])


def signature(finding):
    """Returns a text that is equal for findings with the same cause: numbers and names are left out."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "_", finding["text"].partition("\n")[0])
    return f"{finding['kind']}: {text[:160]} {finding['where'] if '.py' in finding['where'] else ''}"


class Statistics:
    """Counts answers, and keeps the numbers of the mutants that show each kind of finding."""

    def __init__(self):
        self.answers = collections.Counter()
        self.findings = collections.defaultdict(list)
        self.programs = 0

    def add(self, number, report):
        """Counts a report; returns those of its findings whose kind is new."""
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


class Job:
    """Checks mutants in a process of its own. `variables` are environment variables with its options."""

    def __init__(self, options, variables):
        self.options, self.variables = options, variables

    def reports(self, numbers):
        """Yields (number, report) of the mutants."""
        os.environ.update(self.variables)
        import fuzz_children  # imports ttl, which reads the options

        fuzzer, statistics = Fuzzer(self.options.seed), Statistics()
        with tempfile.TemporaryDirectory() as folder:
            fuzz_children.warm_up(folder)
            for first in range(0, len(numbers), self.options.batch):
                batch = numbers[first : first + self.options.batch]
                texts = [fuzzer.mutant(number)[1] for number in batch]
                for number, text, report in zip(batch, texts, fuzz_children.run(texts, folder)):
                    for finding in statistics.add(number, report):
                        self._save(number, text, finding, lambda each: fuzz_children.run_alone(each, folder))
                    yield number, report

    def _save(self, number, text, finding, run):
        print(f"{number}: {signature(finding)}", flush=True)
        save, wanted = self.options.save, signature(finding)
        if save is None:
            return
        small = fuzz_minimise.minimise(
            text, lambda each: wanted in map(signature, run(each)["findings"]))
        save.mkdir(parents=True, exist_ok=True)
        lines = f"{wanted}\n{finding['text']}\n{finding['where']}".splitlines()
        head = [f"# seed {self.options.seed}, number {number}", *(f"# {line}" for line in lines)]
        (save / f"{self.options.seed}-{number}.py").write_text("\n".join(head) + "\n" + small)


def run(options):
    """Checks the mutants that the options choose; returns whether there were no findings."""
    statistics, start = Statistics(), time.monotonic()
    numbers = range(options.first, options.first + options.count)
    on_both = [number for number in numbers if number % options.both == 0]
    on_one = [number for number in numbers if number % options.both]
    for part, variables in ((on_both, BOTH), (on_one, INTERPRETER)):
        if part:
            for number, report in fuzz_batches.in_jobs(options.jobs, part, Job(options, variables).reports):
                statistics.add(number, report)
                if statistics.programs % options.every == 0:
                    rate = statistics.programs / (time.monotonic() - start)
                    print(f"--- {rate:.1f} programs/s; {statistics.text()}", flush=True)
    print(f"=== {statistics.text()}", flush=True)
    return not statistics.findings


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--batch", type=int, default=20, help="number of programs that one child runs")
    parser.add_argument("--both", type=int, default=1, help="launch each N-th mutant on both engines")
    parser.add_argument("--every", type=int, default=1000, help="print counts after so many mutants")
    parser.add_argument("--save", type=pathlib.Path, help="folder for the programs of findings")
    parser.add_argument("--show", action="store_true", help="print the mutants, run nothing")
    return parser.parse_args()


def main():
    options = arguments()
    if options.show:
        fuzzer = Fuzzer(options.seed)
        for number in range(options.first, options.first + options.count):
            print("# {}: {}\n{}".format(number, *fuzzer.mutant(number)))
        return 0
    return 0 if run(options) else 1


if __name__ == "__main__":
    sys.exit(main())
