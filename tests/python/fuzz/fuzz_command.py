# SPDX-License-Identifier: Apache-2.0
"""Runs commands of ttl-jit in this process. Forked children can do so many times a second. The code is that
of the program ttl-jit, without the start in its main()."""

import os
import pathlib
import sys


class Command:
    """Runs commands. `messages` is the file into which their standard error is written."""

    def __init__(self, messages):
        import _ttl_command
        import _ttl_run

        self.command, self.runner, self.messages = _ttl_command, _ttl_run, pathlib.Path(messages)

    def run(self, *words):
        """Runs a command; returns its exit status and what it wrote to standard error."""
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
