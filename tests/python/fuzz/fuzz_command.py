# SPDX-License-Identifier: Apache-2.0
"""Runs commands of ttl-jit in this process, which forked children can do many times a second: the same
code as that of the program, from the end of its main() on."""

import os
import pathlib
import sys


class Command:
    """`messages` is the file that takes standard error."""

    def __init__(self, messages):
        import _ttl_command
        import _ttl_run

        self.command, self.runner, self.messages = _ttl_command, _ttl_run, pathlib.Path(messages)

    def run(self, *words):
        """Returns the exit status, and what ttl-jit wrote to standard error."""
        before = os.dup(2)
        with open(self.messages, "wb") as stream:
            os.dup2(stream.fileno(), 2)
        try:
            return self._status(["ttl-jit", *map(str, words)]), self.messages.read_text(errors="replace")
        finally:
            os.dup2(before, 2)
            os.close(before)

    def _status(self, words):
        status, python, _ = self.command.run(words)
        if python is None:
            return status
        function, file, sys.argv[1:] = python
        return getattr(self.runner, function)(os.path.dirname(self.runner.__file__), *([file] if file else []))
