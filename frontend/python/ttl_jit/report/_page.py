# SPDX-License-Identifier: Apache-2.0
"""The figures of a launch as one page that needs no network."""

import html
import json
import linecache
import pathlib

from ttl_jit.report._figures import ticks

MOST_SPANS = 60_000  # in the timeline
TEMPLATE = pathlib.Path(__file__).with_name("page.html")
SCRIPT = pathlib.Path(__file__).with_name("page.js")


def page(launch, figures, explanations=()):
    data = {**figures, "timeline": timeline(launch), "sources": sources(figures)}
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    title = f"{figures['kernel']}, launch {figures['launch']}"
    return (TEMPLATE.read_text().replace("{{title}}", html.escape(title))
            .replace("{{numerics}}", numerics(explanations))
            .replace("{{script}}", SCRIPT.read_text()).replace("{{data}}", text))


def numerics(explanations):
    """The section about errors: the text of each explained launch, and a picture of each tensor."""
    if not explanations:
        return ""
    parts = ["<h2>Numerics</h2>"]
    for each in explanations:
        parts.append(f'<pre class="wide">{html.escape(each["text"])}</pre>')
        parts += [f'<h3>{html.escape(tensor["name"])}</h3>\n<div class="wide">{tensor["picture"]}</div>'
                  for tensor in each["tensors"]]
    return "\n".join(parts)


class _Numbers:
    """Gives texts numbers, in the order in which they come."""

    def __init__(self):
        self.texts = {}

    def __getitem__(self, text):
        return self.texts.setdefault(text, len(self.texts))


def timeline(launch):
    """Rows of spans and of numbers of pages. Whole nodes are left out if there are too many spans."""
    start = round(launch.header["start"] * 1000)
    names, places = _Numbers(), _Numbers()
    rows, counters, count = {}, {}, 0
    # Spans with others inside come first, so that those are drawn over them.
    spans = sorted(launch.spans, key=lambda span: (span["pid"], span["tid"], "own" not in span["args"], span["ts"]))
    last_pid = None
    for span in spans:
        if count >= MOST_SPANS and span["pid"] != last_pid:
            break
        last_pid, count = span["pid"], count + 1
        rows.setdefault((span["pid"], span["tid"]), []).append(
            (ticks(span, "ts") - start, ticks(span, "dur"), span["cat"], names[span["name"]],
             places[span["args"].get("at", "")]))
    for counter in launch.counters:
        if last_pid is not None and counter["pid"] <= last_pid:
            counters.setdefault((counter["pid"], counter["name"]), []).append(
                (ticks(counter, "ts") - start, counter["args"]["pages"]))
    threads = launch.thread_names()
    return {
        "rows": [{"node": launch.node(pid), "name": threads[tid], "spans": found}
                 for (pid, tid), found in rows.items()],
        "counters": [{"node": launch.node(pid), "name": name.removeprefix("pages in "), "changes": found}
                     for (pid, name), found in sorted(counters.items())],
        "names": list(names.texts), "places": list(places.texts),
        "shown": count, "spans": len(launch.spans),
    }


def sources(figures):
    """The text of each file that has costs, as far as it can be read."""
    files = {entry["at"].rpartition(":")[0] for entry in figures["lines"] if entry["at"]}
    return {file: [line.rstrip("\n") for line in linecache.getlines(file)] for file in sorted(files)}
