# SPDX-License-Identifier: Apache-2.0
"""Reads the files of --trace."""

import json

import _ttjit

VERSION = 1


class TraceError(Exception):
    """A file is no trace, or is damaged. The message names it."""


class Launch:
    """The elements of one launch."""

    def __init__(self, header, processes):
        self.header = header  # the arguments of ttl_launch
        self.first = header["pid"]  # the process of node 0
        self.processes = processes  # names by process
        self.spans, self.counters, self.texts = [], [], []
        self.end = None  # the arguments of ttl_end; None: the trace is cut off

    def node(self, pid):
        columns = self.header["grid"][0]
        return (pid - self.first) % columns, (pid - self.first) // columns

    def thread_names(self):
        names = {thread["tid"]: thread["name"] for thread in self.header["threads"]}
        return {**names, **{tid + 10: f"{name} copies" for tid, name in names.items()}}


class _Reader:
    """Takes the lines of a trace and keeps one launch."""

    def __init__(self, path, wanted):
        self.path, self.wanted = path, wanted
        self.number = 0  # of the line
        self.processes = {}
        self.found = 0  # launches
        self.launch = None  # that is kept
        self.is_kept = False  # whether the present lines belong to it

    def fail(self, line):
        raise TraceError(f"{self.path}:{self.number}: expected an element of a trace, found {line[:60]!r}")

    def line(self, line):
        self.number += 1
        text = line.strip().rstrip(",")
        if not text or text in ("[", "]"):
            return
        try:
            element = json.loads(text)
            self.element(element)
        except (ValueError, KeyError, TypeError):
            self.fail(line)

    def element(self, element):
        if self.number == 2:
            self.check_version(element)
        elif element["ph"] == "M":
            self.names(element)
        elif self.is_kept:
            kinds = {"X": self.launch.spans, "C": self.launch.counters, "i": self.launch.texts}
            kinds.get(element["ph"], []).append(element)

    def check_version(self, element):
        version = element["args"]["version"] if element.get("name") == "ttl_trace" else None
        if version != VERSION:
            raise TraceError(f"{self.path}: expected a trace of version {VERSION}, found "
                             f"{'version ' + str(version) if version else 'another file'}")

    def names(self, element):
        arguments = element["args"]
        if element["name"] == "process_name":
            self.processes[element["pid"]] = arguments["name"]
        elif element["name"] == "ttl_launch":
            self.found = arguments["launch"]
            self.is_kept = self.wanted in (None, self.found)
            if self.is_kept:
                self.launch = Launch({**arguments, "pid": element["pid"]}, self.processes)
        elif element["name"] == "ttl_end" and self.is_kept:
            self.launch.end = arguments
            self.is_kept = False


def read(path, wanted=None):
    """Returns launch number `wanted`, or the last one, and the number of launches."""
    reader = _Reader(path, wanted)
    rest = b""

    def take(piece):
        nonlocal rest
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            reader.line(line.decode(errors="replace"))

    mistake = _ttjit.read_trace(path, take)
    if mistake:
        raise TraceError(mistake)
    reader.line(rest.decode(errors="replace"))
    if reader.number < 2:
        raise TraceError(f"{path}: expected a trace of version {VERSION}, found another file")
    if reader.launch is None:
        what = f"no launch {wanted}; it holds {reader.found}" if wanted else "no launch of a kernel"
        raise TraceError(f"{path} holds {what}")
    return reader.launch, reader.found
