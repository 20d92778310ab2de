# ===- _html.py - kernels in notebooks ---------------------------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# The HTML that a notebook shows for a compiled kernel: its buffers in L1 as a picture, its DST
# registers, and its IR at each stage, folded.
# ===----------------------------------------------------------------------------===//

import html

_STAGES = "input ttl compute sync threads buffers dst loops ttkernel".split()
_WIDTH, _HEIGHT = 640, 28  # of the picture of L1, in pixels
_COLORS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f")


def page(kernel):
    """Returns the HTML of a kernel."""
    parts = [f"<b>{html.escape(repr(kernel))}</b>", _table(kernel), _l1(kernel.buffers)]
    parts.append(_folded("DST registers", kernel.dst))
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
        parts.append(f'<text x="{left + 2:.1f}" y="{_HEIGHT + 14}" font-size="11">{name}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT + 20}" '
            f'role="img" aria-label="L1 from {first:#x} to {end:#x}">{"".join(parts)}</svg>')


def _bytes(buffer):
    return buffer["page_bytes"] * buffer["num_pages"]
