# SPDX-License-Identifier: Apache-2.0
"""Pictures as SVG text. Their background is white, so that they look the same everywhere."""

from xml.sax.saxutils import escape

CHARACTER = 0.6  # width of a character, in heights of the font


class Picture:
    """A picture of a size in pixels. Its methods add shapes."""

    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="monospace">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def box(self, x, y, width, height, colour, text="", size=11):
        """Adds a box with as much of the text as fits. The whole text is shown when the mouse is
        over the box."""
        fits = int((width - 6) / (CHARACTER * size))
        shown = text if len(text) <= fits else text[: max(fits - 1, 0)] + "…"
        self.parts.append(
            f'<g><title>{escape(text)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{max(width - 1, 0.5):.1f}" '
            f'height="{height - 1:.1f}" fill="{colour}"/>'
        )
        if fits >= 3:
            self.text(x + 3, y + height / 2 + size / 3, shown, size)
        self.parts.append("</g>")

    def line(self, x1, y1, x2, y2, colour="#000000", width=1):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, x, y, colour, is_filled=True):
        fill = colour if is_filled else "#ffffff"
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour}"/>')

    def text(self, x, y, text, size=11, anchor="start", colour="#000000"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
                          f'fill="{colour}">{escape(text)}</text>')

    def __str__(self):
        return "\n".join([*self.parts, "</svg>"]) + "\n"
