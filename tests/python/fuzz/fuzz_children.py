# SPDX-License-Identifier: Apache-2.0
"""Runs a program in a forked child process, which starts in milliseconds because its parent has imported
all modules. A child that crashes or hangs is a finding."""

import json
import os
import resource
import select
import signal
import sys
import time
import traceback

IS_SANITIZED = "san" in os.environ.get("LD_PRELOAD", "")  # code with sanitizers is slower
SLOWER = 10 if IS_SANITIZED else 1
SECONDS = 2 * SLOWER  # limit of processor time for one program
HANG_SECONDS = 5 * SLOWER  # limit for one compile or launch; a loop may have 4096 copies
WALL_SECONDS = 300  # limit of elapsed time, much larger because machines may be loaded
MEMORY = 4 << 30  # bytes that a child may allocate
MARK = "fuzz-report: "
STEPS = 100_000  # limit of steps on the device, which ends endless loops
os.environ.setdefault("TTL_LIMIT", str(STEPS))
os.environ.setdefault("TTL_COMPARE", "engines")  # every launch runs on both engines unless this is ""

import fuzz_judge  # noqa: E402
import fuzz_programs  # noqa: E402

sys.path[:0] = fuzz_programs.folders()
import numpy  # noqa: E402, F401
import pytest  # noqa: E402, F401
import ttl  # noqa: E402, F401
import ttnn  # noqa: E402, F401


def warm_up(folder):
    """Runs programs in the parent, so that children inherit a JIT that has already started."""
    import test_block_functions  # noqa: F401
    import test_run  # noqa: F401

    for program in fuzz_programs.programs():
        if program.name in ("eltwise_add", "ring_all_reduce", "softmax"):
            file = os.path.join(folder, f"{program.name}.py")
            with open(file, "w") as stream:
                stream.write(program.text)
            _execute(program.text, file, quiet=True)


def run(texts, folder):
    """Returns a report on each program: {"answers": [...], "findings": [...]}. A child runs several
    programs; if it ends without a report on a program, that program runs again in a child of its own."""
    reports = []
    while len(reports) < len(texts):
        rest = texts[len(reports) :]
        found, _ = _run_child(rest, folder)
        reports += found or [run_alone(rest[0], folder)]
    return reports


def run_alone(text, folder):
    """Returns the report on a program that runs in a child of its own."""
    found, why = _run_child([text], folder)
    return found[0] if found else why


def _run_child(texts, folder):
    """Returns the reports that a child wrote, and a report for the case that it wrote none."""
    files = [os.path.join(folder, f"mutant{index}.py") for index in range(len(texts))]
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _be_the_child(list(zip(texts, files)), writer)
    os.close(writer)
    answer, ended = _read_all(reader, time.monotonic() + WALL_SECONDS * len(texts))
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    lines = [line for line in answer.splitlines() if line.startswith(MARK)]
    return [json.loads(line[len(MARK) :]) for line in lines], _failure(answer, status)


def _failure(answer, status):
    """Returns the report on a program whose child ended without a report."""
    text = answer.strip().rpartition("\n")[2][-300:]
    if not os.WIFSIGNALED(status):
        finding = {"kind": "crash", "text": f"status {os.WEXITSTATUS(status)}: {text}"}
    else:
        name = signal.Signals(os.WTERMSIG(status)).name
        is_hang = name in ("SIGXCPU", "SIGKILL")
        if is_hang and text == fuzz_judge.STATE + "program":
            return {"answers": ["time"], "findings": []}  # numpy was running
        finding = {"kind": "hang" if is_hang else "crash", "text": f"{name}: {text}"}
    return {"answers": [], "findings": [{**finding, "where": ""}]}


def _read_all(reader, deadline):
    """Returns what a child wrote, and whether it ended before the deadline."""
    chunks = []
    with os.fdopen(reader, "rb") as stream:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([stream], [], [], left)[0]:
                return b"".join(chunks).decode(errors="replace"), False
            chunk = os.read(stream.fileno(), 1 << 16)
            if not chunk:
                return b"".join(chunks).decode(errors="replace"), True
            chunks.append(chunk)


# ===--------------------------------------------------------------------------=== #
# In the child
# ===--------------------------------------------------------------------------=== #


def _be_the_child(programs, writer):
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit_memory()
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.dup2(writer, 2)  # so that the parent reads what a crash prints
        judge = fuzz_judge.Judge(fuzz_programs.folders())
        signal.signal(signal.SIGPROF, lambda *_: _stop(judge, writer))
        fuzz_judge.watch(judge)
        for text, file in programs:
            with open(file, "w") as stream:
                stream.write(text)
            judge.begin(file)
            judge.run(None)
            _limit_time()
            _judge(judge, text, file)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _answer(judge, writer)
        status = 0
    finally:
        os._exit(status)


def _answer(judge, writer):
    report = {"answers": judge.answers, "findings": judge.findings}
    os.write(writer, f"\n{MARK}{json.dumps(report)}\n".encode())


def _limit_memory():
    """Limits memory, because a program may ask numpy for arrays of any size."""
    if not IS_SANITIZED:
        with open("/proc/self/statm") as stream:
            mapped = int(stream.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))


def _limit_time():
    """Limits time: a timer ends loops in Python code, the processor limit ends C++ code."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + SECONDS + HANG_SECONDS + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def _stop(judge, writer):
    """Called at the end of a program's time. Python code may loop for ever, so the program is stopped. A
    compile or launch that began late first gets the rest of HANG_SECONDS; after these it is a hang."""
    left = HANG_SECONDS - judge.seconds()
    if judge.running and left > 0.01 and not judge.is_late:
        judge.is_late = True
        signal.setitimer(signal.ITIMER_PROF, left)
        return
    if judge.running and left <= 0.01:
        judge.note("hang", f"more than {HANG_SECONDS} s in {judge.running}")
    judge.answers.append("time")
    _answer(judge, writer)
    os._exit(0)


def _judge(judge, text, file):
    try:
        _execute(text, file)
        judge.answers.append("ran")
    except (SystemExit, KeyboardInterrupt):
        judge.answers.append("exit")
    except BaseException as error:
        try:
            judge.check_exception(error)
        except Exception as failure:
            judge.note("the error cannot be shown", traceback.format_exc(limit=-3), str(failure))


def _execute(text, file, quiet=False):
    before, sys.argv = sys.argv, ["program"]
    stdout = sys.stdout
    scope = {"__name__": "__main__", "__file__": file, "__builtins__": __builtins__}
    try:
        if quiet:
            sys.stdout = open(os.devnull, "w")
        exec(compile(text, file, "exec", dont_inherit=True), scope)
    finally:
        sys.argv, sys.stdout = before, stdout
