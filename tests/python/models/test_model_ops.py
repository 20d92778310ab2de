# SPDX-License-Identifier: Apache-2.0
"""Each op of ttir, compared with the evaluator: f32, bf16, integers; ranks 1 to 5; shapes with padding."""

import zlib

import numpy as np
import pytest

import _ttl_load
import cases
import model_judge
import ttl
from modules import Module, Type

_ttjit_models = _ttl_load.load_on_demand("_ttjit_models", "ttjit-modules")


def _module(name, element, rng):
    """Returns a module of two arguments and some ops of this name, or None if no random types fit the op."""
    for _ in range(200):
        shape = cases.random_shape(rng)
        other = tuple(1 if rng.integers(3) == 0 else extent for extent in shape)
        maker = cases.Maker(rng, [Type(shape, element), Type(other, element)])
        added = sum(maker.add(name, 0) for _ in range(2))
        if added:
            return maker.module
    return None


def _generator(name, element):
    return np.random.default_rng(zlib.crc32(f"{name} {element}".encode()))


CASES = [(name, element) for name in cases.NAMES for element in ("f32", "bf16", "si32", "ui32")
         if _module(name, element, _generator(name, element))]


@pytest.mark.parametrize("name, element", CASES)
def test_op(name, element):
    rng = _generator(name, element)
    module = _module(name, element, rng)
    arguments = [cases.random_array(rng, module.types[n]) for n in range(module.arguments)]
    numbers = [n for op in module.ops for n in op.results]
    model_judge.check_values(module, arguments, model_judge.run(module, arguments, numbers))


MOVES = ("concat", "index_select", "pad", "permute", "repeat", "repeat_interleave", "reshape", "reverse",
         "slice_static")


@pytest.mark.parametrize("engine", ["interp", "emitted"])
@pytest.mark.parametrize("element", ["f32", "bf16", "si32", "ui32"])
def test_moves_on_other_engines(engine, element):
    """One module has a move of each kind. The integer -1 has a NaN's bits, which moves must not change."""
    rng = _generator("moves", element)
    maker = cases.Maker(rng, [Type((2, 3, 40), element)])
    assert all(maker.add(name, 0) for name in MOVES)
    arguments = [cases.random_array(rng, kind) for kind in maker.module.types[:1]]
    numbers = [n for op in maker.module.ops for n in op.results]
    values = model_judge.run(maker.module, arguments, numbers, engine)
    model_judge.check_values(maker.module, arguments, values)


def test_moved_nans_have_one_bit_pattern():
    """A NaN that a module moves gets the same bits on every engine, whatever bits it had before."""
    kind = Type((33, 40), "f32")
    module = Module([kind])
    (result,) = module.add("reshape", [0], [Type((40, 33), "f32")], text="shape = [40 : i32, 33 : i32]")
    bits = np.random.default_rng(0).integers(0, 1 << 32, kind.shape, dtype=np.uint32)
    x = bits.view(np.float32)
    expected = np.where(np.isnan(x), np.uint32(0x7FC00000), bits).reshape(40, 33)
    assert np.isnan(x).any()
    for engine in ("jit", "interp", "emitted"):
        assert np.array_equal(model_judge.run(module, [x], [result], engine)[result].view(np.uint32), expected)


CHAIN = """
!from = tensor<6x32x64xELEMENT>
!turned = tensor<32x6x64xELEMENT>
!to = tensor<32x6x70xELEMENT>
func.func @main(%a: !from) -> !to {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (!from) -> !turned
  %1 = "ttir.reverse"(%0) <{dimensions = array<i64: 2>}> : (!turned) -> !turned
  %2 = "ttir.pad"(%1) <{padding = array<i32: 0, 0, 0, 0, 2, 4>, value = -3.0 : f32}> : (!turned) -> !to
  return %2 : !to
}
"""


@pytest.mark.parametrize("engine", ["jit", "emitted"])
@pytest.mark.parametrize("element", ["f32", "si32"])
def test_a_chain_of_moves_is_one_kernel(engine, element):
    model = ttl.load_mlir(CHAIN.replace("ELEMENT", element), options=f"--engine={engine}")
    assert [kernel.name for kernel in model.main.kernels] == ["main_0_permute_reverse_pad"]
    x = cases.random_array(np.random.default_rng(0), Type((6, 32, 64), element))
    expected = np.pad(np.flip(x.transpose(1, 0, 2), 2), ((0, 0), (0, 0), (2, 4)), constant_values=-3)
    assert np.array_equal(model.main(x), expected)


def test_every_op_is_judged():
    known = {name for name, *_ in _ttjit_models.ttir_ops()}
    assert known - set(cases.NAMES) == {"empty", "rand", "to_layout"}


# ===--------------------------------------------------------------------------=== #
# Kernels that fuse several ops


@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("engine", ["jit", "emitted"])
def test_groups_of_many_operands_fit_in_buffers(element, engine):
    rng = np.random.default_rng(0)
    kind = Type((64, 256), element)
    module, value = Module([kind] * 9), 0
    for operand in range(1, 9):
        (value,) = module.add("multiply" if operand % 2 else "subtract", [value, operand], [kind])
    arguments = [cases.random_array(rng, kind) for _ in range(9)]
    numbers = [n for op in module.ops for n in op.results]
    model_judge.check_values(module, arguments, model_judge.run(module, arguments, numbers, engine))


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_values_at_infinity(element):
    """Checks functions of infinities, NaN and zeros, in kernels and on the host."""
    kind = Type((1, 5), element)
    module = Module([kind])
    numbers = [module.add(name, [0], [kind])[0] for name in cases.FLOAT_UNARY]
    values = [[-np.inf, np.inf, np.nan, 0.0, -0.0]]
    arguments = [np.array(values, {"f32": np.float32, "f64": np.float64}[element])]
    model_judge.check_values(module, arguments, model_judge.run(module, arguments, numbers))


@pytest.mark.parametrize("low, high", [(-5, 3.5), (-1e12, 1e12), (2, 1e30)])
@pytest.mark.parametrize("element", ["si32", "ui32", "ui8"])
def test_bounds_beyond_the_type(element, low, high):
    kind = Type((5, 7), element)
    module = Module([kind])
    module.add("clamp_scalar", [0], [kind], {"min": low, "max": high},
               f"min = {float(low):e} : f32, max = {float(high):e} : f32")
    dtype = {"si32": np.int32, "ui32": np.uint32, "ui8": np.uint8}[element]
    arguments = [np.arange(35, dtype=dtype).reshape(5, 7)]
    found = model_judge.run(module, arguments, [1])[1]
    assert np.array_equal(found, np.clip(arguments[0], max(low, 0), min(high, 3 if high == 3.5 else 99)))


def test_names_of_kernels_are_unique():
    text = """
func.func @main_0_exp(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.exp"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
    model = ttl.load_mlir(text)
    assert model.main.kernels[0].name == "main_0_exp_"
    assert np.array_equal(model.main_0_exp(np.eye(4)), np.eye(4))
