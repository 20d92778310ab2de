# SPDX-License-Identifier: Apache-2.0
"""What a launch moved, in tables: transfers by line, and pages of buffers by node."""

from collections import defaultdict

from ttl_jit.report._figures import WORD, is_transfer

TRANSFERS = ("reads", "writes", "sends", "bytes read", "bytes written", "bytes sent")
BUFFERS = ("pushes", "pops", "pages pushed", "pages popped")


def _kind(span):
    """The column of a transfer: a read or write of a tensor, or a send to other cores."""
    if span["name"] == "read":
        return "read"
    return "sent" if "to" in span["args"] else "written"


def transfers(launch):
    """{line: {column: number}}. Words of semaphores do not count."""
    found = defaultdict(lambda: dict.fromkeys(TRANSFERS, 0))
    columns = {"read": "reads", "written": "writes", "sent": "sends"}
    for span in launch.spans:
        if is_transfer(span) and span["args"]["bytes"] > WORD:
            row, kind = found[span["args"].get("at") or "unknown line"], _kind(span)
            row[columns[kind]] += 1
            row[f"bytes {kind}"] += span["args"]["bytes"]
    return dict(found)


def buffers(launch):
    """Returns the counts of the pushes and pops of a launch: {(buffer, node): {column of the table: number}}."""
    found = defaultdict(lambda: dict.fromkeys(BUFFERS, 0))
    columns = {"push": ("pushes", "pages pushed"), "pop": ("pops", "pages popped")}
    for span in launch.spans:
        verb, _, buffer = span["name"].partition(" ")
        if span["cat"] == "call" and verb in columns:
            row = found[buffer, launch.node(span["pid"])]
            count, pages = columns[verb]
            row[count] += 1
            row[pages] += span["args"].get("count", 0)
    return dict(found)


def _total(rows, columns):
    return {column: sum(row[column] for row in rows) for column in columns}


def _table(title, names, columns):
    """`names` are (name of the row, its numbers). The last row is the total."""
    width = max(len(title), *(len(name) for name, _ in names))
    wide = [max(len(column), 12) for column in columns]

    def line(name, cells):
        return f"{name:<{width}}" + "".join(f"  {cell:>{w}}" for cell, w in zip(cells, wide))

    rows = [line(name, row.values()) for name, row in names]
    rule = "-" * len(rows[0])
    return [line(title, columns), rule, *rows[:-1], rule, rows[-1]]


def _with_total(rows, columns):
    return [*rows, ("total", _total([row for _, row in rows], columns))]


def text(launch, number):
    """The tables of a launch, of which the trace has `number`."""
    header = launch.header
    parts = [f"kernel {header['kernel']}, launch {header['launch']} of {number}"]
    moved, pages = transfers(launch), buffers(launch)
    if moved:
        parts += ["", *_table("transfers by line", _with_total(sorted(moved.items()), TRANSFERS), TRANSFERS)]
    if pages:
        names = [(f"{buffer} on node ({x}, {y})", row) for (buffer, (x, y)), row in
                 sorted(pages.items(), key=lambda item: (item[0][0], item[0][1][::-1]))]
        parts += ["", *_table("pages of buffers", _with_total(names, BUFFERS), BUFFERS)]
    if not moved and not pages:
        parts.append("it moves no data")
    return "\n".join(parts) + "\n"
