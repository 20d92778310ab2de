# SPDX-License-Identifier: Apache-2.0
"""The difference of two traces, as text, as what JSON can hold, and as a page with both timelines."""

import html

from ttl_jit.report import _line_pairs
from ttl_jit.report._figures import KINDS, own, ticks
from ttl_jit.report._text import unit

MOST_LINES = 12
COLUMNS = 1000  # of a timeline: what is shorter than one is added to its neighbours
ROW, LABELS = 18, 150


def figures(first, second):
    """Returns the difference of the figures of two launches. Times of lines are sums over all nodes."""
    if first["time"] != second["time"]:
        raise ValueError("the traces have other times: one of "
                         f"--trace-time={first['time']}, the other of {second['time']}")
    one, other = _costs(first), _costs(second)
    pairs = _line_pairs.LinePairs(*({at: sum(cost.values()) for at, cost in each.items()} for each in (one, other)))
    none = dict.fromkeys(KINDS, 0)
    lines = [{"before": before and list(before), "after": after and list(after),
              "time_before": one.get(before, none), "time_after": other.get(after, none)}
             for before, after in pairs.pairs(one, other)]
    return {
        "kernel": first["kernel"], "other_kernel": second["kernel"], "time": first["time"],
        "duration_before": first["duration"], "duration_after": second["duration"],
        "lines": sorted(lines, key=lambda line: -abs(change(line))),
        "threads": _threads(first, second),
    }


def _costs(found):
    """Returns the times of the lines by their places."""
    return {_place(line["at"]): {kind: line[kind] for kind in KINDS} for line in found["lines"]}


def _place(at):
    file, _, line = at.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else _line_pairs.NOWHERE


def _threads(first, second):
    others = {each["name"]: each for each in second["threads"]}
    none = dict.fromkeys(KINDS, 0)
    names = dict.fromkeys([each["name"] for each in first["threads"]] + list(others))
    mine = {each["name"]: each for each in first["threads"]}
    return [{"name": name, **{f"{when}": {kind: table.get(name, none)[kind] for kind in KINDS}
                              for when, table in (("before", mine), ("after", others))}} for name in names]


def change(line):
    return sum(line["time_after"].values()) - sum(line["time_before"].values())


def verdict(found):
    before, after = found["duration_before"], found["duration_after"]
    share = 100 * (after - before) / before
    return f"{found['kernel']}: {before} -> {after} {unit(found)} ({share:+.1f} %)"


def text(found):
    """Returns the report as text."""
    lines = [f"kernel {verdict(found)}"]
    for title, sign in (("lines that gained", -1), ("lines that lost", 1)):
        rows = [line for line in found["lines"] if sign * change(line) > 0]
        lines += [f"{title} ({unit(found)} of all nodes):"] if rows else []
        lines += [_row(line) for line in rows[:MOST_LINES]]
        lines += [f"  and {len(rows) - MOST_LINES} more"] if len(rows) > MOST_LINES else []
    return "\n".join(lines) + "\n"


def _row(line):
    before, after = sum(line["time_before"].values()), sum(line["time_after"].values())
    return f"  {after - before:>+9} {before:>9} -> {after:>9}  {places(line)}{_most_changed(line)}"


def places(line):
    before, after = (tuple(each) if each else None for each in (line["before"], line["after"]))
    return _line_pairs.shown(before) + ("" if before == after else f" -> {_line_pairs.shown(after)}")


def _most_changed(line):
    """Returns the kind of time that changed most."""
    kind = max(KINDS, key=lambda kind: abs(line["time_after"][kind] - line["time_before"][kind]))
    return f", most of it {kind}"


# ===--------------------------------------------------------------------------=== #
# The page
# ===--------------------------------------------------------------------------=== #


def page(found, first, second, names):
    """Returns a page: both timelines of a node over one another, on one scale, and the lines."""
    from ttl_jit.report._page import TEMPLATE

    style = TEMPLATE.read_text().partition("<style>")[2].partition("</style>")[0]
    title = html.escape(f"{found['kernel']}: {names[0]} and {names[1]}")
    keys = "".join(f'<span class="key"><i style="background: var(--{kind})"></i>{kind}</span>' for kind in KINDS)
    node = _node(first, second)
    return f"""<!doctype html>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<p>{html.escape(verdict(found))}</p>
<h2>Timelines of node {node}</h2>
<p>Each thread has two rows: above before, below after. Both have the same scale.
Point at a span to see its line.</p>
<p>{keys}</p>
<div class="wide">{_timelines(found, first, second, node)}</div>
<h2>Lines</h2>
<p>Times of all nodes in {unit(found)}; the largest change first.</p>
<table class="lines">
<tr><th class="left">line</th><th>before</th><th>after</th><th>change</th><th class="left"></th></tr>
{"".join(map(_line_row, found["lines"]))}</table>
</html>
"""


