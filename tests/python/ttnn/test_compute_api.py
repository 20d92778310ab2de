# SPDX-License-Identifier: Apache-2.0
"""Functions of Metalium's compute API that emitted C++ does not call, compared with numpy."""

import numpy as np
import pytest
import ttl
import ttnn

CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CORE = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
READER = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  for (uint32_t i = 0; i < 2; ++i) {
    TensorAccessor x(args, get_common_arg_val<uint32_t>(i), 4096);
    for (uint32_t page = 0; page < PAGES; ++page) {
      cb_reserve_back(i, 1);
      noc_async_read_page(page, x, get_write_ptr(i));
      noc_async_read_barrier();
      cb_push_back(i, 1);
    }
  }
}
"""
WRITER = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  TensorAccessor y(args, get_common_arg_val<uint32_t>(2), 4096);
  for (uint32_t page = 0; page < PAGES; ++page) {
    cb_wait_front(2, 1);
    noc_async_write_page(page, y, get_read_ptr(2));
    noc_async_write_barrier();
    cb_pop_front(2, 1);
  }
}
"""
COMPUTE = """
#include "compute_kernel_api.h"

void kernel_main() {
  START;
  cb_wait_front(0, PAGES);
  cb_wait_front(1, PAGES);
  cb_reserve_back(2, PAGES);
  BODY
  cb_push_back(2, PAGES);
}
"""
SECTION = """
  tile_regs_acquire();
  MATH
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 2);
  tile_regs_release();
"""


def run(a, b, body, start="compute_kernel_hw_startup(0, 1, 2)", pages=1, dtype=ttnn.float32, modes=()):
    """Runs a kernel on tensors that are rows of `pages` tiles. Buffers 0, 1 and 2 are a, b and y."""
    config = ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True)
    config.unpack_to_dest_mode = modes
    device = ttnn.open_device()
    a, b = (ttnn.from_numpy(each, dtype=dtype, device=device) for each in (a, b))
    y = ttnn.zeros(a.shape, dtype=dtype, device=device)
    common = [tensor.buffer_address() for tensor in (a, b, y)]
    texts = {ttnn.ReaderConfigDescriptor(): READER, ttnn.WriterConfigDescriptor(): WRITER,
             config: COMPUTE}
    kernels = [ttnn.KernelDescriptor(
        kernel_source=text.replace("START", start).replace("BODY", body).replace("PAGES", str(pages)),
        source_type=CODE, core_ranges=CORE, config=config, common_runtime_args=common,
        compile_time_args=ttnn.TensorAccessorArgs(a).get_compile_time_args())
        for config, text in texts.items()]
    buffers = [ttnn.CBDescriptor(4096 * pages, CORE, [ttnn.CBFormatDescriptor(i, dtype, 4096)])
               for i in range(3)]
    program = ttnn.ProgramDescriptor(kernels=kernels, cbs=buffers)
    return ttnn.to_numpy(ttnn.generic_op([a, b, y], program))


def math(text):
    return SECTION.replace("MATH", text)


RANDOM = np.random.default_rng(5)
A, B = (RANDOM.standard_normal((32, 32), dtype=np.float32) for _ in range(2))
A[0, :4] = np.inf, -np.inf, np.nan, 0
COPY = "copy_tile_init(0); copy_tile(0, 0, 0); "
REUSE = "EltwiseBinaryReuseDestType::DEST_TO_SRC"

