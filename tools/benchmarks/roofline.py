# SPDX-License-Identifier: Apache-2.0
"""The roofline picture: the speed of each kernel, over the operations that it does per byte of its tensors,
and the limits of the host, which no kernel can exceed."""

import math

from benchmarks.svg import Picture

WIDTH, HEIGHT = 960, 560
LEFT, RIGHT, TOP, BOTTOM = 80, 24, 40, 60
INTENSITY = (0.05, 1000.0)  # operations per byte, from the left to the right edge
KERNEL, REFERENCE = "#b2182b", "#2166ac"


class Axes:
    """Maps values to positions in the picture; both axes are logarithmic."""

    def __init__(self, rates):
        self.rates = rates  # operations per second at the bottom and at the top

    def x(self, intensity):
        low, high = map(math.log10, INTENSITY)
        return LEFT + (math.log10(intensity) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, rate):
        low, high = map(math.log10, self.rates)
        return HEIGHT - BOTTOM - (math.log10(rate) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def points(results):
    """Returns (name, operations per byte, operations per second, those of the reference or None) of each case
    that counts its operations."""
    found = []
    for each in results:
        if "operations" in each:
            rate = each["operations"] / each["median"]
            reference = rate * each["ratio"] if "ratio" in each else None
            found.append((each["name"], each["operations"] / each["bytes"], rate, reference))
    return found


def picture(results, limits):
    """Returns the picture. `limits` has the bandwidth in bytes and the peak in operations per
    second of one thread."""
    bandwidth, peak = limits["bandwidth"], limits["peak"]
    known = points(results)
    lowest = min([rate for _, _, rate, _ in known] + [bandwidth * INTENSITY[0]])
    axes = Axes((10 ** math.floor(math.log10(lowest)), 10 ** math.ceil(math.log10(peak) + 0.1)))
    drawn = Picture(WIDTH, HEIGHT, "Roofline of one host thread")
    _grid(drawn, axes)
    _roof(drawn, axes, bandwidth, peak)
    for index, (name, intensity, rate, reference) in enumerate(sorted(known, key=lambda p: (p[1], p[2]))):
        _point(drawn, axes, index, name, intensity, rate, reference)
    _legend(drawn)
    return str(drawn)


def _grid(drawn, axes):
    for exponent in range(math.ceil(math.log10(INTENSITY[0])), int(math.log10(INTENSITY[1])) + 1):
        x = axes.x(10.0**exponent)
        drawn.line(x, TOP, x, HEIGHT - BOTTOM, "#dddddd")
        drawn.text(x, HEIGHT - BOTTOM + 16, f"{10.0**exponent:g}", anchor="middle")
    for exponent in range(int(math.log10(axes.rates[0])), int(math.log10(axes.rates[1])) + 1):
        y = axes.y(10.0**exponent)
        drawn.line(LEFT, y, WIDTH - RIGHT, y, "#dddddd")
        drawn.text(LEFT - 6, y + 4, f"{10.0 ** (exponent - 9):g}", anchor="end")
    drawn.text(LEFT, TOP - 12, "Gop/s")
    drawn.text(WIDTH - RIGHT, HEIGHT - BOTTOM + 36, "operations per byte of the tensors", anchor="end")


def _roof(drawn, axes, bandwidth, peak):
    ridge = peak / bandwidth
    drawn.line(axes.x(INTENSITY[0]), axes.y(bandwidth * INTENSITY[0]), axes.x(ridge), axes.y(peak), width=2)
    drawn.line(axes.x(ridge), axes.y(peak), WIDTH - RIGHT, axes.y(peak), width=2)
    below = axes.x(0.5), axes.y(bandwidth * 0.5) + 22
    drawn.text(*below, f"copies: {bandwidth / 1e9:.1f} GB/s")
    drawn.text(axes.x(ridge) + 8, axes.y(peak) - 8, f"products and sums in registers: {peak / 1e9:.0f} Gop/s")


def _point(drawn, axes, index, name, intensity, rate, reference):
    x, y = axes.x(intensity), axes.y(rate)
    if reference is not None:
        drawn.line(x, y, x, axes.y(reference), "#999999")
        drawn.dot(x, axes.y(reference), REFERENCE, is_filled=False)
    drawn.dot(x, y, KERNEL)
    # Write the names of neighbours on different lines below the points.
    label = HEIGHT - BOTTOM - 14 - 15 * (index % 8)
    drawn.line(x, y + 4, x, label - 9, "#eeeeee")
    anchor = "end" if x > WIDTH * 0.7 else "start"
    drawn.text(x + (-6 if anchor == "end" else 6), label, name, anchor=anchor)


def _legend(drawn):
    drawn.dot(WIDTH - 300, TOP - 16, KERNEL)
    drawn.text(WIDTH - 290, TOP - 12, "kernel")
    drawn.dot(WIDTH - 200, TOP - 16, REFERENCE, is_filled=False)
    drawn.text(WIDTH - 190, TOP - 12, "reference in the same run")
