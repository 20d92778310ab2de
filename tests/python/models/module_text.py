# ===- module_text.py - functions of modules of ttir, read from their text ----=== #
# SPDX-License-Identifier: Apache-2.0
#
# Reads the functions of a .mlir file into the objects of modules.py, so that the evaluator can compute
# what files of tt-mlir define. The reader knows the quoted form of ops, ttir.empty and ttir.to_layout. A
# to_layout is read as its operand, or as a typecast. Destination operands of older files are dropped.
# ===--------------------------------------------------------------------------=== #

import re

import numpy as np

from modules import Module, Type

_NAME = r"%[\w$.#-]+"
_FUNCTION = re.compile(r"func\.func\s+(?:public\s+|private\s+)?@([\w$.-]+)\s*\(")
_OP = re.compile(rf'^(?:({_NAME}(?:\s*,\s*{_NAME})*)\s*=\s*)?"(?:ttir|ttnn)\.(\w+)"\s*\(([^)]*)\)\s*(.*)$', re.S)
_LAYOUT = re.compile(rf"^({_NAME})\s*=\s*ttir\.to_layout\s+({_NAME})\s*,\s*({_NAME})\s*(.*)$", re.S)
_EMPTY = re.compile(rf"^({_NAME})\s*=\s*ttir\.empty\(\)\s*:\s*(.*)$", re.S)
_CLOSING = {"(": ")", "<": ">", "[": "]", "{": "}"}


class Unreadable(Exception):
    """Raised if a text has something that this reader does not know."""


def _end_of(text, start):
    """Returns the position after the bracket that closes the bracket at `start`."""
    stack = []
    for place in range(start, len(text)):
        char = text[place]
        if char in _CLOSING:
            stack.append(_CLOSING[char])
        elif stack and char == stack[-1] and not (char == ">" and text[place - 1] == "-"):
            stack.pop()
            if not stack:
                return place + 1
    raise Unreadable("a bracket is not closed")


def _split(text):
    """Splits a list at those commas that are not inside brackets."""
    parts, begin, place = [], 0, 0
    while place < len(text):
        if text[place] in _CLOSING:
            place = _end_of(text, place)
            continue
        if text[place] == ",":
            parts.append(text[begin:place])
            begin = place + 1
        place += 1
    return [part.strip() for part in (*parts, text[begin:]) if part.strip()]


def _after_arrow(text):
    """Returns the text after the last `->` outside of brackets: maps in layouts have arrows, too."""
    found, place = 0, 0
    while place < len(text):
        if text[place] in _CLOSING:
            place = _end_of(text, place)
            continue
        if text.startswith("->", place):
            found = place + 2
        place += 1
    return text[found:].strip()


# ===--------------------------------------------------------------------------=== #
# Types and attributes


def _type(text):
    """Returns a tensor's type without its layout: elements and extents as the program sees them."""
    inner = re.match(r"tensor<(.*)>$", text.strip(), re.S)
    if not inner:
        raise Unreadable(f"type {text}")
    words = _split(inner[1])
    logical = re.search(r"logical_shape\s*=\s*([\dx]+)", text)
    element = re.search(r"tile<[\dx]+,\s*(\w+)>", words[0])
    element = element[1] if element else re.split(r"(?<=\d)x|^(?=\D)", words[0])[-1]
    shape = logical[1].split("x") if logical else re.findall(r"(\d+)x", words[0].partition("!")[0])
    return Type(tuple(map(int, shape)), element)


def _number(text):
    word = text.partition(":")[0].strip()
    if word in ("true", "false"):
        return word == "true"
    return int(word, 0) if re.fullmatch(r"[-+]?\d+", word) else float(word)


def _nested(text):
    text = text.strip()
    return [_nested(each) for each in _split(text[1:-1])] if text.startswith("[") else _number(text)


def _attribute(text):
    text = text.strip()
    if text.startswith("array<"):
        return [_number(each) for each in _split(text[6:-1].partition(":")[2])]
    if text.startswith("["):
        return [_number(each) for each in _split(text[1:-1])]
    if text.startswith("dense<"):
        end = _end_of(text, 5)
        kind = _type(text[end:].partition(":")[2])
        values = np.broadcast_to(np.array(_nested(text[6:end - 1])), kind.shape)
        return values.reshape(-1).tolist()
    if text.startswith(('"', "#")):
        return text.strip('"')
    return _number(text)