def _node(first, second):
    """Returns the first node that both launches have in their timelines."""
    nodes = [{launch.node(span["pid"]) for span in launch.spans} for launch in (first, second)]
    return min(nodes[0] & nodes[1] or nodes[0], key=lambda node: (node[1], node[0]), default=(0, 0))


def _timelines(found, first, second, node):
    longest = max(found["duration_before"], found["duration_after"])
    rows = []
    for thread in found["threads"]:
        for launch, when in ((first, "before"), (second, "after")):
            rows.append((f"{thread['name']} {when}", _pieces(launch, thread["name"], node, longest)))
    parts, width = [], LABELS + COLUMNS
    for number, (name, pieces) in enumerate(rows):
        y = number * ROW + (number // 2) * 8
        parts.append(f'<text x="0" y="{y + 13}">{html.escape(name)}</text>')
        parts += [f'<rect x="{LABELS + x}" y="{y + 2}" width="{length}" height="{ROW - 4}" fill="var(--{kind})">'
                  f"<title>{html.escape(place)}</title></rect>" for x, length, kind, place in pieces]
    height = len(rows) * ROW + len(rows) // 2 * 8 + 20
    for duration, y in ((found["duration_before"], 0), (found["duration_after"], ROW)):
        x = LABELS + COLUMNS * duration / longest
        parts.append(f'<path d="M{x:.1f} {y} V{height - 20}" stroke="var(--soft)" stroke-dasharray="3 3"/>')
    parts.append(f'<text x="{LABELS}" y="{height - 4}">0</text>'
                 f'<text x="{width}" y="{height - 4}" text-anchor="end">{longest} {unit(found)}</text>')
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'style="max-width: 100%; height: auto">{"".join(parts)}</svg>')


def _pieces(launch, thread, node, longest):
    """Returns (column, columns, kind, place) of the spans of a thread. Each column shows the kind and the
    place that take most of its time."""
    start = round(launch.header["start"] * 1000)
    tids = {tid for tid, name in launch.thread_names().items() if name == thread}
    cells = [{} for _ in range(COLUMNS)]
    for span in launch.spans:
        if span["tid"] in tids and launch.node(span["pid"]) == node:
            _fill(cells, span, start, longest)
    best = [max(cell, key=cell.get) if cell else None for cell in cells]
    found = []
    for column, what in enumerate(best):
        if what is None:
            continue
        if found and found[-1][2:] == what and found[-1][0] + found[-1][1] == column:
            found[-1] = (found[-1][0], found[-1][1] + 1, *what)
        else:
            found.append((column, 1, *what))
    return found


def _fill(cells, span, start, longest):
    """Adds a span's time to the columns that it covers. The part inside other spans counts there."""
    begin, length = ticks(span, "ts") - start, ticks(span, "dur")
    if not length:
        return
    weight = own(span) / length
    width = longest / COLUMNS
    what = span["cat"], span["args"].get("at", "") or "no line"
    for column in range(max(0, int(begin / width)), min(COLUMNS - 1, int((begin + length) / width)) + 1):
        covered = min(begin + length, (column + 1) * width) - max(begin, column * width)
        if covered > 0:
            cells[column][what] = cells[column].get(what, 0) + covered * weight


def _line_row(line):
    before, after = sum(line["time_before"].values()), sum(line["time_after"].values())
    source = _line_pairs.text_of(tuple(line["after"] or line["before"]))
    colour = "compute" if after < before else "wait"
    word = {True: "gained", False: "lost"}[after < before] if after != before else ""
    return (f'<tr><td class="left">{html.escape(places(line))}</td><td>{before:,}</td><td>{after:,}</td>'
            f'<td style="color: var(--{colour})">{after - before:+,} {word}</td>'
            f'<td class="left"><code>{html.escape(source)}</code></td></tr>\n')
