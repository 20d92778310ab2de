"""The interactive session: `ttl-jit` without arguments."""
# SPDX-License-Identifier: Apache-2.0

import sys


def run(arguments=()):
    """Reads statements and commands until the input ends; returns the exit status."""
    from ttl_jit.repl import _shell, _terminal

    shell = _shell.Shell()
    if sys.stdin.isatty():
        return _terminal.run(shell)
    return shell.run_lines(sys.stdin)
