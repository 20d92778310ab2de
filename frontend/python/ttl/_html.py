# ===- _html.py - kernels in notebooks ----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The HTML that a notebook shows for a compiled kernel: its buffers in L1 and its DST registers as
# pictures, and its IR at each stage, folded.
# ===--------------------------------------------------------------------------=== #

import html
import re

_STAGES = "input ttl compute sync threads buffers dst loops ttkernel".split()
_WIDTH, _HEIGHT = 640, 28  # the size of the picture of L1, in pixels
_COLORS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f")


def page(kernel):
    """Returns the HTML of a kernel."""
    parts = [f"<b>{html.escape(repr(kernel))}</b>", _table(kernel), _l1(kernel.buffers)]
    parts += [_dst(text) for text in re.split(r"^(?=compute)", kernel.dst, flags=re.MULTILINE) if text]
    parts += [_folded(f"IR: {stage}", kernel.ir(stage)) for stage in _STAGES]
    return "\n".join(parts)


def _table(kernel):
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(engine)}</td></tr>"
                   for name, engine in kernel.engines.items())
    return f"<table><tr><th>thread</th><th>engine</th></tr>{rows}</table>"


def _folded(title, text):
    return (f"<details><summary>{html.escape(title)}</summary>"
            f"<pre>{html.escape(text)}</pre></details>")


def _l1(buffers):
    """Returns an SVG picture of the part of L1 that the buffers use: a bar with one colored part for
    each buffer."""
    if not buffers:
        return ""
    first = min(each["address"] for each in buffers)
    end = max(each["address"] + _bytes(each) for each in buffers)
    scale = _WIDTH / max(end - first, 1)
    parts = []
    for index, each in enumerate(buffers):
        color = _COLORS[index % len(_COLORS)]
        left, width = (each["address"] - first) * scale, max(_bytes(each) * scale, 1)
        name = html.escape(each["name"])
        parts.append(
            f'<rect x="{left:.1f}" y="0" width="{width:.1f}" height="{_HEIGHT}" fill="{color}">'
            f"<title>{name}: {_bytes(each)} bytes at {each['address']:#x}</title></rect>"
        )
        parts.append(f'<text x="{left + 2:.1f}" y="{_HEIGHT + 14}" font-size="11" fill="currentColor">{name}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT + 20}" '
            f'role="img" aria-label="L1 from {first:#x} to {end:#x}">{"".join(parts)}</svg>')


# ===--------------------------------------------------------------------------=== #
# DST registers

_ROW, _COLUMN, _LETTER = 18, 30, 7.5  # the height of a row, the width of a column and a letter, in pixels
_HOLDS = "rx|"  # the marks of a register that has a value before the operation of the row


def _dst(report):
    """Returns a picture of the registers of one computation, folded. `report` is its part of
    kernel.dst: a title, and rows of an operation and a mark for each register."""
    title, *lines = report.splitlines()
    count = int(re.findall(r": (\d+) of \d+ registers", title)[-1])
    # A line ends in `count` marks, each a space and a letter. They are cut off by their number, because
    # the name before them may look like marks, too.
    rows = [(line[:-2 * count].strip(), line[-2 * count:].split()) for line in lines]
    return f"<details><summary>DST: {html.escape(title)}</summary>{_registers(rows, count)}</details>"


def _registers(rows, count):
    left = 30 + _LETTER * max(len(what) for what, _ in rows)
    places = [left + index * _COLUMN for index in range(count)]
    parts = [_text(x, 12, str(index), "middle") for index, x in enumerate(places)]
    for number, (what, marks) in enumerate(rows):
        y = (number + 1) * _ROW
        parts.append(_text(4, y + 13, what, "start"))
        following = rows[number + 1][1] if number + 1 < len(rows) else "." * count
        for index, x in enumerate(places):
            color = _COLORS[index % len(_COLORS)]
            parts += _cell(x, y, marks[index], following[index] in _HOLDS, color)
    width, height = left + count * _COLUMN, (len(rows) + 1) * _ROW + 4
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
            f'font-family="monospace" aria-label="registers of DST">{"".join(parts)}</svg>'
            "<div>a line: the register holds a value; full: written; hollow: read</div>")


def _cell(x, y, mark, is_kept, color):
    """Returns the parts of one register in one row: a line while it holds a value, a dot where an
    operation uses it."""
    middle = y + _ROW / 2
    for is_drawn, top in ((mark in _HOLDS, y), (is_kept, middle)):
        if is_drawn:
            yield f'<rect x="{x - 2}" y="{top}" width="4" height="{_ROW / 2}" fill="{color}"/>'
    if mark in "wrx":
        fill = "white" if mark == "r" else color
        yield (f'<circle cx="{x}" cy="{middle}" r="6" fill="{fill}" stroke="{color}" '
               'stroke-width="2"/>')


def _text(x, y, text, anchor):
    return (f'<text x="{x}" y="{y}" font-size="12" fill="currentColor" text-anchor="{anchor}">'
            f"{html.escape(text)}</text>")


def _bytes(buffer):
    return buffer["page_bytes"] * buffer["num_pages"]
