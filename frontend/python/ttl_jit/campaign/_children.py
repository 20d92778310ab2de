# SPDX-License-Identifier: Apache-2.0
"""Calls a function in forked child processes, so that a crash or a hang fails one job and does not end the
campaign. The parent has already imported the modules that the function needs, so a child starts in
milliseconds."""

import importlib
import json
import os
import selectors
import signal
import sys
import threading
import time
import traceback


class Stopped(Exception):
    """The campaign ended before its children did."""


class Children:
    """The children of one campaign. Several threads may use it."""

    def __init__(self):
        self.lock, self.processes, self.is_stopped = threading.Lock(), set(), False

    def answers(self, function, batch, seconds):
        """Calls the function with each argument in `batch`, and returns (value, failure) for each. If a
        child ends at an argument that was not its first, an earlier call may have caused that: this argument
        gets a child of its own, and the rest another one."""
        found, how = self._run(function, batch, seconds)
        rest = batch[len(found):]
        if rest and len(batch) == 1:
            return [(None, f"the process ended: {how}")]
        return found + [answer for part in (rest[:1], rest[1:]) if part
                        for answer in self.answers(function, part, seconds)]

    def stop(self):
        """Kills all children. Threads that wait for a child then raise Stopped."""
        with self.lock:
            self.is_stopped = True
            for process in self.processes:
                os.kill(process, signal.SIGKILL)

    def _run(self, function, batch, seconds):
        """Runs a batch in one child. Returns the answers that the child gave, and a text that says how it
        ended."""
        process, reader = self._fork(function, batch)
        found, in_time = [], True
        try:
            for line in _lines(reader, seconds):
                if line is None:
                    in_time = False
                    os.kill(process, signal.SIGKILL)
                else:
                    found.append(tuple(json.loads(line)))
        finally:
            os.close(reader)
            ended = self._wait(process)
        if self.is_stopped:
            raise Stopped
        return found, ended if in_time else f"more than {seconds:g} s"

    def _fork(self, function, batch):
        """Starts a child. Returns its process id and the read end of the pipe with its answers. The lock
        keeps other threads from forking while the write end is open here: their child would inherit it, and
        the pipe would stay open until that child ends."""
        with self.lock:
            if self.is_stopped:
                raise Stopped
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            reader, writer = os.pipe()
            process = os.fork()
            if process == 0:
                os.close(reader)
                _be_the_child(function, batch, writer)
            os.close(writer)
            self.processes.add(process)
        return process, reader

    def _wait(self, process):
        # WNOWAIT leaves the ended process unreaped: its number is not reused, and stop() cannot kill a new
        # process.
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        with self.lock:
            self.processes.discard(process)
            _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status):
            return "signal " + signal.Signals(os.WTERMSIG(status)).name
        return f"status {os.WEXITSTATUS(status)}"


def _lines(stream, seconds):
    """Yields the lines of a pipe. Yields None and ends if the next line takes longer than `seconds`."""
    pending, deadline = b"", time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(timeout=max(0, deadline - time.monotonic())):
                yield None
                return
            received = os.read(stream, 1 << 16)
            if not received:
                return
            *lines, pending = (pending + received).split(b"\n")
            for line in lines:
                yield line
                deadline = time.monotonic() + seconds


def resolved(function):
    """Imports the module of a text "module:name", and returns its function of this name."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def _be_the_child(function, batch, writer):
    status = 1
    try:
        call = resolved(function)
        for arguments in batch:
            try:
                answer = call(arguments), ""
            except KeyboardInterrupt:
                break
            except BaseException:
                answer = None, traceback.format_exc(limit=-2)
            _write(writer, json.dumps(answer).encode() + b"\n")
        status = 0
    finally:
        os._exit(status)


def _write(stream, data):
    while data:
        data = data[os.write(stream, data):]
