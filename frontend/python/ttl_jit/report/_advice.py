# SPDX-License-Identifier: Apache-2.0
"""Says in words why a thread waits and what may help."""


def percent(share):
    return f"{100 * share:.0f} %"


def line_of(at):
    return f"line {at.rpartition(':')[2]}" if at else "an unknown line"


def advise(stall, figures):
    """One or two sentences about a wait."""
    beginning = (f"{stall['thread']} waits for {what(stall)} {percent(stall['share'])} of its time "
                 f"({line_of(stall['at'])})")
    return f"{beginning}: {REASONS.get(stall['need'], for_end)(stall, figures)}"


def what(stall):
    if stall.get("net"):
        kind = "receives" if stall["for"] == "reads" else "sends"
        return f"the copies of its {kind} over the pipes of {stall['net']}"
    names = {"pages": f"pages of '{stall['for']}'", "room": f"room in '{stall['for']}'",
             "transfers": f"its {stall['for']}", "semaphore": f"'{stall['for']}'",
             "pipe data": f"data of the pipes of {stall['for']}",
             "pipe room": f"the receivers of the pipes of {stall['for']}",
             **dict.fromkeys(("registers", "results", "operands", "math"), stall["for"])}
    return names.get(stall["need"], "something that never happens")


def others(stall, figures, verb):
    """The other end of the buffer: the names of its threads, with a line of the first."""
    edges = [edge for edge in figures["edges"] if edge["buffer"] == stall["for"] and edge["verb"] == verb]
    if not edges:
        return "no thread", []
    names = [edge["thread"] for edge in edges]
    return f"{' and '.join(names)} ({line_of(edges[0]['at'][0])})", names


def share_of(figures, thread, need):
    """The share of the thread's time that it waits for this."""
    return sum(stall["share"] for stall in figures["stalls"]
               if stall["thread"] == thread and stall["need"] == need)


def blocks_of(stall, figures):
    for buffer in figures["buffers"]:
        if buffer["name"] == stall["for"]:
            return buffer["pages"] // max(buffer["block"], 1)
    return 1


def for_pages(stall, figures):
    text, names = others(stall, figures, "push")
    if not names:
        return "no thread pushes them."
    if names[0] == stall["thread"]:
        return f"it pushes them itself ({text})."
    waits = share_of(figures, names[0], "transfers")
    if waits > 0.3:
        return (f"{text} is slower, and waits for transfers {percent(waits)} of its time. "
                f"{reader_advice(stall, figures)}")
    if share_of(figures, names[0], "results") > 0.3:
        return f"{text} is slower, because it waits for math: see its own wait."
    if share_of(figures, names[0], "pages") > 0.3:
        return f"{text} is slower, because it waits for pages itself: see its own wait."
    if share_of(figures, names[0], "room") > 0.1:
        return f"{text} waits for room in turn. Use block_count={blocks_of(stall, figures) + 1} or larger blocks."
    return f"{text} is slower and seldom waits itself: it limits the kernel. Give it less work, or use more nodes."


def reader_advice(stall, figures):
    blocks = blocks_of(stall, figures)
    is_full = any(buffer["name"] == stall["for"] and buffer["full"] > 0.05 for buffer in figures["buffers"])
    if is_full or blocks == 1:
        return f"Use block_count={blocks + 1} or larger blocks."
    return ("The buffer is never full: let the thread issue the copies of the next block before it "
            "waits for those of this one, or use larger blocks.")


def for_room(stall, figures):
    text, names = others(stall, figures, "pop")
    if not names:
        return "no thread pops them."
    blocks = blocks_of(stall, figures)
    if blocks == 1:
        return f"{text} must pop the only block first. Use block_count=2: then both work at the same time."
    return f"{text} is slower. More nodes or less work per block help; a larger buffer helps only with uneven blocks."


def for_pipe_copies(stall, figures):
    line = next(line for line in figures["lines"] if line["at"] == stall["at"])
    mean = f"{line['bytes'] / max(line['copies'], 1):.0f} bytes"
    if stall["for"] == "reads":
        return (f"a receive copies each block that has arrived, {mean}, into the buffer. Send larger blocks, and "
                "fewer of them.")
    return (f"a send waits until its block, {mean}, has left. Send larger blocks, and fewer of them, or let another "
            "thread send.")


def for_transfers(stall, figures):
    if stall.get("net"):
        return for_pipe_copies(stall, figures)
    thread = next(thread for thread in figures["threads"] if thread["name"] == stall["thread"])
    mean = thread["bytes"] / max(thread["copies"], 1)
    return (f"its transfers move {mean:.0f} bytes each. Issue the copies of several blocks before "
            f"waiting, or use larger blocks.")


def for_semaphore(stall, figures):
    if not stall["from"]:
        return "the thread that sets it is later. The arrow in the timeline shows which."
    return f"most of this time it waits for {stall['from']}, which is later: look what that thread does meanwhile."


def for_pipe_data(stall, figures):
    if not stall["from"]:
        return "the thread that sends them is later. The arrow in the timeline shows which."
    return (f"most of this time {stall['from']} has not sent yet. Look what it waits for or does before "
            "it sends, and let it send earlier.")


def for_pipe_room(stall, figures):
    receiver = stall["from"] or "a receiver"
    return (f"most of this time {receiver} has not received the block before. Let it receive earlier, into "
            "a buffer of a larger block_count.")


def for_registers(stall, figures):
    return ("the packer is slower. Larger sections, or fewer results, give it less to do: a section packs one half "
            "of the DST registers while math fills the other.")


def for_results(stall, figures):
    return "math is slower, or waits itself: see its own wait."


def for_operands(stall, figures):
    unpacker = f"{stall['thread'].removesuffix('math')}unpacker"
    if share_of(figures, unpacker, "pages") > 0.3:
        return "the unpacker waits for pages: see its own wait."
    return "the unpacker is slower: each operation reads its operands from L1. Keep values in DST registers."


def for_math(stall, figures):
    if share_of(figures, f"{stall['thread'].removesuffix('unpacker')}math", "operands") > 0.3:
        return "math has not used the earlier operands yet. It waits more itself, so it does not limit the kernel."
    return "math is slower: it limits the kernel. Give it less work, a lower math_fidelity, or use more nodes."


def for_end(stall, figures):
    return f"the run ended first ({figures['fault'] or 'without a fault'})."


REASONS = {"pages": for_pages, "room": for_room, "transfers": for_transfers, "semaphore": for_semaphore,
           "pipe data": for_pipe_data, "pipe room": for_pipe_room, "end": for_end,
           "registers": for_registers, "results": for_results, "operands": for_operands, "math": for_math}
