# SPDX-License-Identifier: Apache-2.0
"""Files of found differences. Such a file is the program itself, a Python script that makes its own
inputs. Comments at its end, where they move no line of the program, name two variants and say how their results
differed."""

import os
from dataclasses import dataclass

from ttl_jit.diff import variants

_MARK = "# ttl-diff "


@dataclass
class Found:
    """A program and the two variants whose results differ. `text` says how."""

    program: str
    variants: list  # two texts
    text: str

    def write(self, file):
        """Writes the file; a process that reads it meanwhile sees the old one or the new one."""
        lines = [f"first: {self.variants[0]}", f"second: {self.variants[1]}"]
        lines += [f"found: {line}" for line in self.text.splitlines()]
        comments = "".join(f"{_MARK}{line}\n" for line in lines)
        temporary = f"{file}.{os.getpid()}"
        with open(temporary, "w") as stream:
            stream.write(self.program.rstrip("\n") + "\n" + comments)
        os.replace(temporary, file)


def read(file):
    """Returns the Found of a file. Raises a ValueError if it is no such file."""
    with open(file) as stream:
        lines = stream.read().splitlines(keepends=True)
    comments = [line[len(_MARK):].rstrip() for line in lines if line.startswith(_MARK)]
    facts = {"first": [], "second": [], "found": []}
    for line in comments:
        name, _, value = line.partition(": ")
        facts.setdefault(name, []).append(value)
    if len(facts["first"]) != 1 or len(facts["second"]) != 1:
        raise ValueError(
            f"{file} has no comments '{_MARK}first: OPTIONS' and '{_MARK}second: OPTIONS': it is not a "
            "file that ttl-diff wrote"
        )
    two = [facts["first"][0], facts["second"][0]]
    for text in two:
        variants.of(text)
    program = "".join(line for line in lines if not line.startswith(_MARK))
    return Found(program, two, "\n".join(facts["found"]))
