# ===- _bundle.py - files of compiled kernels --------------------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# A bundle is one line of text, "ttl-jit kernel VERSION SHA256", and a JSON object compressed by zlib,
# whose SHA-256 the line has. The object has the IR of the frontend, the options and the
# parameters, from which ttl.load() compiles the kernel again, usually from the cache of compiled code.
# VERSION changes when the IR or the object change, so that an older file is refused, not misread.
# ===----------------------------------------------------------------------------===//

import hashlib
import json
import os
import zlib

import _ttjit
from ttl import _compiled, _report
from ttnn import settings

VERSION = 1
_TITLE = "ttl-jit kernel"


def save(kernel, path):
    """Writes a compiled kernel to a file."""
    _check(kernel)
    content = json.dumps({
        "name": kernel.name,
        "grid": list(kernel.grid),
        "options": [list(pair) for pair in kernel._settings.changes if pair[0] != "cache"],
        "parameters": [[p.name, p.key, p.value] for p in kernel.parameters],
        "placement": list(kernel._placement),
        "numbers": kernel._numbers,
        "written": kernel._program.written,
        "ir": kernel._source,
    })
    body = zlib.compress(content.encode())
    title = f"{_TITLE} {VERSION} {hashlib.sha256(body).hexdigest()}\n"
    part = f"{os.fspath(path)}.part{os.getpid()}"
    try:
        with open(part, "wb") as file:
            file.write(title.encode() + body)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def _check(kernel):
    """Raises a ValueError if the kernel depends on objects of this process."""
    if kernel._captured:
        names = ", ".join(name for name, _ in kernel._captured)
        raise ValueError(f"kernel {kernel.name} cannot be saved: it uses tensors that are not its "
                         f"arguments ({names}); pass them as arguments")
    if kernel._program.calls_python():
        raise ValueError(f"kernel {kernel.name} cannot be saved: it calls a Python function of this "
                         "process")
    for parameter in kernel.parameters:
        if not isinstance(parameter.value, (int, float, str, bool, type(None))):
            raise ValueError(
                f"kernel {kernel.name} cannot be saved: its argument {parameter.name} is of type "
                f"{type(parameter.value).__name__}; only tensors, numbers and strings can be saved"
            )


def load(path):
    """Reads a compiled kernel from a file."""
    content = _read(path)
    chosen = settings.current(*(tuple(pair) for pair in content["options"]))
    program, diagnostics = _ttjit.compile_text(content["ir"], content["written"], chosen)
    _report.settle(diagnostics)
    return _compiled.CompiledKernel(
        content["name"],
        tuple(content["grid"]),
        chosen,
        content["ir"],
        program,
        [_compiled.Parameter(*each) for each in content["parameters"]],
        tuple(content["placement"]),
        numbers=content["numbers"],
        diagnostics=_report.diagnostics(diagnostics),
    )


def _read(path):
    """Returns the object of a bundle. Raises a ValueError that says what is wrong with it."""
    with open(path, "rb") as file:
        title, _, body = file.read().partition(b"\n")
    words = title.decode("ascii", "replace").split()
    if words[:2] != _TITLE.split() or len(words) != 4:
        raise ValueError(f"{path} is not a kernel that ttl-jit saved")
    if words[2] != str(VERSION):
        raise ValueError(f"{path} has format {words[2]}, and this ttl-jit reads format {VERSION}: "
                         "save the kernel again with this version")
    if hashlib.sha256(body).hexdigest() != words[3]:
        raise ValueError(f"{path} is damaged: its checksum is wrong; save the kernel again")
    return json.loads(zlib.decompress(body))
