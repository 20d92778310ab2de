# SPDX-License-Identifier: Apache-2.0
"""Randomly damages bytes, text, and values as JSON files have them."""

import re

ODD = [None, True, False, 0, -1, 1, 2**31, -(2**63), 2**64, 10**400, 1.5, float("nan"), float("inf"), "", "x", "\0",
       "\ud800", "../../x", "x" * 5000, [], [[]], {}, {"x": 1}, [None] * 3, [[[[[[1]]]]]], -1.0, "1", "é"]
TEXTS = ["0", "-1", "99999999999999999999", "4294967296", "1000000", "(", ")", "<", ">", "{", "}", "[", "]", '"', "#",
         "!",
         "%0", "@x", "f32", "i32", "index", "tensor<", "->", ":", ",", "=", "\n", "\0", "//", "true", "unit", "dense<",
         "bf16", "1x", "?x", "*x", "loc(", "affine_map<", "ttl.", "scf.", "\\", "é"]


def damage_bytes(random, data):
    """Returns the bytes with some of them changed, or with a part removed, doubled or moved."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 5, 20))):
        at = random.randrange(len(data) + 1)
        part = random.choice((1, 2, 4, 16, 200))
        way = random.randrange(5)
        if way == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif way == 1:
            data[at:at] = random.randbytes(part)
        elif way == 2:
            del data[at : at + part]
        elif way == 3:
            data[at:at] = data[random.randrange(len(data) + 1) :][:part]
        elif random.random() < 0.2:
            del data[at:]
    return bytes(data)


def damage_text(random, text):
    """Returns the text with words or lines exchanged, removed, doubled or inserted."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if random.random() < 0.3:
            lines = text.split("\n")
            a, b = random.randrange(len(lines)), random.randrange(len(lines))
            way = random.randrange(4)
            if way == 0:
                lines[a], lines[b] = lines[b], lines[a]
            elif way == 1:
                del lines[a]
            elif way == 2:
                lines.insert(b, lines[a])
            else:
                del lines[min(a, b) : max(a, b)]
            text = "\n".join(lines)
            continue
        words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
        if not words:
            return random.choice(TEXTS)
        begin, end = random.choice(words)
        other = random.choice(words)
        new = random.choice((random.choice(TEXTS), text[other[0] : other[1]], "", text[begin:end] * 2))
        text = text[:begin] + new + text[end:]
    return text


def damage_value(random, value):
    """Returns the value with some inner value replaced or removed; lists and dicts are searched."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(list(value))
        changed = dict(value)
        way = random.random()
        if way < 0.15:
            del changed[key]
        elif way < 0.25:
            changed[random.choice((*value, "other"))] = changed.pop(key)
        else:
            changed[key] = damage_value(random, value[key])
        return changed
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        rest = value[at + 1 :]
        way = random.random()
        if way < 0.15:
            return value[:at] + rest
        if way < 0.3:
            return [*value, value[at]]
        return [*value[:at], damage_value(random, value[at]), *rest]
    if isinstance(value, str) and value and random.random() < 0.5:
        return damage_text(random, value)
    return random.choice(ODD)