def _attributes(text):
    """Reads `<{...}>` and `{...}` before an op's types; returns the attributes, their text and the rest."""
    found, shown = {}, []
    text = text.strip()
    while text[:1] in ("<", "{"):
        end = _end_of(text, 0)
        inner = text[:end].strip("<>").strip()[1:-1] if text.startswith("<") else text[1:end - 1]
        for each in _split(inner):
            key, _, value = each.partition("=")
            if key.strip().startswith("ttnn."):  # only tt-mlir's own passes use it
                continue
            found[key.strip()] = _attribute(value)
            shown.append(" ".join(each.split()))
        text = text[end:].strip()
    return found, ", ".join(shown), text


# ===--------------------------------------------------------------------------=== #
# Functions


class _Reader:
    def __init__(self, parameters):
        names, kinds = [], []
        for each in parameters:
            name, _, rest = each.partition(":")
            names.append(name.strip())
            end = _end_of(rest, rest.index("<"))
            kinds.append(_type(rest[:end]))
        self.module = Module(kinds)
        self.numbers = {name: number for number, name in enumerate(names)}
        self.storage = set()  # results of ttir.empty
        self.returned = []

    def read(self, statement):
        if statement.startswith("return"):
            self.returned = [self._find(name) for name in re.findall(_NAME, statement.partition(":")[0])]
        elif found := _EMPTY.match(statement):
            self.storage.add(found[1])
        elif found := _LAYOUT.match(statement):
            self._to_layout(found)
        elif found := _OP.match(statement):
            self._op(*found.groups())
        else:
            raise Unreadable(f"statement {statement[:60]}")

    def _find(self, name):
        if name not in self.numbers:
            raise Unreadable(f"value {name}")
        return self.numbers[name]

    def _to_layout(self, found):
        number = self._find(found[2])
        kind, result = self.module.types[number], _type(_after_arrow(found[4]))
        if result != kind:
            (number,) = self.module.add("typecast", [number], [result])
        self.numbers[found[1]] = number

    def _op(self, results, name, operands, rest):
        names = _split(operands)
        names = names[:-1] if names and names[-1] in self.storage else names
        if name == "empty":
            self.storage.add(results)
            return
        if name == "to_memory_config":  # changes no element
            self.numbers[results] = self._find(names[0])
            return
        attributes, text, rest = _attributes(rest)
        kinds = _after_arrow(rest)
        kinds = _split(kinds[1:-1]) if kinds.startswith("(") else [kinds]
        numbers = self.module.add(name, [self._find(each) for each in names], [_type(each) for each in kinds],
                                  attributes, text)
        self.numbers.update(zip(_split(results), numbers))


def _statements(body):
    """Returns the statements of a body; lines of an op that is longer than a line are joined."""
    found = []
    for line in filter(None, map(str.strip, body.splitlines())):
        if re.match(rf"{_NAME}[^=:]*=|return\b", line) or not found:
            found.append(line)
        else:
            found[-1] += " " + line
    return found


def _without_aliases(text):
    values = {}
    for alias, value in re.findall(r"^\s*([!#]\w+)\s*=\s*([^\n]+)$", text, re.M):
        values[alias] = re.sub(r"[!#]\w+\b(?!\.)", lambda use: values.get(use[0], use[0]), value.strip())
    return re.sub(r"[!#]\w+\b(?!\.|\s*=)", lambda use: values.get(use[0], use[0]), text)


def _body(text):
    """Returns the body of a function, given the text after its parameters."""
    text = text.strip()
    if text.startswith("->"):
        text = text[2:].strip()
        text = text[_end_of(text, 0 if text[0] == "(" else text.index("<")):].strip()
    if text.startswith("attributes"):
        text = text[_end_of(text, text.index("{")):].strip()
    return text[1:_end_of(text, 0) - 1]


def read_functions(text):
    """Returns {name: (module, numbers of the values that the function returns)}."""
    text = _without_aliases(re.sub(r"//[^\n]*", "", text))
    functions = {}
    for found in _FUNCTION.finditer(text):
        end = _end_of(text, found.end() - 1)
        reader = _Reader(_split(text[found.end():end - 1]))
        for statement in _statements(_body(text[end:])):
            reader.read(statement)
        functions[found[1]] = reader.module, reader.returned
    return functions
