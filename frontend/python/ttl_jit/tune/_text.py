# SPDX-License-Identifier: Apache-2.0
"""The outcome of a search as a table, as JSON, and as advice how to use the best candidate."""

MOST_REASONS = 12


def values_text(values):
    return " ".join(f"{name}={shown(value)}" for name, value in values.items())


def shown(value):
    return str(value) if isinstance(value, str) else repr(value).replace(", ", ",")


def table(tuning, top):
    """Returns the lines of the table of solutions."""
    ranked = tuning.ranked
    if not ranked:
        return []
    columns = {name: [shown(each.values[name]) for each in ranked[:top]] for name in ranked[0].values}
    widths = {name: max(len(name), *map(len, texts)) for name, texts in columns.items()}
    lines = ["  rank      cycles          us  first/this  " +
             "  ".join(f"{name:<{width}}" for name, width in widths.items())]
    for number, each in enumerate(ranked[:top]):
        gain = tuning.reference.cycles / each.cycles
        row = "  ".join(f"{columns[name][number]:<{width}}" for name, width in widths.items())
        note = f"  differs by up to {each.difference:.2g}" if each.difference else ""
        lines.append(f"  {number + 1:>4} {each.cycles:>11.0f} {each.us:>11.2f} {gain:>11.2f}  {row}{note}")
    lines = [line.rstrip() for line in lines]
    left = len(ranked) - top
    return lines + ([f"  and {left} more"] if left > 0 else [])


def reasons(tuning):
    """Returns the lines about the candidates that were skipped: one for each reason."""
    groups = {}
    for each in tuning.skipped:
        groups.setdefault((each.kind, each.reason), []).append(each)
    if not groups:
        return []
    lines = ["skipped:"]
    for (kind, reason), found in list(groups.items())[:MOST_REASONS]:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        lines += [f"  {values_text(found[0].values)}{more}", f"    {kind}: {reason}"]
    left = len(groups) - MOST_REASONS
    return lines + ([f"  and {left} more reasons"] if left > 0 else [])


def head(tuning, seconds):
    from _ttjit import plural

    count = len(tuning.candidates) + tuning.dropped
    parts = [plural(count, "candidate"), f"{len(tuning.ranked)} compared", f"{len(tuning.skipped)} skipped"]
    if tuning.dropped:
        parts.append(f"{tuning.dropped} dropped in smaller runs")
    if seconds is not None:
        parts.append(f"{seconds:.1f} s")
    return ", ".join(parts)


def text(tuning, top=20, seconds=None, use=()):
    """Returns the report. `use` are lines that say how to use the best candidate."""
    lines = [head(tuning, seconds), *table(tuning, top), *reasons(tuning)]
    best = tuning.best
    if best is None:
        lines.append("no candidate can be used")
    else:
        lines += [f"best: {values_text(best.values)}: {best.cycles:.0f} cycles = {best.us:.2f} us, "
                  f"{tuning.reference.cycles / best.cycles:.2f} times as fast as the first candidate", *use]
        if not tuning.is_checked:
            lines.append("the results were not compared: nothing was computed")
    return "\n".join(lines) + "\n"


def as_json(tuning, **facts):
    """Returns the outcome as what JSON can hold. Values are text as Python writes them."""
    def of(each):
        found = {"values": {name: repr(value) for name, value in each.values.items()}}
        if each.kind:
            return {**found, "skipped": each.kind, "reason": each.reason}
        return {**found, "cycles": each.cycles, "us": each.us, "difference": each.difference}

    return {**facts, "best": of(tuning.best) if tuning.best else None, "dropped": tuning.dropped,
            "checked": tuning.is_checked, "candidates": [of(each) for each in (*tuning.ranked, *tuning.skipped)]}
