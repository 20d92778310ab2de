# ===- _bundle.py - files of compiled kernels --------------------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# A bundle is one line of text, "ttl-jit kernel VERSION SHA256", and a JSON object compressed by zlib,
# whose SHA-256 the line has. The object has the IR of the frontend, the options and the
# parameters, from which ttl.load() compiles the kernel again, usually from the cache of compiled code.
# VERSION changes when the IR or the object change, so that an older file is refused, not misread.
# ===----------------------------------------------------------------------------===//

import hashlib
import os
import zlib

VERSION = 1
_TITLE = "ttl-jit kernel"


def write(path, content):
    """Writes an object of JSON to a bundle. A file that is there stays as it is if this fails."""
    import json  # slow to import

    body = zlib.compress(json.dumps(content).encode())
    title = f"{_TITLE} {VERSION} {hashlib.sha256(body).hexdigest()}\n"
    part = f"{os.fspath(path)}.part{os.getpid()}"
    try:
        with open(part, "wb") as file:
            file.write(title.encode() + body)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def read(path):
    """Returns the object of a bundle. Raises a ValueError that says what is wrong with the file."""
    import json  # slow to import

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
