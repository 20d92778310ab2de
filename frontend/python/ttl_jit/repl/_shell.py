# ===- _shell.py - runs statements and commands -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Every statement gets a file name of its own, under which its text is known to Python's linecache:
# the compiler finds the source of kernels there, and errors quote it.
# ===--------------------------------------------------------------------------=== #

import codeop
import collections
import linecache
import os
import sys
import traceback
import types

from ttl_jit.repl import _calls, _commands, _help

# What the compiler of Python raises for a wrong statement.
_WRONG = (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError)


def _is_own(frame):
    """Whether a frame is of these packages, or of the module that compiles statements."""
    return frame.f_globals.get("__name__", "").partition(".")[0] in ("ttl_jit", "ttl", "ttnn", "codeop")


class Quit(Exception):
    """Ends the session. `status` is the exit status that a statement asked for, or None."""

    def __init__(self, code):
        self.status = code if code is None or isinstance(code, int) else 1
        if self.status != code:  # sys.exit("text"), as in Python
            print(code, file=sys.stderr, flush=True)


class Shell:
    """The state of a session: the names that statements use, and what commands remember."""

    def __init__(self, namespace=None):
        import numpy as np
        import ttl
        from ttl import ttnn

        main = types.ModuleType("__main__")
        self.namespace = vars(main) if namespace is None else namespace
        if namespace is None:
            sys.modules["__main__"] = main
            self.namespace.update(ttl=ttl, ttnn=ttnn, np=np)
        self.calls = _calls.Calls()
        self.commands = _commands.Commands(self)
        self.entered = []  # the statements and commands that were entered
        self.failed = False  # whether the last one failed
        self.rest = None  # the lines of a pipe or file that were not run yet
        self._compile = codeop.CommandCompiler()
        self._count = 0

    def is_complete(self, text):
        """Returns whether a text is a whole statement or command; a wrong one is whole, too."""
        if text.lstrip().startswith(":"):
            return self.commands.is_complete(text)
        if _help.question(text):
            return True
        try:
            return self._compile(text.rstrip(" \t"), "<check>", "single") is not None
        except _WRONG:
            return True

    def execute(self, text):
        """Runs one statement or command. Prints an error, if it fails; raises Quit only."""
        self.failed = False
        if not text.strip():
            return
        self.entered.append(text)
        try:
            if (name := _help.question(text)) is not None:
                self.show_help(name)
            elif text.lstrip().startswith(":"):
                self.commands.run(text.strip())
            else:
                self.run_source(text)
        except Quit:
            raise
        except KeyboardInterrupt as error:
            self._report("\n".join(getattr(error, "__notes__", ["interrupted"])))
        except SystemExit as error:
            raise Quit(error.code) from None
        except BaseException as error:
            self._report(self._text_of(error))

    def show_help(self, name):
        """Shows what a name, or a command with its colon, is."""
        if name.startswith(":"):
            return self.commands.do_help(name)
        try:
            value = _help.find(self.namespace, name)
        except (NameError, AttributeError) as error:
            raise _commands.WrongCommand(f"{name}?: {error}") from None
        print(_help.describe(name, value))

    def next_name(self):
        """Returns the name of the file that a statement or program is, in errors."""
        self._count += 1
        return f"<ttl-jit {self._count}>"

    def run_source(self, text):
        name = self.next_name()
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        code = self._compile(text if text.endswith("\n") else text + "\n", name, "single")
        if code is None:
            raise SyntaxError("the statement is not complete")
        exec(code, self.namespace)

    def run_file(self, name, arguments):
        """Runs a script in the session's names, with its folder first in sys.path."""
        with open(name, "rb") as file:
            code = compile(file.read(), name, "exec")
        linecache.checkcache(name)
        self.namespace["__file__"] = name
        before, sys.argv = sys.argv, [name, *arguments]
        sys.path.insert(0, os.path.dirname(os.path.abspath(name)))
        try:
            exec(code, self.namespace)
        finally:
            sys.argv = before
            del sys.path[0]

    def run_lines(self, lines):
        """Runs the text of a pipe or file, statement by statement, until it ends. Returns the exit
        status: 1 if something failed."""
        status, pending = 0, []
        before, self.rest = self.rest, collections.deque((*lines, None))
        try:
            while self.rest:
                if self._ends(pending, self.rest[0]):
                    self.execute("".join(pending))  # a kernel that stops takes lines
                    status |= self.failed
                    pending = []
                line = self.rest.popleft()
                if line is not None:
                    pending.append(line)
        except Quit as quit:
            status = status if quit.status is None else quit.status & 0xFF
        finally:
            self.rest = before
        sys.stdout.flush()
        return int(status)

    def _ends(self, pending, following):
        """Returns whether a statement ends before the next line."""
        text = "".join(pending)
        if not text.strip() or following is None:
            return True
        if text.lstrip().startswith(":"):
            return self.is_complete(text)
        if following.strip() and following[0] in " \t#":
            return False
        continues = following.split(":")[0].split(" ")[0].strip() in ("else", "elif", "except", "finally")
        decorates = text.splitlines()[-1].startswith("@")
        return bool(following.strip()) and not continues and not decorates and self._is_whole(text)

    def _is_whole(self, text):
        try:
            return _help.question(text) or self._compile(text + "\n", "<check>", "single") is not None
        except _WRONG:
            return True

    def _report(self, text):
        self.failed = True
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)

    def _text_of(self, error):
        import ttl
        from ttl._errors import Located

        if isinstance(error, ttl.CompileError):
            self.calls.forget_last()  # it has no kernel to look at
        if isinstance(error, Located):
            return _calls.fault_text(error)
        if isinstance(error, (_calls.NothingToShow, _commands.WrongCommand)):
            return f"error: {error}"
        frames = error.__traceback__
        while frames and _is_own(frames.tb_frame):
            frames = frames.tb_next
        if frames is None and not isinstance(error, SyntaxError):
            return f"error: {error}"
        return "".join(traceback.format_exception(type(error), error, frames)).rstrip("\n")
