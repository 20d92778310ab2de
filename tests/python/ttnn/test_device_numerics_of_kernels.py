# SPDX-License-Identifier: Apache-2.0
"""ttnn.generic_op with --numerics=device: each compute kernel computes as its own configuration says."""

import os
import pathlib
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


def program(tensors, body, configs, dtype):
    """A kernel on each of two cores, with the tile of its number."""
    size = {ttnn.bfloat16: 2048, ttnn.float16: 2048, ttnn.float32: 4096, ttnn.bfloat8_b: 1088, ttnn.uint16: 2048}[dtype]
    fields = {"source_type": CODE, "common_runtime_args": [tensor.buffer_address() for tensor in tensors],
              "compile_time_args": ttnn.TensorAccessorArgs(tensors[0]).get_compile_time_args(),
              "runtime_args": [(core, [core.x]) for core in BOTH.cores()]}
    kernels = [ttnn.KernelDescriptor(kernel_source=text.replace("BYTES", str(size)), core_ranges=BOTH, config=config,
                                     **fields)
               for text, config in ((READER, ttnn.ReaderConfigDescriptor()), (WRITER, ttnn.WriterConfigDescriptor()))]
    del fields["runtime_args"]
    kernels += [ttnn.KernelDescriptor(kernel_source=COMPUTE.replace("BODY", body), core_ranges=core,
                                      config=ttnn.ComputeConfigDescriptor(**config), **fields)
                for core, config in zip(CORES, configs)]
    cbs = [ttnn.CBDescriptor(size, BOTH, [ttnn.CBFormatDescriptor(i, dtype, size)]) for i in range(3)]
    return ttnn.ProgramDescriptor(kernels=kernels, cbs=cbs)


def run(body, configs, values, dtype=ttnn.bfloat16, **options):
    """The first element of each core's tile."""
    with ttl.options(**{"numerics": "device", **options}):
        device = ttnn.open_device()
        a, b = (ttnn.from_numpy(np.full((32, 64), value, np.float32), dtype=dtype, device=device) for value in values)
        y = ttnn.zeros((32, 64), dtype=dtype, device=device)
        result = ttnn.to_numpy(ttnn.generic_op([a, b, y], program([a, b, y], body, configs, dtype)))
    return [float(result[0, 0]), float(result[0, 32])]


@pytest.mark.parametrize("configs, expected", [
    ((NARROW, NARROW), [1.0, 1.0]),
    ((WIDE, WIDE), [1.0078125, 1.0078125]),
    ((NARROW, WIDE), [1.0, 1.0078125]),
    ((WIDE, NARROW), [1.0078125, 1.0]),
])
def test_each_kernel_has_its_own_width_of_dst(configs, expected):
    """1 + 3 * 2^-9: a 16-bit DST cuts the sum, and the packer rounds that of an fp32 DST."""
    assert run(SUM, configs, (1, 3 * 2.0**-9)) == expected
    assert run(SUM, configs, (1, 3 * 2.0**-9), numerics="host") == [1.0078125, 1.0078125]


def test_each_kernel_has_its_own_fidelity():
    """LoFi sees 5 bits of the second factor's significand."""
    fidelities = [{"math_fidelity": fidelity, **WIDE} for fidelity in (ttnn.MathFidelity.LoFi, ttnn.MathFidelity.HiFi4)]
    assert run(PRODUCT, fidelities, (1, 1 + 2.0**-5)) == [32, 33]


def test_each_kernel_has_its_own_number_of_registers():
    """Of 16 registers a kernel with dst_full_sync_en has all, and with an fp32 DST a half."""
    body = COPIES + "copy_tile(0, 0, {0});"
    full = {"dst_full_sync_en": True}
    run(body.format(15), (full, full), (1, 1))
    run(body.format(7), (full, NARROW), (1, 1))
    with pytest.raises(ttl.RuntimeFault, match="DST register 4 does not exist; this kernel has 4") as caught:
        run(body.format(4), (NARROW, WIDE), (1, 1))
    assert tuple(caught.value.node) == (1, 0) and caught.value.line > 0


