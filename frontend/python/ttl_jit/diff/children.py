# SPDX-License-Identifier: Apache-2.0
"""Compares programs in forked children, so that a crash is a result and not the end. The parent has
imported everything: a child starts in milliseconds."""

import collections
import itertools
import json
import os
import selectors
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field

from ttl_jit.diff import runs

SECONDS = 120  # for one program under all variants; a longer one hangs
BATCH = 16  # programs of one child


@dataclass
class Job:
    """A program to compare. `number` names it."""

    number: int
    text: str
    variants: list


@dataclass
class _Child:
    jobs: list
    process: int
    stream: int
    folder: str
    started: float = field(default_factory=time.monotonic)
    answered: int = 0
    pending: bytes = b""


class Children:
    """Runs jobs in at most `most` children at the same time."""

    def __init__(self, most, folder, seconds=SECONDS):
        self.most, self.folder, self.seconds = most, folder, seconds
        self.alone = collections.deque()  # jobs at which a child ended without an answer
        self.selector = selectors.DefaultSelector()
        self.count = 0

    def run(self, jobs, batch=BATCH):
        """Yields (job, report) pairs as they come. A report is a dict of runs.compare(). A child
        runs up to `batch` jobs."""
        jobs = iter(jobs)
        try:
            while True:
                while len(self.selector.get_map()) < self.most:
                    chosen = self._next(jobs, batch)
                    if not chosen:
                        break
                    self._start(chosen)
                if not self.selector.get_map():
                    return
                yield from self._wait()
        finally:
            for key in list(self.selector.get_map().values()):
                self._end(key.data, signal.SIGKILL)

    def _next(self, jobs, batch):
        if self.alone:
            return [self.alone.popleft()]
        return list(itertools.islice(jobs, batch))

    def _start(self, batch):
        reader, writer = os.pipe()
        self.count += 1
        folder = os.path.join(self.folder, str(self.count))
        os.makedirs(folder, exist_ok=True)
        sys.stdout.flush()
        process = os.fork()
        if process == 0:
            os.close(reader)
            _be_the_child(batch, folder, writer)
        os.close(writer)
        self.selector.register(reader, selectors.EVENT_READ, _Child(batch, process, reader, folder))

    def _wait(self):
        for key, _ in self.selector.select(timeout=1):
            child = key.data
            received = os.read(child.stream, 1 << 16)
            if received:
                yield from self._answers(child, received)
            else:
                yield from self._ended(child, self._end(child))
        now = time.monotonic()
        for child in [key.data for key in self.selector.get_map().values()]:
            if now - child.started > self.seconds:
                self._end(child, signal.SIGKILL)
                yield from self._ended(child, f"more than {self.seconds} s")

    def _answers(self, child, received):
        *lines, child.pending = (child.pending + received).split(b"\n")
        for line in lines:
            yield child.jobs[child.answered], json.loads(line)
            child.answered += 1
            child.started = time.monotonic()

    def _end(self, child, kill=None):
        """Returns how the child ended."""
        self.selector.unregister(child.stream)
        os.close(child.stream)
        if kill is not None:
            os.kill(child.process, kill)
        _, status = os.waitpid(child.process, 0)
        if os.WIFSIGNALED(status):
            return "signal " + signal.Signals(os.WTERMSIG(status)).name
        return f"status {os.WEXITSTATUS(status)}"

    def _ended(self, child, how):
        """Yields the report on the program at which a child ended. If others ran in the child
        before, runs it again alone."""
        rest = child.jobs[child.answered:]
        if rest and len(child.jobs) == 1:
            finding = {"variants": [str(v) for v in rest[0].variants[:1]] * 2,
                       "text": f"the process ended: {how}"}
            yield rest[0], {"error": "", "runs": 0, "refused": "", "finding": finding}
        else:
            self.alone.extend(rest)


def _be_the_child(batch, folder, writer):
    status = 1
    try:
        for job in batch:
            file = os.path.join(folder, f"program{job.number}.py")
            try:
                report = runs.compare(job.text, file, job.variants)
            except KeyboardInterrupt:
                break
            except BaseException:
                text = traceback.format_exc(limit=-2)
                finding = {"variants": [str(v) for v in job.variants[:1]] * 2, "text": text}
                report = {"error": "", "runs": 0, "refused": "", "finding": finding}
            os.write(writer, json.dumps(report).encode() + b"\n")
        status = 0
    finally:
        os._exit(status)
