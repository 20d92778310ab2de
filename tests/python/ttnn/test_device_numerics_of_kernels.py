# SPDX-License-Identifier: Apache-2.0
"""ttnn.generic_op with --numerics=device: each compute kernel computes with its own configuration."""

import os
import pathlib
import re
import subprocess
import warnings

import numpy as np
import pytest
import ttl
import ttnn
from ttl._numerics import explain

TTL_JIT = pathlib.Path(os.environ["TTJIT_BUILD"]) / "bin" / "ttl-jit"
CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
BOTH = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))
CORES = [ttnn.CoreRange(ttnn.CoreCoord(x, 0), ttnn.CoreCoord(x, 0)) for x in range(2)]
READER = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  for (uint32_t i = 0; i < 2; ++i) {
    TensorAccessor x(args, get_common_arg_val<uint32_t>(i), BYTES);
    cb_reserve_back(i, 1);
    noc_async_read_page(get_arg_val<uint32_t>(0), x, get_write_ptr(i));
    noc_async_read_barrier();
    cb_push_back(i, 1);
  }
}
"""
WRITER = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  TensorAccessor y(args, get_common_arg_val<uint32_t>(2), BYTES);
  cb_wait_front(2, 1);
  noc_async_write_page(get_arg_val<uint32_t>(0), y, get_read_ptr(2));
  noc_async_write_barrier();
  cb_pop_front(2, 1);
}
"""
COMPUTE = """
#include "compute_kernel_api.h"

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 2);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(2, 1);
  tile_regs_acquire();
  BODY
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 2);
  tile_regs_release();
  cb_push_back(2, 1);
}
"""
COPIES = "copy_tile_init(0); copy_tile(0, 0, 0); copy_tile(1, 0, 1); "
SUM = COPIES + "add_binary_tile_init(); add_binary_tile(0, 1, 0);"
PRODUCT = "mm_init_short(0, 1); matmul_tiles(0, 1, 0, 0, 0);"
NARROW, WIDE = {}, {"fp32_dest_acc_en": True}


def program(tensors, body, configs, dtype, defines=()):
    """Returns a program with a kernel on each of two cores; core i computes tile i."""
    size = {ttnn.bfloat16: 2048, ttnn.float16: 2048, ttnn.bfloat8_b: 1088, ttnn.uint16: 2048}.get(dtype, 4096)
    fields = {"source_type": CODE, "common_runtime_args": [tensor.buffer_address() for tensor in tensors],
              "compile_time_args": ttnn.TensorAccessorArgs(tensors[0]).get_compile_time_args(),
              "runtime_args": [(core, [core.x]) for core in BOTH.cores()]}
    kernels = [ttnn.KernelDescriptor(kernel_source=text.replace("BYTES", str(size)), core_ranges=BOTH, config=config,
                                     **fields)
               for text, config in ((READER, ttnn.ReaderConfigDescriptor()), (WRITER, ttnn.WriterConfigDescriptor()))]
    del fields["runtime_args"]
    kernels += [ttnn.KernelDescriptor(kernel_source=COMPUTE.replace("BODY", body), core_ranges=core,
                                      config=ttnn.ComputeConfigDescriptor(**config), defines=list(defines), **fields)
                for core, config in zip(CORES, configs)]
    cbs = [ttnn.CBDescriptor(size, BOTH, [ttnn.CBFormatDescriptor(i, dtype, size)]) for i in range(3)]
    return ttnn.ProgramDescriptor(kernels=kernels, cbs=cbs)


def run(body, configs, values, dtype=ttnn.bfloat16, defines=(), **options):
    """Runs the program; returns the first element of each core's tile."""
    with ttl.options(**{"numerics": "device", **options}):
        device = ttnn.open_device()
        a, b = (ttnn.from_numpy(np.full((32, 64), value, np.float32), dtype=dtype, device=device) for value in values)
        y = ttnn.zeros((32, 64), dtype=dtype, device=device)
        result = ttnn.to_numpy(ttnn.generic_op([a, b, y], program([a, b, y], body, configs, dtype, defines)))
    return [float(result[0, 0]), float(result[0, 32])]


