# SPDX-License-Identifier: Apache-2.0
"""A campaign: many programs compared, their findings kept as files, and a summary."""

import json
import os
import random
import sys
import time
from dataclasses import dataclass, field

from _ttjit import plural
from ttl_jit.diff import functions, modules, reduce
from ttl_jit.diff.children import BATCH, Job
from ttl_jit.diff.expressions import Coverage
from ttl_jit.diff.found import Found
from ttl_jit.diff.mesh_program import MeshProgram
from ttl_jit.diff.program import Program


COUNTED = "errors", "refused", "depends"  # counts of programs by a message


@dataclass
class Result:
    """What a campaign found. It can be written as JSON, and those of several machines be added."""

    programs: int = 0
    runs: int = 0
    seconds: float = 0.0
    errors: dict = field(default_factory=dict)  # message of a refused program: number of programs
    refused: dict = field(default_factory=dict)  # why emission refuses a program: number of programs
    depends: dict = field(default_factory=dict)  # why results depend on the order of threads: number of programs
    found: list = field(default_factory=list)  # names of files
    coverage: Coverage = field(default_factory=Coverage)

    def add(self, other):
        self.programs += other.programs
        self.runs += other.runs
        self.seconds += other.seconds
        self.found += other.found
        self.coverage.add(other.coverage)
        for name in COUNTED:
            own = getattr(self, name)
            for message, count in getattr(other, name).items():
                own[message] = own.get(message, 0) + count

    def to_json(self):
        names = "programs", "runs", "seconds", *COUNTED, "found"
        facts = {name: getattr(self, name) for name in names}
        pairs = [[*pair, count] for pair, count in self.coverage.pairs.items()]
        return json.dumps({**facts, "functions": self.coverage.functions, "pairs": pairs})

    @staticmethod
    def from_json(text):
        facts = json.loads(text)
        coverage = Coverage()
        coverage.functions = facts.pop("functions")
        coverage.pairs = {(outer, inner): count for outer, inner, count in facts.pop("pairs")}
        return Result(**facts, coverage=coverage)

    def summary(self):
        """Returns the lines of the summary."""
        lines = [f"{plural(self.programs, 'program')}, {plural(self.runs, 'run')}, "
                 f"{plural(len(self.found), 'difference')}, "
                 f"{self.seconds:.0f} s"]
        if self.coverage.functions:
            lines += self._coverage_lines()
        lines += _most_often("ended with an error, the same in all runs:", self.errors)
        lines += _most_often("refused by the emitted engine, and not compared with it:", self.refused)
        lines += _most_often("with results that depend on the order of threads, as classified:", self.depends)
        return lines + [f"found: {file}" for file in self.found]

    def _coverage_lines(self):
        counts = self.coverage.functions
        least = min(functions.FUNCTIONS, key=lambda name: counts.get(name, 0))
        allowed = functions.pairs()
        used = len(allowed & self.coverage.pairs.keys())
        return [
            f"{len(counts)} of {len(functions.FUNCTIONS)} functions used, {least} least often: "
            f"{plural(counts.get(least, 0), 'time')}",
            f"{used} of {len(allowed)} pairs of functions used ({100 * used / len(allowed):.0f} %)",
        ]


def _most_often(title, counts):
    """Returns how many programs have one of the messages, and the ten most frequent messages; nothing
    without messages. `title` says what the programs have in common."""
    often = sorted(counts.items(), key=lambda item: -item[1])
    rows = [f"  {count:5} {message}" for message, count in often[:10]]
    return [f"{plural(sum(counts.values()), 'program')} {title}", *rows] if rows else []


class Progress:
    """Writes one line on standard error, again and again, if that is a terminal."""

    def __init__(self):
        self.is_shown, self.last = sys.stderr.isatty(), 0.0

    def show(self, text):
        if self.is_shown and time.monotonic() - self.last > 0.2:
            self.last = time.monotonic()
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()

    def end(self):
        if self.is_shown:
            sys.stderr.write("\r\033[K")


class Campaign:
    """`folder` takes the files of what was found. `most_found` ends the campaign early."""

    def __init__(self, children, folder, most_found=10, is_reduced=True):
        self.children, self.folder = children, folder
        self.most_found, self.is_reduced = most_found, is_reduced
        self.result = Result()

    def run(self, jobs, total, journal=None):
        """Compares the jobs and returns the result. Ctrl-C ends it with what is known."""
        progress, start = Progress(), time.monotonic()
        raw = []
        try:
            for job, report in self.children.run(jobs, self._batch(total), journal):
                self._note(job, report, raw)
                progress.show(f"{self.result.programs} of {plural(total, 'program')}, "
                              f"{plural(len(raw), 'difference')}")
                if len(raw) >= self.most_found:
                    break
        except KeyboardInterrupt:
            pass
        progress.end()
        self._keep(raw)
        self.result.seconds = time.monotonic() - start
        return self.result

    def _batch(self, total):
        """Returns how many programs a child runs: few if there are few, so that all workers have some."""
        return max(1, min(BATCH, total // (4 * self.children.most)))

    def _note(self, job, report, raw):
        self.result.programs += 1
        self.result.runs += report["runs"]
        messages = zip(COUNTED, (report["error"], report["refused"], report["depends"]))
        for counts, message in ((getattr(self.result, name), message) for name, message in messages):
            if message:
                counts[message[:100]] = counts.get(message[:100], 0) + 1
        finding = report["finding"]
        if finding is not None:
            raw.append((job.number, Found(job.text, finding["variants"], finding["text"])))

    def _keep(self, raw):
        for number, found in sorted(raw, key=lambda item: item[0]):
            os.makedirs(self.folder, exist_ok=True)
            file = os.path.join(self.folder, f"program{number}.py")
            found.write(file)  # the whole program first: reducing may be interrupted
            self.result.found.append(file)
            if self.is_reduced and not modules.is_program(found.program):
                reduce.reduce(found, self.children)
                found.write(file)


def generated(count, seed, variants, stages, coverage, names=(), meshes=False):
    """Yields jobs of random programs, for several devices with `meshes`. Each is also interpreted at one of the
    stages, in turn."""
    for number in range(count):
        more = stages[number % len(stages): number % len(stages) + 1] if stages else []
        each = _seed(seed, number)
        program = MeshProgram(each, names) if meshes else Program(each, coverage, names)
        yield Job(number, program.text(), [*variants, *more])


def _seed(seed, number):
    return random.Random(f"{seed} {number}").getrandbits(32)
