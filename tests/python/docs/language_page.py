# SPDX-License-Identifier: Apache-2.0
"""The snippets of docs/language.md: each fenced python block is a program.

The first block is the prelude; the others run after it. A comment `# warns: TEXT` in a
block says that it prints a warning with that text. A block of kind `output` behind a
program is what that program prints.
"""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "language.md"
FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^### (.+)$", re.MULTILINE)


class Snippet(NamedTuple):
    feature: str  # the heading above
    line: int  # of the block's first statement
    code: str
    output: str  # what it prints

    @property
    def name(self):
        return f"{re.sub('[^a-z0-9]+', '-', self.feature.lower()).strip('-')}-{self.line}"

    @property
    def warnings(self):
        return re.findall(r"# warns: (.+)$", self.code, re.MULTILINE)


def headings(text):
    """(position, heading) of each feature's section, without lines of programs that look alike."""
    blank = FENCE.sub(lambda match: " " * len(match[0]), text)
    return [(match.start(), match[1]) for match in HEADING.finditer(blank)]


def section_at(sections, position):
    before = [heading for start, heading in sections if start < position]
    return before[-1] if before else ""


def output_behind(text, end):
    match = FENCE.match(text, end + len(text[end:]) - len(text[end:].lstrip("\n")))
    return match["code"] if match and match["kind"] == "output" else ""


def snippets(text):
    """(the prelude, the other programs) of a page."""
    sections, found = headings(text), []
    for match in FENCE.finditer(text):
        if match["kind"] == "python":
            line = text.count("\n", 0, match.start("code")) + 1
            feature = section_at(sections, match.start())
            found.append(Snippet(feature, line, match["code"], output_behind(text, match.end())))
    return found[0], found[1:]