@pytest.mark.parametrize("configs, expected", [
    ((NARROW, NARROW), [1.0, 1.0]),
    ((WIDE, WIDE), [1.0078125, 1.0078125]),
    ((NARROW, WIDE), [1.0, 1.0078125]),
    ((WIDE, NARROW), [1.0078125, 1.0]),
])
def test_each_kernel_has_its_own_width_of_dst(configs, expected):
    """Computes 1 + 3 * 2^-9. A 16-bit DST cuts the sum. With an fp32 DST, the packer rounds it."""
    assert run(SUM, configs, (1, 3 * 2.0**-9)) == expected
    assert run(SUM, configs, (1, 3 * 2.0**-9), numerics="host") == [1.0078125, 1.0078125]


def test_each_kernel_has_its_own_fidelity():
    """With LoFi, the matrix unit reads only 5 bits of the second factor's significand."""
    fidelities = [{"math_fidelity": fidelity, **WIDE} for fidelity in (ttnn.MathFidelity.LoFi, ttnn.MathFidelity.HiFi4)]
    assert run(PRODUCT, fidelities, (1, 1 + 2.0**-5)) == [32, 33]


def test_each_kernel_has_its_own_number_of_registers():
    """With dst_full_sync_en, a kernel has 16 registers, else 8. An fp32 DST has half as many."""
    body = COPIES + "copy_tile(0, 0, {0});"
    full = {"dst_full_sync_en": True}
    run(body.format(15), (full, full), (1, 1))
    run(body.format(7), (full, NARROW), (1, 1))
    with pytest.raises(ttl.RuntimeFault, match="DST register 4 does not exist; this kernel has 4") as caught:
        run(body.format(4), (NARROW, WIDE), (1, 1))
    assert tuple(caught.value.node) == (1, 0) and caught.value.line > 0


def test_copies_without_a_mode_of_their_own_pass_a_source_register():
    """A float32 tile is cut to TF32 on its way to an fp32 DST, unless its buffer has UnpackToDestFp32."""
    x = 1 + 2.0**-13
    assert run(COPIES, (WIDE, WIDE), (x, x), ttnn.float32) == [1, 1]
    modes = [ttnn.UnpackToDestMode.UnpackToDestFp32] * 3
    both = (WIDE, {**WIDE, "unpack_to_dest_mode": modes})
    assert run(COPIES, both, (x, x), ttnn.float32) == [1, x]


def test_an_approximation_has_its_own_bits():
    init, call = "exp_tile_init<true>();", "exp_tile<true>(0);"
    exact = run(COPIES + "exp_tile_init(); exp_tile(0);", (WIDE, WIDE), (1.5, 0))[0]
    assert run(COPIES + init + call, (WIDE, WIDE), (1.5, 0))[0] == pytest.approx(exact, rel=0.1)
    assert run(COPIES + init + call, (NARROW, NARROW), (1.5, 0)) == [4.46875, 4.46875]


def test_unknown_operations_warn_once_with_their_line():
    call = "softcap_tile(0, 0x40000000, 0x3f000000);"  # 2 and 0.5
    body = COPIES + f"softcap_tile_init();\n  {call}\n  {call}"
    with pytest.warns(ttl.NumericsWarning) as caught:
        run(body, (NARROW, NARROW), (1.5, 0))
    (warning,) = [each.message for each in caught if issubclass(each.category, ttl.NumericsWarning)]
    assert "the card's result of 'softcap' is not known" in str(warning)
    assert warning.line == COMPUTE[:COMPUTE.index("BODY")].count("\n") + 2
    with pytest.raises(ttl.RuntimeFault, match="--strict: the card's result of 'softcap' is not known") as fault:
        run(body, (NARROW, NARROW), (1.5, 0), strict=True)
    assert fault.value.line == warning.line


