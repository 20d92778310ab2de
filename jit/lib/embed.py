#!/usr/bin/env python3
"""embed.py OUTPUT.S NAME=FILE...: writes an assembly file that holds the bytes of each
FILE between the symbols NAME_begin and NAME_end."""

import sys


def section(name, path):
    return (
        f".globl {name}_begin, {name}_end\n.balign 16\n"
        f'{name}_begin:\n.incbin "{path}"\n{name}_end:\n.byte 0\n'
    )


def main(output, *parts):
    text = ".section .rodata\n"
    text += "".join(section(*part.split("=", 1)) for part in parts)
    text += '.section .note.GNU-stack,"",@progbits\n'
    with open(output, "w") as file:
        file.write(text)


main(*sys.argv[1:])
