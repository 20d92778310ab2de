# SPDX-License-Identifier: Apache-2.0
"""Each op of ttir against the evaluator: f32, bf16 and i32, ranks 1 to 5, shapes with padding."""

import zlib

import numpy as np
import pytest
import _ttjit

import cases
import judge
from modules import Type


def _module(name, element, rng):
    """A module of two arguments and some ops of this name, or None."""
    for _ in range(200):
        shape = cases.random_shape(rng)
        other = tuple(1 if rng.integers(3) == 0 else extent for extent in shape)
        maker = cases.Maker(rng, [Type(shape, element), Type(other, element)])
        added = sum(maker.add(name, 0) for _ in range(2))
        if added:
            return maker.module
    return None


@pytest.mark.parametrize("element", ["f32", "bf16", "si32"])
@pytest.mark.parametrize("name", cases.NAMES)
def test_op(name, element):
    rng = np.random.default_rng(zlib.crc32(f"{name} {element}".encode()))
    module = _module(name, element, rng)
    if module is None:
        pytest.skip(f"{name} has no {element}")
    arguments = [cases.random_array(rng, module.types[n]) for n in range(module.arguments)]
    numbers = [n for op in module.ops for n in op.results]
    judge.check_values(module, arguments, judge.run(module, arguments, numbers))


def test_every_op_is_judged():
    known = {name for name, *_ in _ttjit.ttir_ops()}
    assert known - set(cases.NAMES) == {"empty", "rand", "to_layout"}
