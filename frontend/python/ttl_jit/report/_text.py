# SPDX-License-Identifier: Apache-2.0
"""The figures of a launch as text."""

from _ttjit import plural
from ttl_jit.report._advice import percent

LINES, STALLS = 12, 8


def unit(figures):
    return {"host": "ns", "cycles": "cycles"}.get(figures["time"], "ticks")


def text(figures):
    columns, rows = figures["grid"]
    parts = [f"kernel {figures['kernel']}, launch {figures['launch']}: grid {columns}x{rows}, "
             f"{plural(figures['nodes'], 'node')}, {figures['duration']} {unit(figures)}"]
    if figures["fault"]:
        parts.append(f"  ended with: {figures['fault']}")
    parts += ["threads (shares of their time):", *map(thread, figures["threads"])]
    parts += ["buffers:", *map(buffer, figures["buffers"])]
    if figures["links"]:
        parts += ["between devices:", *map(link, figures["links"])]
    parts += ["waits:", *(f"  {stall['advice']}" for stall in figures["stalls"][:STALLS])]
    parts += [f"lines ({unit(figures)} of all nodes):", *map(line, figures["lines"][:LINES])]
    return "\n".join(parts) + "\n"


def thread(entry):
    shares = ", ".join(f"{kind} {percent(entry[kind] / entry['total'])}"
                       for kind in ("compute", "wait", "issue", "call"))
    return f"  {entry['name']}: {shares}"


def buffer(entry):
    return (f"  {entry['name']}: {entry['mean']:.1f} of {plural(entry['pages'], 'page')} on average, at most "
            f"{entry['most']}; empty {percent(entry['empty'])}, full {percent(entry['full'])} of the time")


def link(entry):
    return (f"  device {entry['from']} to {entry['to']}: {plural(entry['blocks'], 'block')} of "
            f"{plural(entry['bytes'], 'byte')} in all, {plural(entry['signals'], 'signal')}")


def line(entry):
    moved = f", {entry['copies']} copies of {entry['bytes']} bytes" if entry["copies"] else ""
    return (f"  {entry['at'] or 'unknown line'}: compute {entry['compute']}, wait {entry['wait']}, "
            f"issue {entry['issue']}, call {entry['call']}{moved}")
