# ===- main.py - the command ttl-jit of a wheel -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A wheel of ttl-jit installs scripts that call main(). Such a script does what the program ttl-jit does. It
# runs kernels in the user's own Python, with the packages that are installed there.
# ===--------------------------------------------------------------------------=== #

import os
import signal
import sys

from ttl_jit import packages


def main():
    """Runs the command in sys.argv; returns the exit status."""
    try:
        return _main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 128 + signal.SIGINT


def _main():
    folder = packages()
    # Python puts the folder of the script first. A kernel must not find modules there.
    if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(sys.argv[0])):
        del sys.path[0]
    sys.path.insert(0, folder)
    import _ttl_run

    status, python, variables = _run_command()
    if python is None:
        return status
    os.environ.update(variables)
    function, file, arguments = python
    sys.argv = [file, *arguments]
    return getattr(_ttl_run, function)(folder, *([file] if file else []))


def _run_command():
    import _ttl_load

    command = _ttl_load.load("_ttl_command")
    # Python's handler of Ctrl-C acts between two statements, and this call is only one.
    is_pythons = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_pythons:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return command.run(sys.argv)
    finally:
        if is_pythons:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def language_server():
    """Becomes the language server for .mlir files."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "ttl-lsp-server")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
