# SPDX-License-Identifier: Apache-2.0
"""Contexts are places in a thread. Their `BODY` is replaced by a statement. `zero` is 0, but the compiler does
not know this. Each context sets `i`, a small integer, and runs the body at least once.

NAMES is replaced by the variables around the context that the body uses: helper functions take and return
them. `# lambda` marks contexts of data movement threads only, `# once` contexts that run the body once."""

import re

CONTEXTS = {
    "top": """
i = zero
BODY
""",
    "for": """
for i in range(zero + 3):
    BODY
""",
    "for_static": """
for i in range(3):
    BODY
""",
    "for_down": """
for i in range(zero + 2, zero - 1, -1):
    BODY
""",
    "long": """
for i in range(zero + 75):
    BODY
""",
    "long_static": """
for i in range(75):
    BODY
""",
    "nested": """
for row in range(zero + 2):
    for col in range(zero + 3):
        i = 2 * row + col
        BODY
""",
    "nested_static": """
for row in range(2):
    for i in range(zero + 2):
        BODY
""",
    "long_nested": """
for row in range(zero + 9):
    for i in range(row):
        BODY
""",
    "branch": """
i = zero
if zero == 0:
    BODY
""",
    "branch_not": """
i = zero
if zero != 0:
    BODY
BODY
""",
    "branch_in_loop": """
for i in range(zero + 5):
    if i % 2 == zero:
        BODY
""",
    "else": """
i = zero
if zero > 0:
    pass
else:
    BODY
""",
    "else_in_loop": """
for i in range(zero + 4):
    if i < zero + 1:
        BODY
    elif i == 2:
        pass
    else:
        BODY
""",
    "while": """
i = zero
while i < 3:
    BODY
    i += 1
""",
    "while_true": """
i = zero
while True:
    BODY
    i += 1
    if i == 4:
        break
""",
    "while_in_for": """
for row in range(zero + 3):
    i = zero
    while i < row:
        BODY
        i = i + 1
""",
    "loop_else": """
for col in range(zero + 2):
    if col == 7:
        break
else:
    i = zero + 2
    BODY
""",
    "while_else": """
i = zero
while i < 2:
    i += 1
else:
    BODY
""",
    "break_before": """
for i in range(zero + 9):
    if i == 2:
        break
    BODY
""",
    "break_after": """
for i in range(zero + 9):
    BODY
    if i == 2:
        break
""",
    "break_inner": """
for row in range(zero + 2):
    for i in range(zero + 5):
        if i > row:
            break
        BODY
""",
    "continue_before": """
for i in range(zero + 5):
    if i % 2:
        continue
    BODY
""",
    "continue_after": """
for i in range(zero + 4):
    BODY
    if i % 2 == 0:
        continue
    i += 1
""",
    "return_in_loop": """
def search(NAMES_ limit):
    for i in range(limit):
        BODY
        if i == 2:
            return RESULT i
    return RESULT limit
RESULT found = search(NAMES_ zero + 9)
assert found == 2
""",
    "return_first": """
def early(NAMES_ limit):
    if limit == 7:
        return NAMES
    i = limit
    BODY
    return NAMES
RESULT_ early(NAMES_ zero + 2)
""",
    "return_of_thread": """
i = zero
BODY
if zero == 1:
    return
BODY
""",
    "helper": """
def helper(NAMES_ i):
    BODY
    return NAMES
RESULT_ helper(NAMES_ zero + 1)
""",
    "helper_value": """
def helper(NAMES_ i):
    BODY
    return RESULT i + 1
for col in range(zero + 3):
    RESULT result = helper(NAMES_ col)
    assert result == col + 1
""",
    "helper_in_helper": """
def inner(NAMES_ i):
    BODY
    return RESULT i * 2
def outer(NAMES_ col):
    if col == 1:
        RESULT result = inner(NAMES_ col)
        return RESULT result + 1
    RESULT result = inner(NAMES_ col)
    return RESULT result
for row in range(zero + 3):
    RESULT result = outer(NAMES_ row)
""",
    "helper_with_loop": """
def helper(NAMES_ count):
    for i in range(count):
        BODY
    return NAMES
RESULT_ helper(NAMES_ zero + 2)
RESULT_ helper(NAMES_ zero + 70)
""",
    "recursion": """
def again(NAMES_ i):
    BODY
    if i > 0:
        return again(NAMES_ i - 1)
    return NAMES
RESULT_ again(NAMES_ 2)
""",
    "static_range": """
for i in ttl.static_range(3):
    BODY
""",
    "unrolled": """
for i, word in enumerate(("a", "b")):
    BODY
""",
    "static_if": """
i = 1
if ttl.TILE_SHAPE == (32, 32):
    BODY
else:
    no_such_name
""",
    "signpost": """
for i in range(zero + 2):
    with ttl.signpost("region"):
        BODY
""",
    "twice": """
for i in range(zero + 2):
    BODY
for i in range(zero + 3):
    BODY
""",
    "no_trips": """
for i in range(zero):
    BODY
for i in range(zero + 2):
    BODY
""",
    "deep": """
for row in range(zero + 2):
    if row == 1:
        for col in range(zero + 3):
            i = col
            while i < 2:
                if col != 1:
                    BODY
                i += 1
""",
    "callback": """
def callback(pipe):
    i = zero
    BODY
loop_net.if_src(callback)
""",
    "callback_in_loop": """
for i in range(zero + 2):
    def callback(pipe):
        if i == zero:
            return
        BODY
    loop_net.if_dst(callback)
""",
}
OF_MOVEMENT = ("callback", "callback_in_loop")
NET = "loop_net = ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))])"
LONG = "long"
SHORT = "for"  # the same loop as LONG, with fewer iterations
MANY = ("long", "long_static", "helper_with_loop")  # these run the body more than 70 times
ONCE = ("top", "branch", "else", "loop_else", "while_else", "return_first", "helper", "static_if", "callback")
UNROLLED = ("for_static", "static_range", "unrolled", "static_if", "recursion", "nested_static")


def indented(text, indent):
    return "\n".join(" " * indent + line if line.strip() else line for line in text.splitlines())


def place(text, mark, inner):
    """Returns the text with each line that equals `mark` replaced by `inner`, at the line's indentation."""
    lines = []
    for line in text.strip("\n").splitlines():
        if line.strip() == mark:
            lines.append(indented(inner.strip("\n"), len(line) - len(line.lstrip())))
        else:
            lines.append(line)
    return "\n".join(lines)


def apply(context, body, names):
    """Returns a context's statements around this body. `names` are variables that both of them use."""
    text = CONTEXTS[context]
    listed = ", ".join(names)
    text = re.sub(r"RESULT_ (\w+\()", rf"{listed} = \1" if names else r"\1", text)
    text = text.replace("NAMES_ ", f"{listed}, " if names else "")
    text = text.replace("RESULT ", f"{listed}, " if names else "")
    text = re.sub(r"return NAMES$", f"return {listed}" if names else "return", text, flags=re.M)
    return place(text, "BODY", body)
