# ===- _help.py - name? shows what a name is ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import inspect
import re

_QUESTION = re.compile(r"\s*(?:\?\s*(:?[^\W\d][\w.]*)|(:?[^\W\d][\w.]*)\s*\?)\s*")
_LONGEST = 200


def question(text):
    """Returns the name in a statement `name?` or `?name`; None for another statement."""
    match = _QUESTION.fullmatch(text)
    return match and (match[1] or match[2])


def find(namespace, path):
    """Returns the object that names and attributes lead to. Raises a NameError or AttributeError."""
    import builtins

    first, *rest = path.split(".")
    if first not in namespace and not hasattr(builtins, first):
        raise NameError(f"name '{first}' is not defined")
    value = namespace[first] if first in namespace else getattr(builtins, first)
    for name in rest:
        value = getattr(value, name)
    return value


def describe(path, value):
    """Returns the signature, the place and the documentation of an object, as text."""
    lines = [_head(path, value)]
    place = _place(value)
    if place:
        lines.append(f"  defined at {place}")
    document = _document(value)
    lines += [f"  {line}".rstrip() for line in document.splitlines()] if document else []
    return "\n".join(lines)


def _is_data(value):
    return not (callable(value) or inspect.ismodule(value))


def _head(path, value):
    if inspect.ismodule(value):
        return f"{path}: module {value.__name__}"
    if _is_data(value):
        text = repr(value)
        return f"{path}: {type(value).__name__} = {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"
    kind = "class" if inspect.isclass(value) else type(value).__name__
    return f"{path}{_signature(value)}: {kind}"


def _signature(value):
    """Returns the signature of an object; of a class of ttl or ttnn, that of its __init__."""
    is_ours = inspect.isclass(value) and value.__module__.partition(".")[0] in ("ttl", "ttnn")
    for each in (value, value.__init__ if is_ours else None):
        try:
            return getattr(value, "signature", None) or inspect.signature(each)
        except (TypeError, ValueError):
            pass
    return "(...)"


def _place(value):
    code = getattr(inspect.unwrap(getattr(value, "function", value)) if callable(value) else None, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def _document(value):
    if _is_data(value):
        return ""
    own = inspect.getdoc(getattr(value, "function", value))
    return own or ""
