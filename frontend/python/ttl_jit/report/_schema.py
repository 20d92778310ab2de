# SPDX-License-Identifier: Apache-2.0
"""Checks the elements of a trace, so that all code after it may rely on their types."""

import math

MOST_NODES = 1 << 20
MOST_TIME = 1e15  # microseconds


class Mistake(Exception):
    """A field of an element is wrong."""


def _text(value):
    return isinstance(value, str)


def _whole(value):
    return type(value) is int and 0 <= value < 1 << 62


def _time(value):
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= MOST_TIME


def _core(value):
    return isinstance(value, list) and len(value) == 2 and all(map(_whole, value))


def _anything(value):
    return True


def _grid(value):
    return _core(value) and min(value) >= 1 and value[0] * value[1] <= MOST_NODES


def _mesh(value):
    return isinstance(value, list) and bool(value) and all(map(_whole, value)) and 1 <= math.prod(value) <= MOST_NODES


def _list_of(**fields):
    """Returns a function that checks a list of objects with these fields."""

    def check(value):
        return isinstance(value, list) and all(
            isinstance(item, dict) and all(name in item and kind(item[name]) for name, kind in fields.items())
            for item in value)

    return check


_BUFFERS = _list_of(name=_text, pages=_whole, block=_whole, page_bytes=_whole, at=_text)
_THREADS = _list_of(name=_text, tid=_whole, at=_text)

# The fields of the elements that are read, by the element's phase; those with "args." are its
# arguments. Fields in the second group may be absent.
_SPAN = ({"cat": _text, "name": _text, "pid": _whole, "tid": _whole, "ts": _time, "dur": _time},
         {"at": _text, "own": _time, "bytes": _whole, "count": _whole, "to": _core, "for": _text,
          "need": _text, "what": _text, "from": _text, "bank": _whole})
_COUNTER = ({"name": _text, "pid": _whole, "ts": _time}, {"pages": _whole})
_PHASES = {"X": _SPAN, "C": _COUNTER, "i": ({}, {}), "s": ({}, {}), "t": ({}, {}), "f": ({}, {})}

# The arguments of the elements that name something, by the element's name.
_NAMES = {
    "process_name": {"name": _text},
    "ttl_launch": {"launch": _whole, "kernel": _text, "grid": _grid, "nodes": _whole, "start": _time,
                   "time": _text, "buffers": _BUFFERS, "threads": _THREADS},
    "ttl_end": {"launch": _whole, "end": _time, "fault": _text},
    "ttl_trace": {"version": _anything},
}
# Of a launch on a mesh: its extents.
_OPTIONAL = {"ttl_launch": {"mesh": _mesh}}
_KINDS = ("compute", "call", "issue", "wait", "copy")

# What each of these functions accepts, in words for messages.
_EXPECTED = {_text: "text", _whole: "a whole number from 0 on", _time: f"microseconds from 0 to {MOST_TIME:g}",
             _core: "two whole numbers", _grid: f"a grid of 1 to {MOST_NODES} nodes", _mesh: "the extents of a mesh",
             _BUFFERS: "a list of buffers", _THREADS: "a list of threads"}


def _wrong(name, where, value, expected):
    return Mistake(f"the field {name!r}{where} is {str(value)[:40]!r}, expected {expected}")


def _fields(values, expected, where):
    for name, is_right in expected.items():
        if name not in values:
            raise Mistake(f"expected a field {name!r} in {where}")
        if not is_right(values[name]):
            raise _wrong(name, f" of {where}", values[name], _EXPECTED[is_right])


def _arguments(element):
    arguments = element.get("args", {})
    if not isinstance(arguments, dict):
        raise _wrong("args", "", arguments, "an object")
    return arguments


def _check_name(element):
    expected = _NAMES.get(element.get("name") if _text(element.get("name")) else None)
    if expected is None:
        return
    where = f"{element['name']!r}"
    _fields(element, {"pid": _whole} if element["name"] != "ttl_trace" else {}, where)
    arguments = _arguments(element)
    _fields(arguments, expected, where)
    optional = _OPTIONAL.get(element["name"], {})
    _fields(arguments, {name: kind for name, kind in optional.items() if name in arguments}, where)
    if element["name"] == "ttl_launch" and arguments["grid"][0] % math.prod(arguments.get("mesh", [1])):
        raise _wrong("mesh", f" of {where}", arguments["mesh"],
                     f"devices that divide the {arguments['grid'][0]} columns of the grid")
    if element["name"] == "ttl_launch" and not 1 <= arguments["nodes"] <= math.prod(arguments["grid"]):
        raise _wrong("nodes", f" of {where}", arguments["nodes"],
                     f"a number from 1 to {math.prod(arguments['grid'])}")


def _check_span(element):
    arguments = element["args"]
    if element["cat"] not in _KINDS:
        raise _wrong("cat", " of a span", element["cat"], f"one of {', '.join(_KINDS)}")
    if (element["cat"] == "copy") != (element["tid"] > 10):
        raise _wrong("tid", f" of a span of '{element['cat']}'", element["tid"],
                     "more than 10" if element["cat"] == "copy" else "at most 10")
    if element["cat"] == "copy":
        _fields(arguments, {"bytes": _whole}, "a copy")


def check(element):
    """Raises a Mistake unless the element is one of a trace."""
    if not isinstance(element, dict) or not _text(element.get("ph")):
        raise Mistake("expected an object with a field 'ph'")
    phase = element["ph"]
    if phase == "M":
        return _check_name(element)
    if phase not in _PHASES:
        raise _wrong("ph", "", phase, f"one of M, {', '.join(_PHASES)}")
    always, sometimes = _PHASES[phase]
    _fields(element, always, "an element")
    arguments = _arguments(element)
    element["args"] = arguments
    _fields(arguments, {name: kind for name, kind in sometimes.items() if name in arguments}, "'args'")
    if phase == "C" and "pages" not in arguments:
        raise Mistake("expected a field 'pages' in 'args'")
    if phase == "X":
        _check_span(element)


def check_place(element, launch):
    """Raises a Mistake unless the launch has the element's node and thread."""
    if not 0 <= element["pid"] - launch.first < launch.header["nodes"]:
        raise Mistake(f"the launch has no node with the process {element['pid']}")
    if "tid" in element and element["tid"] not in launch.tids:
        raise Mistake(f"the launch has no thread {element['tid']}")
