# ===- _bundle.py - files of compiled kernels ---------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A bundle is one line of text, "ttl-jit kernel VERSION SHA256", and then a JSON object compressed by
# zlib. SHA256 is the hash of the compressed bytes. The object has the IR of the frontend, the options
# and the parameters. ttl.load() compiles the kernel from them; the cache of code usually has the result.
# A file may come from anybody, so each field is checked before it is used (_bundle_fields.py).
# VERSION changes when the IR or the object change, so that an older file is refused, not misread.
# ===--------------------------------------------------------------------------=== #

import hashlib
import os
import stat
import zlib

VERSION = 1
LIMIT = 1 << 28  # the most bytes of an object: a small file may decompress to any size
_TITLE = "ttl-jit kernel"


class Damaged(ValueError):
    """A file is not a saved kernel, or is damaged, or has another format version."""


def write(path, content):
    """Writes a JSON object to a bundle. If this fails, an existing file keeps its content."""
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
    title, _, body = _content(path).partition(b"\n")
    words = title.decode("ascii", "replace").split()
    if words[:2] != _TITLE.split() or len(words) != 4:
        raise Damaged(f"{path} is not a kernel that ttl-jit saved")
    if words[2] != str(VERSION):
        raise Damaged(f"{path} has format {words[2]}, and this ttl-jit reads format {VERSION}: "
                      "save the kernel again with this version")
    if hashlib.sha256(body).hexdigest() != words[3]:
        raise Damaged(f"{path} is damaged: its checksum is wrong; save the kernel again")
    return _parse(path, _decompress(path, body))


def _content(path):
    """Returns the bytes of a regular file. Raises Damaged for others: a pipe may never end."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Damaged(f"{path} is not a regular file")
        if status.st_size > LIMIT:
            raise Damaged(f"{path} is larger than a kernel may be ({LIMIT >> 20} MiB)")
        return file.read(LIMIT)


def _decompress(path, body):
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(body, LIMIT)
    except zlib.error as error:
        raise Damaged(f"{path} is damaged: {error}") from None
    if stream.unconsumed_tail:
        raise Damaged(f"{path} decompresses to more than a kernel may have ({LIMIT >> 20} MiB)")
    if not stream.eof or stream.unused_data:
        raise Damaged(f"{path} is damaged: its compressed data end too early, or more data follow them")
    return text


def _parse(path, text):
    import json  # slow to import

    try:
        return json.loads(text)
    except RecursionError:
        raise Damaged(f"{path} is damaged: its lists are nested too deep") from None
    except ValueError as error:
        raise Damaged(f"{path} is damaged: its content is not JSON: {error}") from None