EXACT = {
    "add_bcast_rows_init_short(0, 1); add_tiles_bcast_rows(0, 1, 0, 0, 0);": A + B[:1],
    "sub_bcast_cols_init_short(0, 1); sub_tiles_bcast_cols(0, 1, 0, 0, 0);": A - B[:, :1],
    "mul_tiles_bcast_scalar_init_short(0, 1); mul_tiles_bcast_scalar(0, 1, 0, 0, 0);": A * B[0, 0],
    "bcast_init<ELWSUB, BroadcastType::ROW>(0, 1); sub_tiles_bcast<BroadcastType::ROW>(0, 1, 0, 0, 0);":
        A - B[:1],
    COPY + f"binary_dest_reuse_tiles_init<ELWSUB, {REUSE}A>(1); "
           f"binary_dest_reuse_tiles<ELWSUB, {REUSE}A>(1, 0, 0);": A - B,
    COPY + f"sub_reuse_dest_init<{REUSE}B>(1); sub_reuse_dest_tiles<{REUSE}B>(1, 0, 0);": B - A,
    COPY + f"mul_reuse_dest_init<{REUSE}A>(1); mul_reuse_dest_tiles<{REUSE}A>(1, 0, 0);": A * B,
    "add_init(0, 1); add_tiles(0, 1, 0, 0, 0);": A + B,
    "binary_tiles_init<true, ELWMUL>(0, 1); mul_tiles(0, 1, 0, 0, 0);": A * B,
    "mul_tiles_init(0, 1, 1); mul_tiles(0, 1, 0, 0, 0);": A * B,
    "sub_tiles_init(0, 1); binary_tiles_init<false, ELWADD>(0, 1); add_tiles(0, 1, 0, 0, 0);": A + B,
    "copy_init(0); copy_block(0, 0, 0, 1);": A,
    "transpose_init(1); transpose_tile(1, 0, 0);": B.T,
    COPY + "copy_tile_to_dst_init_short_with_dt(0, 1); copy_tile(1, 0, 1); rsub_binary_tile_init(); "
           "rsub_binary_tile(0, 1, 0);": B - A,
    COPY + "rsub_tile_init(); rsub_tile(0, 0x40000000);": np.float32(2) - A,
    COPY + "rdiv_tile_init(); rdiv_tile(0, 0x40000000);": np.float32(2) / A,
    COPY + "rdiv_tile_init(); rdiv_tile<RoundingMode::Floor>(0, 0x40000000);":
        np.floor(np.float32(2) / A),
    COPY + "isposinf_tile_init(); isposinf_tile(0);": np.isposinf(A),
    COPY + "isneginf_tile_init(); isneginf_tile(0);": np.isneginf(A),
    COPY + "isfinite_tile_init(); isfinite_tile(0);": np.isfinite(A),
    COPY + "logical_not_tile_init(); logical_not_tile<DataFormat::Float32>(0);": A == 0,
    COPY + "hardtanh_tile_init(); hardtanh_tile(0, 0xbf800000, 0x3f800000);": np.clip(A, -1, 1),
    COPY + "prelu_tile_init(); prelu_tile(0, 0x3e800000);": np.where(A < 0, A * np.float32(0.25), A),
    COPY + "identity_tile_init(); identity_tile(0);": A,
    COPY + "heaviside_tile_init(); heaviside_tile(0, 0x3e800000);":
        np.where(A < 0, 0, np.where(A > 0, 1, np.float32(0.25))),
    COPY + "softshrink_tile_init(); softshrink_tile(0, 0x3f000000);":
        np.where(A > 0.5, A - np.float32(0.5), np.where(A < -0.5, A + np.float32(0.5), 0)),
    COPY + "hardshrink_tile_init(); hardshrink_tile(0, 0x3f000000);": np.where(np.abs(A) > 0.5, A, 0),
    COPY + "copy_tile(1, 0, 1); div_binary_tile_init(); div_no_nan_binary_tile(1, 0, 0);":
        np.where(A == 0, 0, B / A),
    "fill_tile_init(); fill_tile_bitcast(0, 0x40490fdb);": np.full((32, 32), np.float32(np.pi)),
    COPY + "fmod_tile_init(0x3e800000, 0x40800000); fmod_tile(0, 0x3e800000, 0x40800000);":
        np.fmod(A, np.float32(0.25)),
    COPY + "fmod_tile_init(0x3e800000, 0x40800000); fmod_tile(0);": np.fmod(A, np.float32(0.25)),
    COPY + "remainder_tile_init(0xbe800000, 0xc0800000); remainder_tile(0);": np.remainder(A, np.float32(-0.25)),
    COPY + "copy_tile(1, 0, 1); fmod_binary_tile_init(); fmod_binary_tile(0, 1, 0);": np.fmod(A, B),
    COPY + "copy_tile(1, 0, 1); remainder_binary_tile_init(); remainder_binary_tile(0, 1, 0);": np.remainder(A, B),
    COPY + "copy_tile(1, 0, 1); max_tile_init(); max_tile(0, 1);": np.maximum(A, B),
    "copy_tile_init(1); copy_tile(1, 0, 0); cumsum_tile_init(); cumsum_tile(0);":
        np.cumsum(B, axis=0, dtype=np.float32),
    "add_bcast_cols_init_short(0, 1); any_tiles_bcast<ELWADD, BroadcastType::COL>(0, 1, 0, 0, 0);": A + B[:, :1],
    "add_tiles_init(); add_tiles(0, 1, 0, 0, 0);": A + B,
    "MATH((llk_math_eltwise_binary_init<ELWSUB, BroadcastType::ROW, MATH_FIDELITY>())); "
    "UNPACK((llk_unpack_AB_init<BroadcastType::ROW>(0, 1))); sub_tiles_bcast<BroadcastType::ROW>(0, 1, 0, 0, 0);":
        A - B[:1],
    COPY + "logical_not_unary_tile_init(); logical_not_unary_tile(0);": A == 0,
}


