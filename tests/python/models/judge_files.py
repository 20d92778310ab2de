# SPDX-License-Identifier: Apache-2.0
"""Runs the functions of .mlir files of ttir on all engines and checks their values.

python3 tests/python/models/judge_files.py FILE... prints one line per file: `right`, or what is wrong.

A function runs as it is in the file, and must give the same bits on every engine. In a second run it returns
all its values: the evaluator checks each of them, and the results must be those of the first run."""

import pathlib
import re
import sys

import numpy as np

import cases
import model_judge
import ttl
from module_text import Unreadable, read_functions

ENGINES = ("jit", "interp", "emitted")


def check(name, module, returned, text, engines=ENGINES):
    """Raises an AssertionError if values differ."""
    rng = np.random.default_rng(0)
    arguments = [cases.random_array(rng, kind) for kind in module.types[:module.arguments]]
    found = {}
    for engine in engines:
        function = ttl.load_mlir(text, options=f"--engine={engine}").functions[name]
        results = function(*arguments)
        found[engine] = results if len(returned) > 1 else (results,)
    for engine in engines[1:]:
        same = [model_judge.bits_of(a) == model_judge.bits_of(b) for a, b in zip(found[engines[0]], found[engine])]
        assert all(same), f"{name}: the results of {engine} have other bits"
    numbers = [n for op in module.ops for n in op.results]
    values = model_judge.run(module, arguments, numbers) if numbers else {}
    model_judge.check_values(module, arguments, values)
    values.update(enumerate(arguments))
    for number, result in zip(returned, found[engines[0]]):
        assert model_judge.bits_of(values[number]) == model_judge.bits_of(result), f"{name}: value {number} differs"


def judge(path):
    """Returns "right" with the number of functions, or a text about the first function that is wrong."""
    text = path.read_text()
    try:
        for part in re.split(r"^// -----.*$", text, flags=re.M):
            functions = read_functions(part)
            for name, (module, returned) in functions.items():
                check(name, module, returned, part)
    except (ttl.CompileError, ttl.RuntimeFault, Unreadable, AssertionError, ValueError) as error:
        first = str(error).strip().splitlines() or [""]
        return f"{type(error).__name__}: {first[0][:160]}"
    return f"right ({len(functions)} {'function' if len(functions) == 1 else 'functions'})"


if __name__ == "__main__":
    for file in map(pathlib.Path, sys.argv[1:]):
        print(f"{file}: {judge(file)}", flush=True)
