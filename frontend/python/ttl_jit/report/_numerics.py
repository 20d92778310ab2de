# SPDX-License-Identifier: Apache-2.0
"""Explanations of errors, from a file of `ttl-jit numerics --json=FILE`."""

import json
import re

# A picture goes into the page as it is, so it must have nothing but shapes and text.
_PICTURE = re.compile(r"(?:</?(?:svg|rect|text)(?: [a-zA-Z-]+=\"[^\"<>]*\")*/?>[^<>]*)+")
_HANDLER = re.compile(r" on[a-z]+=", re.IGNORECASE)
VERSION = 1


class WrongFile(Exception):
    """A file is no explanation, or none of this kernel."""


def _is_picture(text):
    return isinstance(text, str) and bool(_PICTURE.fullmatch(text)) and not _HANDLER.search(text)


def _is_explanation(entry):
    tensors = entry.get("tensors") if isinstance(entry, dict) else None
    return (isinstance(tensors, list) and all(isinstance(entry.get(name), str) for name in ("kernel", "text"))
            and all(isinstance(tensor, dict) and isinstance(tensor.get("name"), str)
                    and _is_picture(tensor.get("picture")) for tensor in tensors))


def read(path, kernel):
    """Returns the explained launches of a kernel, each once."""
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(stream)
    except OSError as error:
        raise OSError(f"cannot read '{path}': {error.strerror}") from None
    except ValueError as error:
        raise WrongFile(f"'{path}' is not JSON: {error}") from None
    launches = content.get("launches") if isinstance(content, dict) else None
    if not isinstance(launches, list) or content.get("version") != VERSION or not all(map(_is_explanation, launches)):
        raise WrongFile(f"'{path}' is no explanation: expected a file that this version of "
                        "`ttl-jit numerics --json=FILE` wrote")
    found = {entry["text"]: entry for entry in launches if entry["kernel"] == kernel}
    if not found:
        names = ", ".join(sorted({entry["kernel"] for entry in launches})) or "no kernel"
        raise WrongFile(f"'{path}' explains {names}, and the trace has a launch of {kernel}")
    return list(found.values())