CAST = "typecast_tile<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::UInt32>"
WIDEN = f"typecast_tile_init<9, 24>(); {CAST}(0); {CAST}(1); "
ADD_INTS = "add_int_tile_init(); add_int_tile<DataFormat::UInt32>(0, 1, 0);"


def test_uint16_is_widened_before_integers_are_computed():
    """The unpacker writes only 16 bits of a register, so integers must be widened first."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(COPIES + WIDEN + ADD_INTS, (WIDE, WIDE), (40000, 7), ttnn.uint16) == [40007, 40007]
        assert run(COPIES, (WIDE, WIDE), (40000, 7), ttnn.uint16) == [40000, 40000]
    with pytest.warns(ttl.NumericsWarning, match="'add_int' of UInt16 that no typecast_tile widened"):
        run(COPIES + ADD_INTS, (WIDE, WIDE), (40000, 7), ttnn.uint16)
    moved = "copy_dest_values_init(); copy_dest_values<DataFormat::UInt32>(0, 2); "
    moved += ADD_INTS.replace("(0, 1, 0)", "(2, 1, 0)")
    with pytest.warns(ttl.NumericsWarning, match="'add_int' of UInt16 that no typecast_tile widened"):
        run(COPIES + moved, (WIDE, WIDE), (40000, 7), ttnn.uint16)


def test_known_operations_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(SUM, (NARROW, WIDE), (1, 2))


# {name in the warning: calls}. With an fp32 DST, the card's bits of these functions are not known.
UNKNOWN = {
    "fmod_tile": "fmod_tile_init(0x3e800000, 0x40800000); fmod_tile(0);",
    "fmod_binary_tile": "fmod_binary_tile_init(); fmod_binary_tile(0, 1, 0);",
    "remainder_tile": "remainder_tile_init(0x3e800000, 0x40800000); remainder_tile(0, 0x3e800000, 0x40800000);",
    "remainder_binary_tile": "remainder_binary_tile_init(); remainder_binary_tile(0, 1, 0);",
    "div_no_nan_binary_tile": "div_binary_tile_init(); div_no_nan_binary_tile(0, 1, 0);",
    "rand_tile": "rand_tile_init(3); rand_tile(0, 0, 0x3f800000);",
    "transpose_wh_dest": "transpose_wh_dest_init_short(); transpose_wh_dest(0);",
    "bitwise_and_tile": "bitwise_and_tile_init(); bitwise_and_tile(0, 6);",
    "bitwise_or_tile": "bitwise_or_tile_init(); bitwise_or_tile<DataFormat::Int32>(0, 6);",
    "bitwise_xor_tile": "bitwise_xor_tile_init(); bitwise_xor_tile(0, 6);",
    "left_shift_tile by more than 31": "left_shift_tile_init(); left_shift_tile(0, 32);",
    "right_shift_tile by more than 31": "right_shift_tile_init(); right_shift_tile(0, 32);",
    "right_shift_tile<DataFormat::UInt32>": "right_shift_tile_init(); right_shift_tile<DataFormat::UInt32>(0, 1);",
    **{f"unary_{name}_tile_int32": f"unary_{name}_tile_init(); unary_{name}_tile_int32(0, 6);"
       for name in ("lt", "le", "gt", "ge")},
    "relu_tile_int32": "relu_tile_init(); relu_tile_int32(0);",
    **{f"logical_not_unary_tile_{kind}": f"logical_not_unary_tile_init(); logical_not_unary_tile_{kind}(0);"
       for kind in ("int32", "uint32")},
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_functions_of_cpp_warn_with_their_name(name):
    """Such functions compute as with --numerics=host."""
    body = COPIES + "\n  " + UNKNOWN[name]
    dtype = ttnn.bfloat16 if name.split("_")[0] in ("fmod", "remainder", "div", "rand", "transpose") else ttnn.int32
    with pytest.warns(ttl.NumericsWarning) as caught:
        found = run(body, (WIDE, WIDE), (14, 3), dtype)
    (warning,) = [each.message for each in caught if issubclass(each.category, ttl.NumericsWarning)]
    assert f"the card's result of '{name}' is not known" in str(warning)
    assert warning.line == COMPUTE[:COMPUTE.index("BODY")].count("\n") + 2
    assert found == run(body, (WIDE, WIDE), (14, 3), dtype, numerics="host")
    with pytest.raises(ttl.RuntimeFault, match=f"--strict: the card's result of '{name}' is not known") as fault:
        run(body, (WIDE, WIDE), (14, 3), dtype, strict=True)
    assert fault.value.line == warning.line


def test_the_result_of_an_unknown_function_is_stored_as_the_card_stores_it():
    """The exact result is 4 / 3, which a 16-bit DST cuts."""
    body = COPIES + UNKNOWN["div_no_nan_binary_tile"]
    with pytest.warns(ttl.NumericsWarning):
        assert run(body, (NARROW, WIDE), (5, 3)) == [1.6640625, 1.6640625]
        assert run(body, (NARROW, WIDE), (5, 3), ttnn.float32)[0] == 1.6640625
        assert run(body, (WIDE, WIDE), (5, 3), ttnn.float32)[0] == np.float32(5) / np.float32(3)


def test_a_tile_of_dst_is_transposed_by_16_or_32_bits():
    """Moves of 16-bit and 32-bit values are known for a DST of the same width, but not for another one."""
    narrow, wide = (f"transpose_wh_dest_init_short<{is_32}>(); transpose_wh_dest<{is_32}>(0);"
                    for is_32 in ("false", "true"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = np.repeat(np.arange(32), 2).reshape(32, 2).repeat(32, axis=1)
        assert run(COPIES + narrow, (NARROW, NARROW), (rows, 0)) == [0, 0]
        assert run(COPIES + wide, (WIDE, WIDE), (rows, 0)) == [0, 0]
    with pytest.warns(ttl.NumericsWarning, match="'transpose_wh_dest'"):
        run(COPIES + wide, (NARROW, NARROW), (1, 1))


# {name: (call, result for 1.5 and 0.25)}
FLOATS = {
    "cumsum_tile": ("cumsum_tile_init(); cumsum_tile(0);", 1.5),
    "erf_tile<false>": ("erf_tile_init(); erf_tile<false>(0);", 0.96610515),
    "exp_tile": ("exp_tile_init<false>(); exp_tile<false, true>(0, 4, 0x3f00);", np.exp(0.75)),
    "gelu_tile<false>": ("gelu_tile_init(); gelu_tile<false>(0);", 1.39978921),
    "hardshrink_tile": ("hardshrink_tile_init(); hardshrink_tile(0, 0x3f000000);", 1.5),
    "heaviside_tile": ("heaviside_tile_init(); heaviside_tile(0, 0x3f000000);", 1),
    "identity_tile": ("identity_tile_init(); identity_tile(0);", 1.5),
    "isfinite_tile": ("isfinite_tile_init(); isfinite_tile(0);", 1),
    "isneginf_tile": ("isneginf_tile_init(); isneginf_tile(0);", 0),
    "isposinf_tile": ("isposinf_tile_init(); isposinf_tile(0);", 0),
    "log_with_base_tile": ("log_with_base_tile_init(); log_with_base_tile(0, 0x3fb8aa3b);", np.log2(1.5)),
    "logical_not_tile": ("logical_not_tile_init(); logical_not_tile<DataFormat::Float16_b>(0);", 0),
    "logical_not_unary_tile": ("logical_not_unary_tile_init(); logical_not_unary_tile(0);", 0),
    "rdiv_tile": ("rdiv_tile_init(); rdiv_tile(0, 0x40000000);", 2 / 1.5),
    "recip_tile<false>": ("recip_tile_init(); recip_tile<false>(0);", 1 / 1.5),
    "rpow_tile": ("rpow_tile_init(); rpow_tile(0, 0x40000000);", 2**1.5),
    "softshrink_tile": ("softshrink_tile_init(); softshrink_tile(0, 0x3f000000);", 1),
    # These are made of other functions, which have their own checks.
    "hardtanh_tile": ("hardtanh_tile_init(); hardtanh_tile(0, 0xbf000000, 0x3f000000);", 0.5),
    "prelu_tile": ("prelu_tile_init(); prelu_tile(0, 0x3f000000);", 1.5),
    "rsub_tile": ("rsub_tile_init(); rsub_tile(0, 0x40000000);", 0.5),
    "rdiv_tile<Trunc>": ("rdiv_tile_init(); rdiv_tile<RoundingMode::Trunc>(0, 0x40000000);", 1),
    "erfc_tile<false>": ("erfc_tile_init(); erfc_tile<false>(0);", 0.03389485),
}
REDUCE = "PoolType::SUM, DataFormat::Int32"
# {name: (call, result for -6 and 3)}
INTEGERS = {
    "abs_tile_int32": ("abs_tile_init(); abs_tile_int32(0);", 6),
    "add_unary_tile_int32": ("binop_with_scalar_tile_init(); add_unary_tile_int32(0, 7);", 1),
    "binary_left_shift_tile":
        ("binary_shift_tile_init(); binary_left_shift_tile<DataFormat::Int32>(0, 1, 0);", -48),
    "binary_logical_right_shift_tile":
        ("binary_shift_tile_init(); binary_logical_right_shift_tile<DataFormat::UInt32>(0, 1, 0);", (2**32 - 6) >> 3),
    "binary_right_shift_tile":
        ("binary_shift_tile_init(); binary_right_shift_tile<DataFormat::Int32>(0, 1, 0);", -1),
    "bitwise_and_binary_tile": ("binary_bitwise_tile_init(); bitwise_and_binary_tile(0, 1, 0);", -6 & 3),
    "bitwise_not_tile": ("bitwise_not_tile_init(); bitwise_not_tile(0);", 5),
    "bitwise_or_binary_tile": ("binary_bitwise_tile_init(); bitwise_or_binary_tile(0, 1, 0);", -6 | 3),
    "bitwise_xor_binary_tile": ("binary_bitwise_tile_init(); bitwise_xor_binary_tile(0, 1, 0);", -6 ^ 3),
    "clamp_tile_int32": ("clamp_tile_init(); clamp_tile_int32(0, -5, 9);", -5),
    "eqz_tile_int32": ("eqz_tile_init(); eqz_tile_int32(0);", 0),
    "eqz_tile_uint32": ("eqz_tile_init(); eqz_tile_uint32(0);", 0),
    "gez_tile_int32": ("gez_tile_init(); gez_tile_int32(0);", 0),
    "gtz_tile_int32": ("gtz_tile_init(); gtz_tile_int32(0);", 0),
    "left_shift_tile": ("left_shift_tile_init(); left_shift_tile<DataFormat::Int32>(0, 3);", -48),
    "lez_tile_int32": ("lez_tile_init(); lez_tile_int32(0);", 1),
    "ltz_tile_int32": ("ltz_tile_init(); ltz_tile_int32(0);", 1),
    "negative_tile_int32": ("negative_tile_init(); negative_tile_int32(0);", 6),
    "nez_tile_int32": ("nez_tile_init(); nez_tile_int32(0);", 1),
    "nez_tile_uint32": ("nez_tile_init(); nez_tile_uint32(0);", 1),
    "right_shift_tile": ("right_shift_tile_init(); right_shift_tile(0, 1);", -3),
    "rsub_unary_int32_tile": ("rsub_unary_int32_tile_init(); rsub_unary_int32_tile(0, 7);", 13),
    "sfpu_reduce": (f"sfpu_reduce_init<{REDUCE}>(); sfpu_reduce<{REDUCE}>(0);", 32 * -6),
    "signbit_tile_int32": ("signbit_tile_int32_init(); signbit_tile_int32(0);", 1),
    "sub_unary_tile_int32": ("binop_with_scalar_tile_init(); sub_unary_tile_int32(0, 7);", -13),
    "typecast_tile": ("typecast_tile<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::UInt16>(0);", 0),
    "unary_eq_tile_int32": ("unary_eq_tile_init(); unary_eq_tile_int32(0, -6);", 1),
    "unary_max_int32_tile": ("unary_max_int32_tile_init(); unary_max_int32_tile(0, -7);", -6),
    "unary_max_uint32_tile": ("unary_max_uint32_tile_init(); unary_max_uint32_tile(0, 7);", -6),
    "unary_min_int32_tile": ("unary_min_int32_tile_init(); unary_min_int32_tile(0, 7);", -6),
    "unary_min_uint32_tile": ("unary_min_uint32_tile_init(); unary_min_uint32_tile(0, 7);", 7),
    "unary_ne_tile_int32": ("unary_ne_tile_init(); unary_ne_tile_int32(0, -6);", 0),
}
INTEGERS["typecast_tile"] = ("typecast_tile_init<8, 9>(); " + INTEGERS["typecast_tile"][0], 0)


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("name", FLOATS)
def test_known_functions_of_cpp_on_floats(name, arch):
    call, expected = FLOATS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run(COPIES + call, (NARROW, WIDE), (1.5, 0.25), arch=arch)
    assert found == pytest.approx([expected, expected], rel=0.015, abs=1e-3)


@pytest.mark.parametrize("name", INTEGERS)
def test_known_functions_of_cpp_on_integers(name):
    call, expected = INTEGERS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(COPIES + call, (WIDE, WIDE), (-6, 3), ttnn.int32) == [expected, expected]
    with pytest.warns(ttl.NumericsWarning, match=f"'{name}' in registers of 16 bits"):
        run(COPIES + call, (NARROW, NARROW), (-6, 3), ttnn.int32)


def test_every_function_in_the_table_is_called():
    text = (pathlib.Path(__file__).parents[3] / "hw/facts/VectorFunctions.def").read_text()
    names = set(re.findall(r'^VECTOR_FUNCTION(?:_INT)?\("(.*)"\)', text, re.MULTILINE))
    assert names - FLOATS.keys() - INTEGERS.keys() == set() and not names & UNKNOWN.keys()


def test_a_function_of_cpp_reads_uint16_that_no_typecast_widened():
    with pytest.warns(ttl.NumericsWarning, match="'abs_tile_int32' of UInt16 that no typecast_tile widened"):
        run(COPIES + "abs_tile_init(); abs_tile_int32(0);", (WIDE, WIDE), (40000, 7), ttnn.uint16)


def test_sums_down_columns_are_rounded_when_they_are_stored():
    """Sums of 289 ones. A 16-bit DST cuts each stored sum; with an fp32 DST, the packer rounds it."""
    tile = "copy_tile_init(0); copy_tile(0, 0, 0); cumsum_tile(0, {0}); "
    body = "cumsum_tile_init(); " + "".join(tile.replace("{0}", "false" if i else "true") for i in range(10))
    assert run(body, (NARROW, WIDE), (1, 1)) == [288, 290]


TYPECAST = "typecast_tile<(uint32_t)DataFormat::{0}, (uint32_t)DataFormat::{1}>"


@pytest.mark.parametrize("source, target, value, expected", [
    ("Float32", "UInt16", 2.5, 3), ("Float32", "UInt16", 3.25, 3), ("Float32", "UInt16", -7, 0),
    ("Float32", "UInt16", 70000, 65535), ("Float16_b", "UInt16", 0.5, 1), ("Float16_b", "UInt16", np.inf, 65535),
    ("Float32", "UInt8", 258.75, 2), ("Float32", "UInt8", -1.5, 255), ("Float16_b", "UInt8", 0.75, 0),
])
@pytest.mark.parametrize("numerics", ["host", "device"])
def test_typecasts_of_floats_to_narrow_integers(source, target, value, expected, numerics):
    """The kernel converts the integer back, so that the result can be read as a float."""
    back = TYPECAST.format("UInt32", "Float32")
    body = COPIES + f"{TYPECAST.format(source, target)}(0); {back}(0);".replace(
        "typecast_tile<", "typecast_tile_init<1, 2>(); typecast_tile<", 1)
    modes = {**WIDE, "unpack_to_dest_mode": [ttnn.UnpackToDestMode.UnpackToDestFp32] * 3}
    assert run(body, (modes, modes), (value, 0), ttnn.float32, numerics=numerics) == [expected, expected]


@pytest.mark.parametrize("value, expected", [(7, 7), (-7, 0), (70000, 65535), (-2**31, 0)])
@pytest.mark.parametrize("numerics", ["host", "device"])
def test_typecasts_of_int32_to_uint16(value, expected, numerics):
    body = COPIES + "typecast_tile_init<8, 9>(); " + TYPECAST.format("Int32", "UInt16") + "(0);"
    assert run(body, (WIDE, WIDE), (value, 0), ttnn.int32, numerics=numerics) == [expected, expected]


@pytest.mark.parametrize("call", ["erf_tile(0)", "erf_tile<false>(0)", "elu_tile(0, 0x3f800000)"])
def test_other_polynomials_for_float32_are_refused(call):
    body = COPIES + f"{call.partition('_')[0]}_tile_init(); {call};"
    with pytest.raises(ttl.RuntimeFault, match="with INP_FLOAT32: do not define it") as caught:
        run(body, (WIDE, WIDE), (1, 1), defines=[("INP_FLOAT32", "1")])
    assert caught.value.line > 0
    run(body, (WIDE, WIDE), (1, 1), defines=[("INP_FLOAT32", "1")], numerics="host")
    run(body, (WIDE, WIDE), (1, 1))


def test_other_typecasts_are_refused():
    body = COPIES + "typecast_tile_init<1, 2>(); " + TYPECAST.format("Float16_b", "Int32") + "(0);"
    with pytest.raises(ttl.CompileError, match="the emulated device converts in registers between Float32"):
        run(body, (WIDE, WIDE), (1, 1))


VARIANTS = [f"{name}_tile<true>" for name in ("log", "log1p", "sqrt", "rsqrt", "tanh")]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_that_is_not_the_default_is_refused(variant):
    """A call without template arguments runs the other variant, whose bits are known."""
    name = variant.partition("<")[0]  # such as log_tile
    body = COPIES + f"{name}_init(); {variant}(0);"
    with pytest.raises(ttl.RuntimeFault, match=f"device numerics do not know {variant}: use {name}"):
        run(body, (WIDE, WIDE), (1, 1))
    run(body, (WIDE, WIDE), (1, 1), numerics="host")
    other = variant.replace("true", "TRUE").replace("false", "true").replace("TRUE", "false")
    plain, named = (run(COPIES + f"{name}_init(); {call}(0);", (WIDE, WIDE), (0.3, 0)) for call in (name, other))
    assert plain == named


@pytest.mark.parametrize("body, message", [
    (COPIES + "sigmoid_tile_init(); sigmoid_tile<VectorMode::RC, true>(0);", "do not know sigmoid_tile<RC, true>"),
    (COPIES + "exp_tile_init<true>(); exp_tile<true, true>(0, 4, 0x3f00);", "do not know exp_tile<true, true>"),
    (COPIES + "exp_tile_init<false>(); exp_tile<false, false, InputClamping::None>(0);", "InputClamping::None"),
    ("transpose_wh_init_short(0); transpose_wh_tile(0, 0, 0);", "only with UnpackToDestFp32"),
])
def test_what_is_not_known_is_refused(body, message):
    with pytest.raises(ttl.RuntimeFault, match=message) as caught:
        run(body, (WIDE, WIDE), (1, 1), ttnn.float32)
    assert caught.value.line > 0
    run(body, (WIDE, WIDE), (1, 1), ttnn.float32, numerics="host")


@pytest.mark.parametrize("config, message", [
    ({"math_fidelity": "HiFi5"}, r"config has math_fidelity='HiFi5': expected ttnn.MathFidelity.LoFi or"),
    ({"math_fidelity": ttnn.MathFidelity.Invalid}, "math_fidelity=<MathFidelity.Invalid"),
    ({"fp32_dest_acc_en": "yes"}, "fp32_dest_acc_en='yes': expected True or False"),
])
def test_wrong_configurations(config, message):
    with pytest.raises(ValueError, match=message) as caught:
        run(SUM, (NARROW, config), (1, 1))
    assert "kernels[3]" in str(caught.value)


@pytest.mark.parametrize("configs, expected", [
    ((NARROW, {"bfp8_pack_precise": True}), [1.03125, 1.0]),
    ((WIDE, {**WIDE, "bfp8_pack_precise": True}), [1.03125, 1.0]),
    (({"bfp8_pack_precise": True}, {"bfp8_pack_precise": True}), [1.0, 1.0]),
])
def test_precise_packing_rounds_once(configs, expected):
    """Beside a 2, 1 + 2^-7 has 5 bits of fraction. Rounding to 6 bits first gives 1 + 2^-6, which is a tie."""
    one_and_two, small = np.tile([1, 2], 32), np.tile([2.0**-7, 0], 32)
    assert run(SUM, configs, (one_and_two, small), ttnn.bfloat8_b) == expected


def test_the_configuration_names_precise_packing(tmp_path):
    script = tmp_path / "sum.py"
    script.write_text(f"""import sys
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
from {pathlib.Path(__file__).stem} import NARROW, SUM, run
run(SUM, (NARROW, {{"bfp8_pack_precise": True}}), (1, 1))
""")
    process = subprocess.run([TTL_JIT, "run", script, "--stats"], capture_output=True, text=True)
    assert process.returncode == 0 and "16-bit DST, bfp8_pack_precise" in process.stderr, process.stderr


@pytest.mark.parametrize("body", [SUM, PRODUCT])
def test_float16_is_known_in_kernels_in_cpp(body):
    """float16 results are cut to 10 bits of fraction, and no warning is given."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run(body, (NARROW, NARROW), (1, 3 * 2.0**-11), ttnn.float16)
    assert found == ([32 * 3 * 2.0**-11] * 2 if body is PRODUCT else [1 + 2.0**-10] * 2)


