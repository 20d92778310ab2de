# SPDX-License-Identifier: Apache-2.0
"""Contexts of mistakes. source_of() moves the statements of a mistake's thread into a loop, a branch in
a loop, a `while` or a function that the thread calls. In context "unified", it moves them out of
the thread into the body of the operation."""

import ast
import inspect
import textwrap

AROUND = {
    "loop": (["for _ in range(1 + ttl.node(dims=1)):"], []),
    "branch": (["for step in range(1 + ttl.node(dims=1)):", "    if step >= 0:"], []),
    "while": (["count = ttl.node(dims=1)", "while count < 1:"], ["    count += 1"]),
    "helper": (["def helper():"], ["helper()"]),
}
EVERYWHERE = (*AROUND, "unified")
IN_THREADS = tuple(AROUND)


def source_of(mistake, context):
    """Returns the source of the mistake's function, with its statements moved into `context`."""
    lines = textwrap.dedent(inspect.getsource(mistake.define)).splitlines()
    tree = ast.parse("\n".join(lines)).body[0]
    marked = next(number for number, line in enumerate(lines, 1) if "# HERE: " in line)
    thread = next(node for node in tree.body if isinstance(node, ast.FunctionDef)
                  and node.lineno <= marked <= node.end_lineno)
    before = lines[tree.lineno - 1 : thread.body[0].lineno - 1]
    body = lines[thread.body[0].lineno - 1 : thread.end_lineno]
    after = lines[thread.end_lineno :]
    if context == "unified":
        first = thread.decorator_list[0].lineno - 1
        return "\n".join([*lines[tree.lineno - 1 : first], *_moved(body, -4), *after])
    opening, closing = AROUND[context]
    depth = 4 * (1 + (len(opening) > 1 and opening[-1].startswith("    ")))
    return "\n".join([*before, *_moved(opening, 8), *_moved(body, depth), *_moved(closing, 8), *after])


def _moved(lines, columns):
    if columns < 0:
        return [line[-columns:] for line in lines]
    return [" " * columns + line if line.strip() else line for line in lines]
