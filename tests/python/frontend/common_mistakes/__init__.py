# SPDX-License-Identifier: Apache-2.0
"""A catalogue of the mistakes that kernel authors make. Each mistake is a function that defines the
threads of an operation. Its arguments are tensors a, b, y (64x64, float32) and buffers a_dfb,
b_dfb, y_dfb with blocks of one tile. A comment `# HERE: text` marks the line, and in it the text,
that the error must name. A mistake outside of threads is a function without arguments, which
is a whole program: see programs.py."""

import inspect
import re
from dataclasses import dataclass, field
from typing import Callable

import ttl

WARNING = "warning"
ALL = []


@dataclass
class Mistake:
    define: Callable
    phrase: str  # a regular expression that the message must match
    kind: object = ttl.CompileError  # the exception, or WARNING
    grid: object = (1, 1)
    shapes: dict = field(default_factory=dict)  # shapes of blocks other than (1, 1): {"y": (2, 1)}
    advice: str = ""  # a regular expression that the whole report must match
    names: tuple = ("a", "b", "y")  # the tensors that the operation takes
    message: str = ""  # the whole message, if the mistake gives it instead of a phrase
    # contexts of contexts.py that must not change the message
    contexts: tuple = ()

    @property
    def name(self):
        return self.define.__name__

    @property
    def file(self):
        return self.define.__code__.co_filename

    def place(self):
        """Returns the line and column that comment `# HERE: text` marks, both from 1."""
        lines, first = inspect.getsourcelines(self.define)
        for number, line in enumerate(lines, first):
            code, mark, wanted = line.rstrip("\n").partition("# HERE: ")
            if mark:
                return number, code.index(wanted) + 1
        raise AssertionError(f"{self.name} has no mark")


def mistake(phrase, **facts):
    def add(define):
        ALL.append(Mistake(define, phrase, **facts))
        return define

    return add


PROGRAMS = []


def said(message, **facts):
    """Decorates a mistake whose whole message is `message`. `facts` are fields of Mistake."""

    def add(define):
        ALL.append(Mistake(define, re.escape(message), message=message, **facts))
        return define

    return add


def program(kind, message):
    """Decorates a mistake that is a whole program, which must raise `kind` with this message."""

    def add(define):
        PROGRAMS.append(Mistake(define, re.escape(message), kind, message=message))
        return define

    return add


def read(tensor, dfb, count=1):
    """Defines a correct reader thread that fills `count` blocks of `dfb`."""

    @ttl.datamovement()
    def reader():
        for _ in range(count):
            with dfb.reserve() as blk:
                ttl.copy(tensor[0, 0], blk).wait()


def read_both(a, a_dfb, b, b_dfb):
    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            ttl.copy(a[0, 0], a_blk).wait()
            ttl.copy(b[0, 0], b_blk).wait()


def write(dfb, tensor, count=1):
    """Defines a correct writer thread that writes `count` blocks of `dfb`."""

    @ttl.datamovement()
    def writer():
        for _ in range(count):
            with dfb.wait() as blk:
                ttl.copy(blk, tensor[0, 0]).wait()


def forward(source, target, count=1):
    """Defines a correct compute thread that stores `count` blocks of `source`, times 2."""

    @ttl.compute()
    def compute():
        for _ in range(count):
            with source.wait() as blk, target.reserve() as out:
                out.store(blk * 2)