def test_copies_without_a_mode_of_their_own_pass_a_source_register():
    """A float32 tile reaches an fp32 DST as TF32, unless its buffer has UnpackToDestFp32."""
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
    call = "softcap_tile(0, 0x40000000, 0x3f000000);"  # 2 and 1/2
    body = COPIES + f"softcap_tile_init();\n  {call}\n  {call}"
    with pytest.warns(ttl.NumericsWarning) as caught:
        run(body, (NARROW, NARROW), (1.5, 0))
    (warning,) = [each.message for each in caught if issubclass(each.category, ttl.NumericsWarning)]
    assert "the card's result of 'softcap' is not known" in str(warning)
    assert warning.line == COMPUTE[:COMPUTE.index("BODY")].count("\n") + 2
    with pytest.raises(ttl.RuntimeFault, match="--strict: the card's result of 'softcap' is not known") as fault:
        run(body, (NARROW, NARROW), (1.5, 0), strict=True)
    assert fault.value.line == warning.line


FORMATS = "<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::UInt32>"
WIDEN = f"typecast_tile_init{FORMATS}(); typecast_tile{FORMATS}(0); typecast_tile{FORMATS}(1); "
ADD_INTS = "add_int_tile_init(); add_int_tile<DataFormat::UInt32>(0, 1, 0);"


def test_uint16_is_widened_before_integers_are_computed():
    """The unpacker writes 16 bits of a register."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(COPIES + WIDEN + ADD_INTS, (WIDE, WIDE), (40000, 7), ttnn.uint16) == [40007, 40007]
        assert run(COPIES, (WIDE, WIDE), (40000, 7), ttnn.uint16) == [40000, 40000]
    with pytest.warns(ttl.NumericsWarning, match="'add_int' of UInt16 that no typecast_tile widened"):
        run(COPIES + ADD_INTS, (WIDE, WIDE), (40000, 7), ttnn.uint16)
    moved = "copy_dest_values_init(); copy_dest_values<DataFormat::UInt32>(0, 2); " + ADD_INTS.replace("(0, 1, 0)", "(2, 1, 0)")
    with pytest.warns(ttl.NumericsWarning, match="'add_int' of UInt16 that no typecast_tile widened"):
        run(COPIES + moved, (WIDE, WIDE), (40000, 7), ttnn.uint16)


def test_known_operations_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(SUM, (NARROW, WIDE), (1, 2))


VARIANTS = [*(f"{name}_tile<false>" for name in ("gelu", "erf", "erfc", "recip")),
            *(f"{name}_tile<true>" for name in ("log", "log1p", "sqrt", "rsqrt", "tanh"))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_that_is_not_the_default_is_refused(variant):
    """A call without template arguments runs the other one of the two, whose bits are known."""
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
    """1 + 2^-7 beside 2, in a row with 5 bits of fraction for it: 6 bits first give 1 + 2^-6, a tie."""
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
    """Halves are cut to 10 bits of fraction; nothing warns."""
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
    """The kernel with a 16-bit DST has the error; an fp32 DST in both removes it."""
    device = ttnn.open_device()
    a, b = (ttnn.from_numpy(np.full((32, 64), value, np.float32), dtype=ttnn.bfloat16, device=device)
            for value in (1, 3 * 2.0**-9))
    y = ttnn.zeros((32, 64), dtype=ttnn.bfloat16, device=device)
    found = explain(lambda: ttnn.generic_op([a, b, y], program([a, b, y], SUM, (NARROW, WIDE), ttnn.bfloat16)))
    [launch] = found.data["launches"]
    assert launch["configuration"] == "; ".join(
        f"device numerics: wormhole_b0, HiFi4, {width} DST" for width in ("16-bit", "fp32"))
    [tensor] = launch["tensors"]
    wide, narrow = 2.0**-9, 3 * 2.0**-9  # 1 + 4 * 2^-9 and 1
    assert tensor["worst"]["index"] == [0, 0] and tensor["largest"]["absolute"] == narrow
    assert tensor["mean"]["absolute"] == (wide + narrow) / 2
    settings = {each["setting"]: each["mean"]["absolute"] for each in tensor["settings"]}
    assert settings["fp32_dest_acc_en=True"] == wide and settings["fp32_dest_acc_en=False"] == narrow


def test_the_option_replaces_the_configurations():
    found = run(SUM, (NARROW, NARROW), (1, 3 * 2.0**-9), compute_config="fp32_dest_acc_en=on")
    assert found == [1.0078125, 1.0078125]