def test_maxima_of_float16_warn_as_in_kernels_of_the_language():
    body = "reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(0, 1, 2); " \
           "reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0); reduce_uninit();"
    with pytest.warns(ttl.NumericsWarning, match="the card's result of maxima of Float16 is not known"):
        run(body, (NARROW, NARROW), (1, 1), ttnn.float16)


def test_an_explanation_knows_the_configuration_of_each_kernel():
    """The kernel with a 16-bit DST has the error. An fp32 DST in both kernels removes it."""
    device = ttnn.open_device()
    a, b = (ttnn.from_numpy(np.full((32, 64), value, np.float32), dtype=ttnn.bfloat16, device=device)
            for value in (1, 3 * 2.0**-9))
    y = ttnn.zeros((32, 64), dtype=ttnn.bfloat16, device=device)
    found = explain(lambda: ttnn.generic_op([a, b, y], program([a, b, y], SUM, (NARROW, WIDE), ttnn.bfloat16)))
    [launch] = found.data["launches"]
    assert launch["configuration"] == "; ".join(
        f"device numerics: wormhole_b0, HiFi4, {width} DST" for width in ("16-bit", "fp32"))
    [tensor] = launch["tensors"]
    wide, narrow = 2.0**-9, 3 * 2.0**-9  # exact: 1 + 4 * 2^-9; with a 16-bit DST: 1
    assert tensor["worst"]["index"] == [0, 0] and tensor["largest"]["absolute"] == narrow
    assert tensor["mean"]["absolute"] == (wide + narrow) / 2
    settings = {each["setting"]: each["mean"]["absolute"] for each in tensor["settings"]}
    assert settings["fp32_dest_acc_en=True"] == wide and settings["fp32_dest_acc_en=False"] == narrow


def test_the_option_replaces_the_configurations():
    found = run(SUM, (NARROW, NARROW), (1, 3 * 2.0**-9), compute_config="fp32_dest_acc_en=on")
    assert found == [1.0078125, 1.0078125]
