"""Parses MLIR's generic form: ops with names in quotes, as `ttl-opt --mlir-print-op-generic` prints them."""

import dataclasses
import re


@dataclasses.dataclass
class Op:
    name: str
    results: list
    operands: list
    attrs: dict  # attribute name: its text
    regions: list  # of Block
    operand_types: list
    result_types: list


@dataclasses.dataclass
class Block:
    arguments: list  # (name, type)
    ops: list


OPEN, CLOSE = "([{<", ")]}>"


def balanced(text, at):
    """Returns the position after the bracket that closes the bracket at `at`."""
    depth = 0
    while True:
        char = text[at]
        if char == '"':
            at = text.index('"', at + 1)
        elif text.startswith("->", at) or text.startswith(">=", at) or text.startswith("<=", at):
            at += 1
        elif char in OPEN:
            depth += 1
        elif char in CLOSE:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1


def split(text, separator=","):
    """Splits the text at those separators that are not inside brackets."""
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] in OPEN:
            at = balanced(text, at)
        elif text[at] == '"':
            at = text.index('"', at + 1) + 1
        elif text[at] == separator:
            parts.append(text[start:at].strip())
            start = at = at + 1
        else:
            at += 2 if text.startswith("->", at) else 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def attributes(text):
    found = {}
    for part in split(text):
        name, _, value = part.partition("=")
        found[name.strip().strip('"')] = value.strip()
    return found


def without_aliases(text):
    """Replaces each alias such as #map1 by the attribute or type that the text defines it as."""
    aliases = re.findall(r"^([#!][\w.]+) = (.*)$", text, flags=re.M)
    text = re.sub(r"^[#!][\w.]+ = .*\n", "", text, flags=re.M)
    known = {}
    for name, value in aliases:
        known[name] = re.sub(r"[#!]\w+\b(?![.\w])", lambda m: known.get(m[0], m[0]), value)
    return re.sub(r"[#!]\w+\b(?![.\w])", lambda m: known.get(m[0], m[0]), text)


class Parser:
    def __init__(self, text):
        self.text, self.at = without_aliases(text), 0

    def space(self):
        while self.text[self.at].isspace():
            self.at += 1

    def accept(self, word):
        self.space()
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def bracket(self):
        """Returns the text inside the bracket that begins at the current position, and moves behind it."""
        end = balanced(self.text, self.at)
        inside = self.text[self.at + 1 : end - 1]
        self.at = end
        return inside

    def line(self):
        end = self.text.index("\n", self.at)
        rest = self.text[self.at : end]
        self.at = end
        return rest

    def results(self):
        match = re.compile(r"\s*((?:%[\w#]+(?::\d+)?(?:, )?)+) = ").match(self.text, self.at)
        if not match:
            return []
        self.at = match.end()
        names = []
        for part in match[1].split(", "):
            name, _, count = part.partition(":")
            names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
        return names

    def op(self):
        results = self.results()
        self.space()
        name = re.compile(r'"([\w.]+)"').match(self.text, self.at)
        self.at = name.end()
        operands = split(self.bracket())
        attrs = {}
        if self.accept("<{"):
            self.at -= 1
            attrs.update(attributes(self.bracket()))
            self.accept(">")
        regions = []
        if self.accept("({"):
            self.at -= 1
            while True:
                regions.append(self.region())
                if not self.accept(","):
                    break
                self.space()
            self.accept(")")
        if self.accept("{"):
            self.at -= 1
            attrs.update(attributes(self.bracket()))
        self.accept(":")
        types = self.line().strip()
        end = balanced(types, 0)
        made = types[end:].strip().removeprefix("->").strip()
        made = made[1:-1] if made.startswith("(") else made
        return Op(name[1], results, operands, attrs, regions, split(types[1 : end - 1]), split(made))

    def region(self):
        self.accept("{")
        block = Block([], [])
        label = re.compile(r"\s*\^\w+").match(self.text, self.at)
        if label:
            self.at = label.end()
            if self.text[self.at] == "(":
                for part in split(self.bracket()):
                    name, _, kind = part.partition(":")
                    block.arguments.append((name.strip(), kind.strip()))
            self.accept(":")
        while not self.accept("}"):
            block.ops.append(self.op())
        return block


def parse_module(text):
    """Returns the ops at the top level of a module."""
    return Parser(text).op().regions[0].ops