@pytest.mark.parametrize("body", EXACT)
def test_floats(body):
    with np.errstate(all="ignore"):
        assert np.array_equal(run(A, B, math(body)), np.float32(EXACT[body]), equal_nan=True)


def test_exponential_with_a_factor():
    body = math(COPY + "exp_tile_init<true>(); exp_tile<true, true>(0, 4, 0x3f00);")  # 0.5 as bfloat16
    np.testing.assert_allclose(run(B, B, body), np.exp(B * np.float32(0.5)), rtol=2.5e-7)


# A rounded logarithm or power, and then a rounded product: each rounding adds an error of 1 ulp.
def test_functions_of_two_roundings():
    positive = np.abs(B) + np.float32(0.5)
    found = run(positive, B, math(COPY + "log_with_base_tile_init(); log_with_base_tile(0, 0x3fb8aa3b);"))
    np.testing.assert_allclose(found, np.log2(positive), rtol=3e-7, atol=1e-7)
    found = run(B, B, math(COPY + "rpow_tile_init(); rpow_tile(0, 0x40400000);"))
    np.testing.assert_allclose(found, np.float32(3) ** B, rtol=3e-7)


I, J = (RANDOM.integers(-1000, 1000, (32, 32), dtype=np.int32) for _ in range(2))
INTEGERS = {
    "binop_with_scalar_tile_init(); add_unary_tile_int32(0, 7);": I + 7,
    "binop_with_scalar_tile_init(); sub_unary_tile_int32(0, 7);": I - 7,
    "rsub_tile_init(); rsub_unary_int32_tile(0, 7);": 7 - I,
    "unary_max_int32_tile_init(); unary_max_int32_tile(0, -7);": np.maximum(I, -7),
    "unary_min_int32_tile_init(); unary_min_int32_tile(0, 7);": np.minimum(I, 7),
    "unary_eq_tile_init(); unary_eq_tile_int32(0, 7);": I == 7,
    "eqz_tile_init(); eqz_tile_int32(0);": I == 0,
    "relu_tile_init(); relu_tile_int32(0);": np.maximum(I, 0),
    "negative_tile_init(); negative_tile_int32(0);": -I,
    "signbit_tile_int32_init(); signbit_tile_int32(0);": I < 0,
    "clamp_tile_init(); clamp_tile_int32(0, -5, 9);": np.clip(I, -5, 9),
    "nez_tile_init(); nez_tile_int32(0);": I != 0,
    "ltz_tile_init(); ltz_tile_int32(0);": I < 0,
    "gtz_tile_init(); gtz_tile_int32(0);": I > 0,
    "lez_tile_init(); lez_tile_int32(0);": I <= 0,
    "gez_tile_init(); gez_tile_int32(0);": I >= 0,
    "unary_ne_tile_init(); unary_ne_tile_int32(0, 7);": I != 7,
    "unary_lt_tile_init(); unary_lt_tile_int32(0, -7);": I < -7,
    "unary_ge_tile_init(); unary_ge_tile_int32(0, -7);": I >= -7,
    "bitwise_and_tile_init(); bitwise_and_tile<DataFormat::Int32>(0, 0xf0);": I & 0xf0,
    "bitwise_or_tile_init(); bitwise_or_tile<DataFormat::Int32>(0, 0xf0);": I | 0xf0,
    "bitwise_xor_tile_init(); bitwise_xor_tile<DataFormat::Int32>(0, 0xf0);": I ^ 0xf0,
    "bitwise_not_tile_init(); bitwise_not_tile(0);": ~I,
    "left_shift_tile_init(); left_shift_tile<DataFormat::Int32>(0, 3);": I << 3,
    "left_shift_tile_init(); left_shift_tile<DataFormat::Int32>(0, 32);": 0 * I,
    "right_shift_tile_init(); right_shift_tile<DataFormat::Int32>(0, 3);": I >> 3,
    "right_shift_tile_init(); right_shift_tile<DataFormat::Int32>(0, 40);": np.where(I < 0, -1, 0),
    "right_shift_tile_init(); right_shift_tile<DataFormat::UInt32>(0, 3);": (I.view(np.uint32) >> 3).view(np.int32),
    "abs_tile_init(); abs_tile_int32(0);": np.abs(I),
}
BOTH = "copy_tile(1, 0, 1); "
INTEGER_PAIRS = {
    "binary_bitwise_tile_init(); bitwise_and_binary_tile(0, 1, 0);": I & J,
    "gt_int32_tile_init(); gt_int32_tile(0, 1, 0);": I > J,
    "ge_int32_tile_init(); ge_int32_tile(0, 1, 0);": I >= J,
    "rsub_int_tile_init(); rsub_int_tile(0, 1, 0);": J - I,
    "nez_tile_init(); nez_tile_uint32(0);": I != 0,
    "binary_shift_tile_init(); binary_logical_right_shift_tile<DataFormat::UInt32>(0, 1, 0);":
        (I.view(np.uint32) >> (J & 7).view(np.uint32)).view(np.int32),
    "binary_bitwise_tile_init(); bitwise_or_binary_tile(0, 1, 0);": I | J,
    "binary_bitwise_tile_init(); bitwise_xor_binary_tile(0, 1, 0);": I ^ J,
    "binary_shift_tile_init(); binary_left_shift_tile<DataFormat::Int32>(0, 1, 0);": I << (J & 7),
    "binary_shift_tile_init(); binary_right_shift_tile<DataFormat::Int32>(0, 1, 0);": I >> (J & 7),
}


