# SPDX-License-Identifier: Apache-2.0
"""Which line of one version of a program is which line of the other."""

import difflib
import os

NOWHERE = ("", 0)


class LinePairs:
    """Lines of two versions. `first` and `second` map places, (file, line), to the cost that says which
    files matter most."""

    def __init__(self, first, second):
        self.files = _paired_files(_costs(first), _costs(second))
        self.maps = {one: _paired_lines(one, other) for one, other in self.files.items()}

    def other(self, place):
        """Returns the place in the second version that a place of the first one became, or None."""
        file, line = place
        if place == NOWHERE:
            return place
        if file not in self.files:
            return None
        lines = self.maps[file]
        number = line if lines is None else lines.get(line)
        return (self.files[file], number) if number else None

    def pairs(self, first, second):
        """Returns (place or None, place or None) for the places of both versions, each once."""
        found, rest = [], dict.fromkeys(second)
        for place in first:
            other = self.other(place)
            found.append((place, other if other in rest else None))
            rest.pop(other, None)
        return found + [(None, place) for place in rest]


def _costs(places):
    """Returns the files of the places, those with most cost first."""
    found = {}
    for (file, _), cost in places.items():
        if file:
            found[file] = found.get(file, 0) + cost
    return sorted(found, key=lambda file: -found[file])


def _paired_files(first, second):
    """Pairs equal paths, then equal names, then the others in the order of their costs."""
    found = {file: file for file in first if file in second}
    for name in (os.path.basename, lambda file: ""):
        for file in first:
            rest = [other for other in second if other not in found.values() and name(other) == name(file)]
            if file not in found and rest:
                found[file] = rest[0]
    return found


def _paired_lines(first, second):
    """Returns {line number in `first`: line number of the same text in `second`}; None if no line moved."""
    if first == second:
        return None
    try:
        texts = [_lines(file) for file in (first, second)]
    except (OSError, UnicodeDecodeError):
        return None
    found = {}
    for _, begin, end, other, other_end in difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        for number in range(min(end - begin, other_end - other)):
            found[begin + number + 1] = other + number + 1
    return found


def _lines(file):
    with open(file, encoding="utf-8") as stream:
        return [line.strip() for line in stream]


def text_of(place):
    """Returns the text of a line, or "" if its file cannot be read."""
    import linecache

    return linecache.getline(*place).strip() if place else ""


def shown(place):
    if place is None:
        return "-"
    return f"{os.path.basename(place[0])}:{place[1]}" if place != NOWHERE else "no line"
