# SPDX-License-Identifier: Apache-2.0
"""The candidates of a search: parameters, their values, and the order in which a search tries them."""

import ast
import itertools
import math
import random
from dataclasses import dataclass

MOST = 10_000  # candidates of an exhaustive search


@dataclass(frozen=True)
class Parameter:
    """A name, and the values that it may have."""

    name: str
    values: tuple

    def __post_init__(self):
        if not self.values:
            raise ValueError(f"parameter {self.name} has no values: the search space is empty")
        doubled = next((value for n, value in enumerate(self.values) if value in self.values[:n]), self)
        if doubled is not self:
            raise ValueError(f"parameter {self.name} has the value {doubled!r} twice")


def parsed(text, flag="--param"):
    """Returns the parameter of a text such as BLOCK=1,2,4 or GRID=(8,8),(4,4). Values that are no
    literals of Python are text."""
    name, equals, values = text.partition("=")
    name = name.strip()
    if not equals or not name.replace("-", "_").isidentifier():
        raise ValueError(f"{flag}: expected NAME=VALUE,VALUE, such as BLOCK=1,2,4; found '{text}'")
    return Parameter(name, _values(values))


def _values(text):
    try:
        return tuple(ast.literal_eval(f"[{text}]"))
    except (ValueError, SyntaxError):
        return tuple(_literal(word.strip()) for word in _split(text))


def _split(text):
    """Returns the parts of a text between the commas that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if "" in (part.strip() for part in parts):
        raise ValueError(f"expected values with commas between them, found '{text}'")
    return parts


def _literal(word):
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return word


class Space:
    """All combinations of the values of parameters. The last parameter changes fastest."""

    def __init__(self, parameters):
        self.parameters = tuple(parameters)
        if not self.parameters:
            raise ValueError("there are no parameters: the search space is empty; give some, such as "
                             "--param BLOCK=1,2,4")
        names = [parameter.name for parameter in self.parameters]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled:
            raise ValueError(f"parameter {doubled} is given twice")
        self.size = math.prod(len(parameter.values) for parameter in self.parameters)

    def at(self, index):
        """Returns a combination as a dict."""
        found = {}
        for parameter in reversed(self.parameters):
            index, which = divmod(index, len(parameter.values))
            found[parameter.name] = parameter.values[which]
        return dict(reversed(found.items()))


class Search:
    """How to search: "exhaustive", "random:N" or "random:N:SEED", or "halving", which needs a budget:
    a parameter of the problem's size, from small to large."""

    def __init__(self, text="exhaustive", budget=None):
        self.kind, *numbers = str(text).split(":")
        self.budget = budget
        self.count, self.seed = 0, 0
        if self.kind == "random" and 1 <= len(numbers) <= 2 and all(map(str.isdecimal, numbers)):
            self.count, self.seed = int(numbers[0]), int((*numbers, 0)[1])
        if numbers and not self.count or self.kind not in ("exhaustive", "random", "halving"):
            raise ValueError("the search must be exhaustive, random:N, random:N:SEED or halving, N from 1; "
                             f"found '{text}'")
        if self.kind == "random" and not self.count:
            raise ValueError("a random search needs the number of its candidates: random:N")
        if (self.kind == "halving") != (budget is not None):
            raise ValueError("the search 'halving' needs a budget, and no other search takes one: a parameter with "
                             "sizes of the problem, from small to large, such as SIZE=256,512,1024")

    def candidates(self, space):
        """Returns the combinations to try. The first one of the space is always the first."""
        if self.kind == "random":
            chosen = random.Random(self.seed).sample(range(1, space.size), min(self.count, space.size) - 1)
            return [space.at(index) for index in (0, *chosen)]
        if space.size > MOST:
            raise ValueError(f"{space.size} candidates are more than the {MOST} of such a search: take fewer values, "
                             "or the search random:N")
        return [space.at(index) for index in range(space.size)]

    def rungs(self):
        """Returns for each rung of the search what it adds to the values of all candidates."""
        if self.budget is None:
            return [{}]
        return [{self.budget.name: value} for value in self.budget.values]


def survivors(ranked):
    """Returns the better half of the candidates, the best first."""
    return list(itertools.islice(ranked, math.ceil(len(ranked) / 2)))
