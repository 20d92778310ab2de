# ===- _model_command.py - ttl-jit run of a module of tensor functions --------=== #
# SPDX-License-Identifier: Apache-2.0
#
# `ttl-jit run model.mlir --arg 0=a.npy --out 0=y.npy`. An argument without a file gets random numbers
# from --seed. A result without a file is shown: its first and last elements, and a hash of its bits.
# ===--------------------------------------------------------------------------=== #

import os
import sys
import zlib

import numpy as np

import ttl
from ttl import _models

USAGE = 2


class _Mistake(Exception):
    """An error of the command line, or of the files that it names."""


def main(file, words):
    """Runs functions of the module with the words of the command line; returns the exit status."""
    try:
        files, outputs, name = _read_words(words)
        functions = _functions_of(file, name)
        if len(functions) > 1 and (files or outputs):
            names = ", ".join(function.name for function in functions)
            raise _Mistake(f"--arg and --out need one function of {names}: choose it with --function")
        for function in functions:
            _run(function, files, outputs)
    except _Mistake as mistake:
        print(f"ttl-jit: {mistake}", file=sys.stderr)
        return USAGE
    if "TTL_STATS" in os.environ:
        print(*(function.report() for function in functions), sep="\n", file=sys.stderr)
    return 0


def _functions_of(file, name):
    """Returns the function of this name; without a name, @main or all functions."""
    try:
        model = _models.load(_path(file), _grid(), choose=lambda names: _choose(names, name, file))
    except ttl.CompileError:
        raise
    except ValueError as error:  # the file is no text, or has no function
        raise _Mistake(error) from None
    return list(model.functions.values())


class _path(os.PathLike):
    """A path object: load_mlir() reads it as a file even if its name does not end in .mlir."""

    def __init__(self, file):
        self._file = file

    def __fspath__(self):
        return self._file


def _read_words(words):
    """Returns the files of arguments and of results by number, and the name of a function."""
    files, outputs, function = {}, {}, None
    for word in words:
        option, _, value = word.partition("=")
        if option == "--function":
            function = value
            continue
        number, equals, file = value.partition("=")
        if not equals or not number.isdigit() or not file:
            raise _Mistake(f"expected {option} N=FILE.npy, as in {option} 0=a.npy; found '{value}'")
        (files if option == "--arg" else outputs)[int(number)] = file
    return files, outputs, function


def _grid():
    """Returns the columns and rows of --grid, or None."""
    text = os.environ.get("TTL_GRID")
    return tuple(map(int, text.replace("x", ",").split(","))) if text else None


def _choose(names, name, file):
    if name is None:
        return ["main"] if "main" in names else names
    if name not in names:
        raise _Mistake(f"{file} has no function '{name}'; it has {', '.join(names)}")
    return [name]


def _run(function, files, outputs):
    for option, numbers, count in (("--arg", files, len(function.arguments)),
                                   ("--out", outputs, len(function.results))):
        for number in numbers:
            if number >= count:
                kind = "argument" if option == "--arg" else "result"
                raise _Mistake(f"{option} {number}: there is no such {kind}: {function.name} has {count}, "
                               "numbered from 0")
    seed = int(os.environ.get("TTL_SEED", "0"))
    arguments = [_load(files[n]) if n in files else function.random_argument(n, seed)
                 for n in range(len(function.arguments))]
    made = [n for n in range(len(arguments)) if n not in files]
    if made:
        print(f"{function.name}: {_numbers('argument', made)}: random numbers of seed {seed}")
    try:
        found = function(*arguments)
    except (TypeError, ValueError) as error:  # an argument or the mesh is wrong
        raise _Mistake(error) from None
    results = found if len(function.results) > 1 else (found,)
    for number, (result, kind) in enumerate(zip(results, function.results)):
        if number in outputs:
            _save(outputs[number], result)
        else:
            _show(f"{function.name}: result {number}", kind, result)


def _load(file):
    try:
        return np.load(file, allow_pickle=False)
    except OSError as error:
        raise _Mistake(f"cannot read {file}: {error}") from None
    except (ValueError, EOFError):
        raise _Mistake(f"cannot read {file}: expected an array as numpy.save() writes it, of numbers and "
                       "with all its bytes") from None


def _save(file, array):
    try:
        with open(file, "wb") as stream:
            np.save(stream, array, allow_pickle=False)
    except OSError as error:
        raise _Mistake(f"cannot write {file}: {error.strerror}") from None


def _numbers(word, numbers):
    """Returns "argument 0", "arguments 0 and 1", "arguments 0 to 5, 7"."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = [f"{first} to {last}" if last > first + 1 else f"{first}" if first == last else
             f"{first} and {last}" for first, last in runs]
    return f"{word}{'s' if len(numbers) > 1 else ''} {', '.join(texts)}"


def _show(what, kind, array):
    text = np.array2string(array, threshold=8, edgeitems=2, precision=6, separator=", ")
    bits = zlib.crc32(np.ascontiguousarray(array).tobytes())
    print(f"{what}, {kind}: hash {bits:08x}", text, sep="\n")
