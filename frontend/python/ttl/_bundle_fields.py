# ===- _bundle_fields.py - the fields of a saved kernel -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A saved kernel may have been written by anybody. Each field is checked here before it is used, and
# an error names the field. The C++ code that parses the field `ir` checks it. _compiled.py writes
# and reads the fields.
# ===--------------------------------------------------------------------------=== #

import keyword
import re

import _ttjit
from ttl._bundle import Damaged

_MAX_DIMENSIONS = 8
_MAX_NODES = 1 << 20
_INT32 = range(-(1 << 31), 1 << 31)
_SCALARS = (int, float, str, bool, type(None))


def names_a_path(option, value=""):
    """Returns whether an option of kernels names a file or folder of this host. The help of such an
    option shows "FILE", "DIR|off" or "replay:FILE"."""
    shape = dict(_ttjit.kernel_options()).get(option, "")
    starts = [re.split("FILE|DIR", each)[0] for each in shape.split("|") if re.search("FILE|DIR", each)]
    return any(value.startswith(start.rstrip(":")) for start in starts)


def _require(holds, what):
    if not holds:
        raise Damaged(what)


def _is_int(value, allowed):
    return type(value) is int and value in allowed


def _name(value):
    _require(type(value) is str and value, "must be a name")
    return value


def _grid(value):
    _require(type(value) is list and 1 <= len(value) <= _MAX_DIMENSIONS,
             f"must be a list of 1 to {_MAX_DIMENSIONS} extents")
    nodes = 1
    for extent in value:
        _require(_is_int(extent, range(1, _MAX_NODES + 1)),
                 f"must have extents from 1 to {_MAX_NODES}")
        nodes *= extent
    _require(nodes <= _MAX_NODES, f"must have at most {_MAX_NODES} nodes")
    return tuple(value)


def _options(value):
    _require(type(value) is list, "must be a list of pairs")
    refused = _ttjit.host_options()
    for pair in value:
        _require(type(pair) is list and len(pair) == 2 and all(type(each) is str for each in pair),
                 "must be a list of pairs of strings")
        name, text = pair
        _require(name not in refused and not names_a_path(name, text),
                 f"sets --{name}={text}, which a file may not: give it to ttl.options()")
    return tuple(map(tuple, value))


def _parameters(value):
    _require(type(value) is list, "must be a list")
    names = set()
    for each in value:
        _require(type(each) is list and len(each) == 3, "must have a name, a key and a value each")
        name, key, constant = each
        _require(type(name) is str and name.isidentifier() and not keyword.iskeyword(name),
                 f"has a parameter whose name is not a Python name: {name!r}")
        _require(name not in names, f"has two parameters {name}")
        names.add(name)
        _require(key is None or type(key) is str and key, f"has a wrong tensor key for parameter {name}: {key!r}")
        _require(isinstance(constant, _SCALARS), f"has a value for parameter {name} that is no number or string")
        _require(key is None or constant is None, f"has both a tensor key and a value for parameter {name}")
    return value


def _placement(value):
    _require(type(value) is list and len(value) == 2 and type(value[0]) is bool
             and value[1] in ("L1", "DRAM"), 'must be a list of a bool and "L1" or "DRAM"')
    return tuple(value)


def _numbers(value):
    _require(type(value) is list and all(type(each) is list for each in value),
             "must be a list of lists")
    _require(all(_is_int(number, _INT32) for each in value for number in each),
             "must have 32-bit integers")
    return value


def _written(value):
    _require(type(value) is list and all(type(each) is bool for each in value),
             "must be a list of bools")
    return value


def _text(value):
    _require(type(value) is str, "must be text")
    return value


def _check_characters(value):
    """Raises Damaged for text with half a surrogate pair: JSON can hold it, UTF-8 cannot."""
    import json  # slow to import

    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Damaged("has a character that UTF-8 cannot express") from None


_FIELDS = {"name": _name, "grid": _grid, "options": _options, "parameters": _parameters,
           "placement": _placement, "numbers": _numbers, "written": _written, "ir": _text}


def check(path, content):
    """Returns the fields of a bundle, as the constructor of a kernel takes them. Raises a
    ValueError that names the wrong field."""
    _require(type(content) is dict, f"{path} is damaged: its content is not a JSON object")
    fields = {}
    for name, read in _FIELDS.items():
        _require(name in content, f"{path} is damaged: the field '{name}' is not there")
        with field(path, name):
            fields[name] = read(content[name])
            _check_characters(fields[name])
    with field(path, "parameters"):
        tensors = sum(key is not None for _, key, _ in fields["parameters"])
        _require(tensors >= len(fields["written"]),
                 f"has {tensors} tensors, but the field 'written' has {len(fields['written'])}")
    return fields


class field:
    """Names the file and the field in each ValueError of a `with` statement."""

    def __init__(self, path, name):
        self.path, self.name = path, name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind is not None and issubclass(kind, ValueError) and not hasattr(error, "location"):
            raise Damaged(f"{self.path} is damaged: the field '{self.name}': {error}") from None
