# SPDX-License-Identifier: Apache-2.0
"""Runs cases in forked child processes. A case that kills its process, or that hangs, is a finding."""

import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback

import forms_cases

IS_SANITIZED = "san" in os.environ.get("LD_PRELOAD", "")
SECONDS = 300 if IS_SANITIZED else 60  # limit for one case, generous because the machine may be loaded
MARK = "forms: "


def run(cases, folder, function=None):
    """Yields (case, its findings) for all cases."""
    cases = list(cases)
    while cases:
        answered = 0
        for case, findings in _child(cases, folder, function or forms_cases.run):
            answered += 1
            yield case, findings
        cases = cases[answered:]


def _child(cases, folder, function):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _be_the_child(cases, folder, function, writer)
    os.close(writer)
    answered, tail, is_late = 0, b"", False
    with os.fdopen(reader, "rb") as stream:
        for line in _lines(stream):
            if line is None:
                is_late = True
                os.kill(child, signal.SIGKILL)
                break
            if line.startswith(MARK.encode()):
                yield cases[answered], json.loads(line[len(MARK):])
                answered += 1
            else:
                tail = (tail + line)[-600:]
    _, status = os.waitpid(child, 0)
    if answered < len(cases):
        how = f"more than {SECONDS} s" if is_late else f"the process died, status {status}"
        yield cases[answered], [f"CRASH: {how}: {tail.decode(errors='replace').strip()}"]


def _lines(stream):
    """Yields the lines that come through a pipe; yields None if the next line takes longer than SECONDS."""
    rest, deadline = b"", time.monotonic() + SECONDS
    while True:
        if not select.select([stream], [], [], max(0, deadline - time.monotonic()))[0]:
            yield None
            return
        chunk = os.read(stream.fileno(), 1 << 16)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            deadline = time.monotonic() + SECONDS
            yield line + b"\n"


def _be_the_child(cases, folder, function, writer):
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.dup2(writer, 2)
        own = tempfile.mkdtemp(dir=folder)
        for case in cases:
            try:
                findings = list(function(case, own))
            except BaseException:
                findings = ["the test itself: " + traceback.format_exc(limit=-4)]
            os.write(writer, f"\n{MARK}{json.dumps(findings)}\n".encode())
        status = 0
    finally:
        sys.stderr.flush()
        os._exit(status)