@pytest.mark.parametrize("body", INTEGERS)
def test_integers(body):
    found = run(I, J, math(COPY + body), dtype=ttnn.int32)
    assert np.array_equal(found, np.int32(INTEGERS[body]))


@pytest.mark.parametrize("body", INTEGER_PAIRS)
def test_pairs_of_integers(body):
    other = J & 7 if "shift" in body else J
    assert np.array_equal(run(I, other, math(COPY + BOTH + body), dtype=ttnn.int32), np.int32(INTEGER_PAIRS[body]))


def test_products_of_blocks():
    a, b = (RANDOM.integers(-4, 4, (32, 64)).astype(np.float32) for _ in range(2))
    body = """
      mm_block_init_short(0, 1, 0, 2, 1, 2);
      tile_regs_acquire();
      matmul_block(0, 1, 0, 0, 0, 0, 2, 1, 2);
      tile_regs_commit(); tile_regs_wait(); pack_block(0, 2, 2); tile_regs_release();"""
    start = "compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 2)"
    assert np.array_equal(run(a, b, body, start, pages=2), a[:, :32] @ b)


def tiles_as_rows(values):
    """Returns the bytes of a row of tiles, read as if they were rows."""
    faces = values.reshape(2, 16, -1, 2, 16).transpose(2, 0, 3, 1, 4)
    return faces.reshape(values.shape)


@pytest.mark.parametrize("name", ["tilize", "fast_tilize"])
def test_tilize_and_untilize_undo_each_other(name):
    values = RANDOM.standard_normal((32, 96), dtype=np.float32)
    body = f"{name}_init(0, 3, 2); {name}_block(0, 3, 2); {name}_uninit(0, 2);"
    tilized = run(values, values, body, pages=3)
    # The input's pages are tiles already, so tilizing reads their bytes as rows.
    assert np.array_equal(tilized, tiles_as_rows(values))
    for back in ("untilize_init(0); untilize_block<1>(0, 3, 2); untilize_uninit(0);",
                 "pack_untilize_init<3>(0, 2); pack_untilize_block<3>(0, 1, 2); pack_untilize_uninit(2);"):
        assert np.array_equal(run(tilized, tilized, back, pages=3), values)


def test_values_of_tiles_in_l1(capfd):
    run(A, B, math(COPY) + 'DPRINT << HEX() << read_tile_value(1, 0, 1) << ENDL();')
    assert capfd.readouterr().out == f"(0, 0) compute: {B.view(np.uint32)[0, 1]:x}\n"


