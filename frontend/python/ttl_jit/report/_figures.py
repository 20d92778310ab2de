# SPDX-License-Identifier: Apache-2.0
"""What a trace says about a launch: times of threads and lines, buffers, stalls, transfers."""

import re
from collections import defaultdict

from ttl_jit.report._advice import advise

KINDS = ("compute", "call", "issue", "wait")
WORD = 4  # bytes of a semaphore
# What a word of a pipe means to the thread that waits for it (passes/sync/NetLowering.cpp).
PIPE = re.compile(r"(?P<need>data|room) (?:of|for) pipe \d+ of (?P<net>'[^']*')")
WORD_OF_NET = re.compile(r"(?:wait|set|increment) (.+)\[\d+\]")


def ticks(element, key):
    return round(element[key] * 1000)


def figures(launch):
    """Returns a dict that JSON can hold. Times are ticks, nanoseconds of the host, or cycles."""
    header = launch.header
    start = round(header["start"] * 1000)
    end = round(launch.end["end"] * 1000) if launch.end else last_time(launch)
    result = {
        "kernel": header["kernel"],
        "launch": header["launch"],
        "grid": header["grid"],
        "nodes": header["nodes"],
        "time": header["time"],
        "duration": max(end - start, 1),
        "fault": launch.end["fault"] if launch.end else "the trace is cut off",
        "threads": threads(launch),
        "lines": lines(launch),
        "buffers": buffers(launch, start, end),
        "traffic": traffic(launch),
        "mesh": list(launch.mesh),
        "links": links(launch),
        "edges": edges(launch),
    }
    result["stalls"] = stalls(launch, result)
    for stall in result["stalls"]:
        stall["advice"] = advise(stall, result)
    return result


def last_time(launch):
    return max((ticks(span, "ts") + ticks(span, "dur") for span in launch.spans), default=0)


def own(span):
    """The time of a span without those inside it."""
    arguments = span["args"]
    return ticks(arguments, "own") if "own" in arguments else ticks(span, "dur")


def is_transfer(span):
    return span["tid"] > 10


def add(entry, span):
    """Adds the span's time, or its bytes. Words of semaphores are not counted as copies."""
    if not is_transfer(span):
        entry[span["cat"]] += own(span)
    elif span["args"]["bytes"] > WORD:
        entry["copies"] += 1
        entry["bytes"] += span["args"]["bytes"]


def threads(launch):
    """The times of each thread, added over the nodes."""
    names = launch.thread_names()
    found = {}
    for span in launch.spans:
        tid = span["tid"] % 10
        entry = found.setdefault(tid, {"name": names[tid], **dict.fromkeys(KINDS, 0), "copies": 0, "bytes": 0})
        add(entry, span)
    for entry in found.values():
        entry["total"] = max(sum(entry[kind] for kind in KINDS), 1)
    return [found[tid] for tid in sorted(found)]


def lines(launch):
    """The times of each line, added over nodes, and the bytes that its transfers move."""
    found = {}
    for span in launch.spans:
        at = span["args"].get("at", "")
        entry = found.setdefault(at, {"at": at, **dict.fromkeys(KINDS, 0), "copies": 0, "bytes": 0})
        add(entry, span)
    return sorted(found.values(), key=lambda entry: -sum(entry[kind] for kind in KINDS))


def edges(launch):
    """Which thread pushes to, and pops from, which buffer, at which lines, and the pages."""
    names = launch.thread_names()
    found = {}
    for span in launch.spans:
        verb, _, buffer = span["name"].partition(" ")
        if span["cat"] == "call" and verb in ("push", "pop"):
            key = names[span["tid"]], verb, buffer
            edge = found.setdefault(key, {"thread": key[0], "verb": verb, "buffer": buffer, "pages": 0,
                                          "at": set()})
            edge["pages"] += span["args"].get("count", 0)
            edge["at"].add(span["args"].get("at", ""))
    return [{**edge, "at": sorted(edge["at"])} for edge in found.values()]


def buffers(launch, start, end):
    """Returns the buffers with the figures of occupancy(): the most pages of any node that uses the buffer,
    the others as means over these nodes."""
    series = defaultdict(list)
    for counter in launch.counters:
        name = counter["name"].removeprefix("pages in ")
        series[name, counter["pid"]].append((ticks(counter, "ts"), counter["args"]["pages"]))
    result = []
    for buffer in launch.header["buffers"]:
        nodes = [changes for (name, _), changes in series.items() if name == buffer["name"]]
        shares = [occupancy(changes, start, end, buffer["pages"]) for changes in nodes]
        count = max(len(shares), 1)
        result.append({**buffer, "nodes": len(nodes),
                       "mean": sum(share[0] for share in shares) / count,
                       "empty": sum(share[1] for share in shares) / count,
                       "full": sum(share[2] for share in shares) / count,
                       "most": max((share[3] for share in shares), default=0)})
    return result


