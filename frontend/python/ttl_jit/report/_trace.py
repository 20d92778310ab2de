# SPDX-License-Identifier: Apache-2.0
"""Reads the files of --trace."""

import json
import math

import _ttjit
from ttl_jit.report import _schema

VERSION = 1
MOST_LINE = 4 << 20  # bytes
MOST_ELEMENTS = 4_000_000  # of a launch; each takes up to a kilobyte of memory


class TraceError(Exception):
    """A file is no trace, or is damaged. The message names it."""


class Launch:
    """The elements of one launch."""

    def __init__(self, header, processes):
        self.header = header  # the arguments of ttl_launch
        self.first = header["pid"]  # the process of node 0
        self.tids = frozenset(thread["tid"] + copies for thread in header["threads"] for copies in (0, 10))
        self.processes = processes  # names by process
        self.spans, self.counters, self.texts = [], [], []
        self.end = None  # the arguments of ttl_end; None: the trace is cut off

    def node(self, pid):
        columns = self.header["grid"][0]
        return (pid - self.first) % columns, (pid - self.first) // columns

    @property
    def mesh(self):
        """The extents of the mesh; (1, 1) for one device."""
        return tuple(self.header.get("mesh", (1, 1)))

    def device(self, column):
        """Returns the device to which a column of the grid belongs."""
        return column // (self.header["grid"][0] // math.prod(self.mesh))

    def thread_names(self):
        names = {thread["tid"]: thread["name"] for thread in self.header["threads"]}
        return {**names, **{tid + 10: f"{name} copies" for tid, name in names.items()}}


class _Reader:
    """Takes the lines of a trace and keeps one launch."""

    def __init__(self, path, wanted):
        self.path, self.wanted = path, wanted
        self.number = 0  # of the line
        self.has_version = False  # whether the first element was read
        self.processes = {}
        self.found = 0  # launches
        self.launch = None  # the launch that is kept
        self.is_kept = False  # whether the present lines belong to it

    def fail(self, what):
        raise TraceError(f"{self.path}:{self.number}: {what}")

    def line(self, line):
        self.number += 1
        text = line.strip().rstrip(",")
        if not text or text in ("[", "]"):
            return
        try:
            element = json.loads(text)
            self.element(element)
        except (ValueError, RecursionError):
            self.fail(f"expected an element of a trace, found {line[:60]!r}")
        except _schema.Mistake as mistake:
            self.fail(f"expected an element of a trace; {mistake}")

    def element(self, element):
        _schema.check(element)
        if not self.has_version:
            self.check_version(element)
        elif element["ph"] == "M":
            self.names(element)
        elif self.is_kept:
            self.keep(element)

    def keep(self, element):
        kinds = {"X": self.launch.spans, "C": self.launch.counters, "i": self.launch.texts}
        kept = kinds.get(element["ph"])
        if kept is None:
            return
        if element["ph"] != "i":
            _schema.check_place(element, self.launch)
        if len(kept) >= MOST_ELEMENTS:
            self.fail(f"the launch has more than {MOST_ELEMENTS:,} spans: trace a smaller run")
        kept.append(element)

    def check_version(self, element):
        self.has_version = True
        version = element["args"]["version"] if element.get("name") == "ttl_trace" else None
        if version != VERSION:
            raise TraceError(self.wrong_version(version))

    def wrong_version(self, version=None):
        if version is None:
            return f"{self.path}: expected a trace of version {VERSION}, found another file; " \
                   "ttl-jit run PROGRAM --trace=FILE writes traces"
        return (f"{self.path}: expected a trace of version {VERSION}, found version {version!s:.20}: another ttl-jit "
                "wrote it; trace the program again with this one, or use that one")

    def names(self, element):
        arguments = element.get("args")
        if element.get("name") == "process_name":
            self.processes[element["pid"]] = arguments["name"]
        elif element.get("name") == "ttl_launch":
            self.found = arguments["launch"]
            self.is_kept = self.wanted in (None, self.found)
            if self.is_kept:
                self.launch = Launch({**arguments, "pid": element["pid"]}, self.processes)
        elif element.get("name") == "ttl_end" and self.is_kept:
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
        if len(rest) > MOST_LINE:
            reader.number += 1
            reader.fail(f"a line has more than {MOST_LINE:,} bytes")

    mistake = _ttjit.read_trace(path, take)
    if mistake:
        raise TraceError(mistake)
    reader.line(rest.decode(errors="replace"))
    if not reader.has_version:
        raise TraceError(reader.wrong_version())
    if reader.launch is None:
        what = f"no launch {wanted}; it holds {reader.found}" if wanted is not None else "no launch of a kernel"
        raise TraceError(f"{path} holds {what}")
    return reader.launch, reader.found
