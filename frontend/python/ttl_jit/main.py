# ===- main.py - ttl-jit as a script of the user's own Python ----------------------===
# SPDX-License-Identifier: Apache-2.0
#
# A wheel installs scripts that call main(). They do what the program ttl-jit does, in the Python
# that runs them, with its packages.
# ===----------------------------------------------------------------------------===//

import os
import sys

from ttl_jit import packages


def main():
    """Runs the command in sys.argv; returns the exit status."""
    folder = packages()
    # Python puts the folder of the script first. A kernel must not find modules there.
    if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(sys.argv[0])):
        del sys.path[0]
    sys.path.insert(0, folder)
    import _ttl_load
    import _ttl_run

    status, python, variables = _ttl_load.load("_ttl_command").run(sys.argv)
    if python is None:
        return status
    os.environ.update(variables)
    file, arguments = python
    sys.argv = [file, *arguments]
    return _ttl_run.run(folder, file) if file else _ttl_run.interact(folder)


if __name__ == "__main__":
    sys.exit(main())