MISTAKES = {
    COPY + "exp_tile_init(); exp_tile<true>(0);":
        "exp_tile: the vector unit is set up by exp_tile_init; call exp_tile_init<true> before",
    COPY + "exp_tile_init(); exp_tile<false>(0, 1);": "the mode must be RC",
    "add_tiles_init(0, 1, true); add_tiles(0, 1, 0, 0, 0);": "add it with add_binary_tile",
    "sub_init(0, 1, true); sub_tiles(0, 1, 0, 0, 0);": "add it with add_binary_tile",
    COPY + "binary_tiles_init<false, ELWMUL>(0, 1); mul_tiles(0, 1, 0, 0, 0);":
        "binary_tiles_init<false>: the unpackers are set up for copy_tile, and it leaves them so",
    "mm_block_init_short(0, 1, 0, 2, 1, 2); matmul_block(0, 1, 0, 0, 0, 0, 1, 1, 2);":
        "matmul_tiles of blocks with ct_dim 1, rt_dim 1, kt_dim 2: the units are set up for matmul_tiles of "
        "blocks with ct_dim 2, rt_dim 1, kt_dim 2",
    "mm_block_init_short(0, 1, 0, 2, 0, 2);": "dimension of 0 tiles",
    "mm_init_short(0, 1); matmul_tiles(0, 1, 0, 0, 0, 1);": "does not transpose",
    "mm_init_short(0, 1, 1);": "does not transpose",
    COPY + "remainder_tile_init(1, 1); fmod_tile(0, 1, 1);":
        "fmod_tile: the vector unit is set up by remainder_tile_init; call fmod_tile_init before",
    COPY + "recip_tile_init(); recip_tile<false>(0, VectorMode::C);": "the mode must be RC",
    "release_dst();": "acquire_dst has acquired no DST section",
    "copy_tile_to_dst_init_short(0, 1);": "use transpose_wh_tile",
    "add_bcast_rows_init_short(0, 1); sub_tiles_bcast_rows(0, 1, 0, 0, 0);":
        "sub_tiles with BroadcastType::ROW: the units are set up for add_tiles with BroadcastType::ROW",
    "add_tiles_init(0, 1); add_tiles_bcast_rows(0, 1, 0, 0, 0);": "set up for add_tiles; call",
    "add_bcast_rows_init_short(0, 1); add_tiles_bcast_rows(0, 1, 0, 0, 0, 3);": "row 0",
}


@pytest.mark.parametrize("body", MISTAKES)
def test_mistakes(body):
    with pytest.raises(ttl.RuntimeFault, match=MISTAKES[body]):
        run(A, B, math(body))


DEFAULT, TO_DST = ttnn.UnpackToDestMode.Default, ttnn.UnpackToDestMode.UnpackToDestFp32
MODE_MISTAKES = {
    COPY + "copy_tile_init(1); copy_tile(1, 0, 1);":
        "'cb 1' has the format Float32 unpacked to SrcA as TF32, but SrcA is configured for Float32 unpacked to DST; "
        "call reconfig_data_format_srca",
    "add_tiles_init(0, 1); add_tiles(0, 1, 0, 0, 0);":
        "'cb 0' has UnpackToDestFp32, so its tiles do not reach the matrix engine; read them through a second buffer",
}


@pytest.mark.parametrize("body", MODE_MISTAKES)
def test_mistakes_with_unpack_modes(body):
    with pytest.raises(ttl.RuntimeFault, match=MODE_MISTAKES[body]):
        run(A, B, math(body), modes=[TO_DST, DEFAULT, DEFAULT])


def test_unpack_modes():
    body = COPY + "reconfig_data_format_srca(1); copy_tile_init(1); copy_tile(1, 0, 1); " \
                  "add_binary_tile_init(); add_binary_tile(0, 1, 0);"
    assert np.array_equal(run(A, B, math(body), modes=[TO_DST]), A + B, equal_nan=True)
    with pytest.raises(TypeError, match="expected ttnn.UnpackToDestMode"):
        run(A, B, math(body), modes=[1])


BLOCK_MISTAKES = {
    "tilize_init(0, 2, 2); tilize_block(0, 3, 2);": "tilize_block of 3 tiles: the units are set up for tilize_block of "
                                                    "2",
    "tilize_init(0, 3, 2); fast_tilize_block(0, 3, 2);": "call tilize_uninit before",
    "untilize_init(0); untilize_uninit(0); pack_untilize_block<3>(0, 1, 2);": "call pack_untilize_init of 3 tiles "
                                                                              "before",
    "pack_untilize_init<3>(0, 2); pack_untilize_block<3>(0, 1, 2, 1);": "untilizes whole rows of tiles",
}


@pytest.mark.parametrize("body", BLOCK_MISTAKES)
def test_mistakes_with_blocks(body):
    values = np.zeros((32, 96), np.float32)
    with pytest.raises(ttl.RuntimeFault, match=BLOCK_MISTAKES[body]):
        run(values, values, body, pages=3)


def test_tilizing_more_than_there_is():
    with pytest.raises(ttl.ProtocolError, match="reads 12288 bytes of 'cb 0', but the thread has waited"):
        run(A, B, "tilize_init(0, 3, 2); tilize_block(0, 3, 2); tilize_uninit(0, 2);")
