# ===- _views.py - pictures made of characters --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import numpy as np
from _ttjit import plural

_SHADES = " .:-=+*#%@"
TILE = 32


def heat_map(values, colored):
    """Returns a tile as one character, or one colored cell, per element: small values are dark."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "no element is finite"
    low, high = float(finite.min()), float(finite.max())
    lines = [_line(row, low, high, colored) for row in values]
    lines.append(f"min {low:.6g}, max {high:.6g}, mean {float(finite.mean()):.6g}"
                 f"{_odd_text(values)}")
    return "\n".join(lines)


def _line(row, low, high, colored):
    return "".join(_cell(float(value), low, high, colored) for value in row).rstrip("\n")


def _cell(value, low, high, colored):
    if not np.isfinite(value):
        return "\x1b[41m!\x1b[0m" if colored else "!"
    level = (value - low) / (high - low) if high > low else 0.5
    if colored:
        return f"\x1b[48;5;{232 + round(level * 23)}m  \x1b[0m"
    return _SHADES[round(level * (len(_SHADES) - 1))]


def _odd_text(values):
    odd = int(values.size - np.isfinite(values).sum())
    return f", {odd} NaN or infinite (!)" if odd else ""


def graph(kernel):
    """Returns the buffers of a kernel, each between the threads that push and pop it."""
    lines = [f"{kernel.name}: threads {', '.join(kernel.engines)}"]
    for buffer in kernel.buffers:
        producer = "+".join(buffer["producers"]) or "?"
        consumer = "+".join(buffer["consumers"]) or "?"
        blocks = buffer["num_pages"] // max(buffer["pages_per_block"], 1)
        size = buffer["page_bytes"] * buffer["num_pages"]
        lines.append(f"  {producer} --[{buffer['name']}: {plural(blocks, 'block')} of "
                     f"{plural(buffer['pages_per_block'], 'page')}, {size} bytes]--> {consumer}")
    return "\n".join(lines)