def occupancy(changes, start, end, capacity):
    """Returns for a buffer of a node the mean number of pages, the shares of the time in which it was empty and
    full, and the largest number of pages. `changes` has (time, number of pages from then on)."""
    area = empty = full = most = pages = 0
    last = start
    for time, after in [*changes, (end, 0)]:
        passed = max(time - last, 0)
        area += passed * pages
        empty += passed * (pages == 0)
        full += passed * (pages >= capacity)
        last, pages = max(time, last), after
        most = max(most, after)
    whole = max(end - start, 1)
    return area / whole, empty / whole, full / whole, most


def traffic(launch):
    """Bytes that each node reads, writes to tensors, sends to cores and gets from others."""
    nodes = {}
    for pid in range(launch.first, launch.first + launch.header["nodes"]):
        nodes[launch.node(pid)] = {"read": 0, "written": 0, "sent": 0, "received": 0}
    for span in launch.spans:
        if not is_transfer(span):
            continue
        place, arguments = nodes[launch.node(span["pid"])], span["args"]
        kind = "read" if span["name"] == "read" else "sent" if "to" in arguments else "written"
        place[kind] += arguments["bytes"]
        if kind == "sent" and tuple(arguments["to"]) in nodes:
            nodes[tuple(arguments["to"])]["received"] += arguments["bytes"]
    return [{"x": x, "y": y, **place} for (x, y), place in nodes.items()]


def links(launch):
    """What each device of a mesh sends to others: blocks, and the signals that follow them."""
    found = {}
    for span in launch.spans:
        if not is_transfer(span) or "to" not in span["args"]:
            continue
        ends = launch.device(launch.node(span["pid"])[0]), launch.device(span["args"]["to"][0])
        if ends[0] == ends[1]:
            continue
        link = found.setdefault(ends, {"from": ends[0], "to": ends[1], "bytes": 0, "blocks": 0, "signals": 0})
        is_block = span["args"]["bytes"] > WORD
        link["blocks" if is_block else "signals"] += 1
        link["bytes"] += span["args"]["bytes"] if is_block else 0
    return [found[ends] for ends in sorted(found)]


def need_of(arguments):
    """Returns what a wait is for, and the kind of its need. The pipes of a net count as one thing."""
    pipe = PIPE.match(arguments.get("what", ""))
    if pipe:
        return pipe["net"], f"pipe {pipe['need']}"
    return arguments.get("for", ""), arguments.get("need", "end")


def nets_of_lines(launch):
    """{line: net} of the lines that send or receive over the pipes of a net."""
    nets = {pipe["net"] for span in launch.spans if (pipe := PIPE.match(span["args"].get("what", "")))}
    found = {}
    for span in launch.spans:
        word = WORD_OF_NET.fullmatch(span["name"])
        if word and f"'{word[1]}'" in nets:
            found[span["args"].get("at", "")] = f"'{word[1]}'"
    return found


def stalls(launch, result):
    """Waits of a thread at a line for a thing, longest first."""
    nets = nets_of_lines(launch)
    names = launch.thread_names()
    totals = {thread["name"]: thread["total"] for thread in result["threads"]}
    found = {}
    for span in launch.spans:
        if span["cat"] != "wait":
            continue
        arguments = span["args"]
        wanted, need = need_of(arguments)
        key = names[span["tid"]], wanted, need, arguments.get("at", "")
        stall = found.setdefault(key, {"thread": key[0], "for": key[1], "need": key[2], "at": key[3],
                                       "time": 0, "count": 0, "nodes": set(), "from": defaultdict(int)})
        stall["time"] += ticks(span, "dur")
        stall["count"] += 1
        stall["nodes"].add(span["pid"])
        stall["from"][arguments.get("from", "")] += ticks(span, "dur")
    for stall in found.values():
        stall["nodes"] = len(stall["nodes"])
        stall["from"] = max(stall["from"], key=stall["from"].get)
        stall["share"] = stall["time"] / totals[stall["thread"]]
        stall["net"] = nets.get(stall["at"], "") if stall["need"] == "transfers" else ""
    return sorted(found.values(), key=lambda stall: -stall["time"])
