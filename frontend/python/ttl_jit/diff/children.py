# SPDX-License-Identifier: Apache-2.0
"""Compares programs as jobs of a campaign: a crash is a result and not the end."""

import os
import sys
import tempfile
from dataclasses import dataclass

from ttl_jit import campaign
from ttl_jit.diff import runs
from ttl_jit.diff import variants as variant_texts

BATCH = 16  # programs of one child


@dataclass
class Job:
    """A program to compare. `number` names it."""

    number: int
    text: str
    variants: list

    def arguments(self):
        """Returns what compare() needs, as JSON can hold it."""
        return {"number": self.number, "text": self.text, "variants": [str(each) for each in self.variants],
                "path": sys.path}


class Children:
    """Runs jobs in children at a place of a campaign."""

    def __init__(self, place):
        self.place, self.most = place, place.count

    def run(self, jobs, batch=BATCH, journal=None):
        """Yields (job, report) pairs as they come. A report is a dict of runs.compare(). A child
        runs up to `batch` jobs."""
        chosen = {}

        def named():
            for job in jobs:
                chosen[job.number] = job
                yield campaign.Job(job.number, job.arguments())

        for each, answer in campaign.run(f"{__name__}:compare", named(), self.place, batch, journal=journal):
            job = chosen.pop(each.key)
            yield job, answer.value or _ended(job, answer.failure)


def _ended(job, how):
    """Returns the report on a program at which a child failed or ended."""
    finding = {"variants": [str(v) for v in job.variants[:1]] * 2, "text": how}
    return {"error": "", "runs": 0, "refused": "", "depends": "", "finding": finding}


def compare(arguments):
    """Compares one program; `arguments` are those of a Job."""
    sys.path[:] = [*arguments["path"], *(each for each in sys.path if each not in arguments["path"])]
    with tempfile.TemporaryDirectory(prefix="ttl-diff-") as folder:
        file = os.path.join(folder, f"program{arguments['number']}.py")
        variants = [variant_texts.of(text) for text in arguments["variants"]]
        return runs.compare(arguments["text"], file, variants)
