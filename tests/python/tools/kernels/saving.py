# SPDX-License-Identifier: Apache-2.0
"""Runs a script, but saves each of its kernels to a file, loads the file and launches the loaded kernel.

    ttl-jit run saving.py -- FOLDER SCRIPT [ARGUMENTS]

The last line of the output counts the launches of loaded kernels, and says why others were not loaded."""

import os
import runpy
import sys

import ttl
from ttl import _capture, _operation

folder, script = sys.argv[1:3]
original = _operation.Operation.__call__
loaded, others = 0, []


def call(operation, *args, **keywords):
    global loaded
    if _capture.current():  # a call in the body of another operation launches nothing
        return original(operation, *args, **keywords)
    path = os.path.join(folder, f"{operation.function.__name__}.ttl")
    try:
        operation.compile(*args, **keywords).save(path)
    except ValueError as error:
        others.append(str(error))
        return original(operation, *args, **keywords)
    keywords.pop("options", None)
    ttl.load(path)(*args, **keywords)
    loaded += 1


_operation.Operation.__call__ = call
sys.argv = [script, *sys.argv[3:]]
sys.path.insert(0, os.path.dirname(script))
runpy.run_path(script, run_name="__main__")
print(loaded, *others)
