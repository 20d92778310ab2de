# ===- _headers.py - files that C++ functions of the user are compiled from ---=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import os
import re

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def _stamp(path):
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def stamps(path, folders):
    """Returns {file: stamp} for a header and the files that it includes with quotes."""
    found, rest = {}, [path]
    while rest:
        path = rest.pop()
        if path in found or not os.path.isfile(path):
            continue
        found[path] = _stamp(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            names = _INCLUDE.findall(file.read())
        for name in names:
            rest += [os.path.join(folder, name) for folder in (os.path.dirname(path), *folders)]
    return found


def are_current(files):
    """Returns whether no file has changed since stamps() looked at it."""
    return all(_stamp(path) == stamp for path, stamp in files.items())
