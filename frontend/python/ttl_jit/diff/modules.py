# SPDX-License-Identifier: Apache-2.0
"""A module of ttir, ttnn or tosa as a program: a script that runs its functions with random numbers."""

_SCRIPT = '''\
import ttl

TEXT = {text!r}


def main():
    model = ttl.load_mlir(TEXT)
    for function in model.functions.values():
        function(*(function.random_argument(n) for n in range(len(function.arguments))))


if __name__ == "__main__":
    main()
'''


def program(file):
    """Returns the script for a file. Raises a ValueError if the file is no such module."""
    import ttl

    with open(file) as stream:
        text = stream.read()
    try:
        ttl.load_mlir(text)
    except ttl.CompileError as error:
        raise ValueError(f"{file}:{error.line}: {error.message}") from None
    except ValueError:
        raise ValueError(f"{file} has no function of ops of ttir, ttnn or tosa, which is the kind of module that "
                         "ttl-diff compares; ttl-jit bisect and --compare=schedules take any .mlir file") from None
    return _SCRIPT.format(text=text)


def is_program(text):
    """Returns whether a script was made here. Its module cannot be made smaller."""
    return "ttl.load_mlir(TEXT)" in text
