# SPDX-License-Identifier: Apache-2.0
"""Random modules of 1 to 12 ops.

Each value is compared with the evaluator's result for the operands that the op had in this run, so errors do
not add up. A module that returns only its last values fuses more ops; it must give the same bits, on the
other engines, too.

`python3 tests/python/models/test_random_models.py FIRST COUNT` runs more of them."""

import sys

import pytest

import cases
import model_judge


def check(seed, engines=("interp", "emitted")):
    module, arguments = cases.random_module(seed)
    if not module.ops:
        return
    numbers = [n for op in module.ops for n in op.results]
    values = model_judge.run(module, arguments, numbers)
    model_judge.check_values(module, arguments, values)
    last = module.ops[-1].results
    for engine, grid in (("jit", (2, 1)), *((each, None) for each in engines)):
        for number, value in model_judge.run(module, arguments, last, engine, grid).items():
            assert model_judge.bits_of(value) == model_judge.bits_of(values[number]), (seed, engine, number)


@pytest.mark.parametrize("seed", range(20))
def test_random_module(seed):
    check(seed)


if __name__ == "__main__":
    failed = []
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        try:
            check(number)
        except Exception as error:  # whatever it is, the other modules run
            failed.append(number)
            print(number, type(error).__name__, str(error)[:400], flush=True)
    print(f"{sys.argv[2]} modules, failed: {failed}")
