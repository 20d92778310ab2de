# SPDX-License-Identifier: Apache-2.0
"""--numerics=device: kernels give the same bits as on the card, on every engine."""

import os
import pathlib
import subprocess

import numpy as np
import pytest
import ttl
import ttnn

pytestmark = pytest.mark.not_emitted("these tests choose engines and stages themselves")

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build"))
TTL_JIT = BUILD / "bin" / "ttl-jit"
ENGINES = (
    {"engine": "jit"},
    {"engine": "jit", "opt_level": 3, "tile_loops": "off"},
    {"engine": "jit", "host_cpu": "x86-64-v2"},
    {"engine": "interp"},
    {"engine": "interp", "stage": "loops"},
    {"engine": "emitted"},
    {"engine": "auto", "schedule": "random", "seed": 3},
)


def bf16(x):
    """Rounds to bfloat16, half to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


def bits_of(array):
    return np.ascontiguousarray(array, np.float32).view(np.uint32)


def inputs(count, shape=(64, 64), seed=0):
    rng = np.random.default_rng(seed)
    return [bf16(rng.standard_normal(shape, dtype=np.float32)) for _ in range(count)]


def unary(function, out_type, **options):
    """Returns an operation that stores function(block) for each tile of a."""

    @ttl.operation(grid=(1, 1), **options)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.compute()
        def compute():
            for _ in range((a.shape[0] // 32) * (a.shape[1] // 32)):
                with a_dfb.wait() as x, y_dfb.reserve() as out:
                    out.store(function(x))

        @ttl.datamovement()
        def reader():
            for row in range(a.shape[0] // 32):
                for column in range(a.shape[1] // 32):
                    with a_dfb.reserve() as block:
                        ttl.copy(a[row, column], block).wait()

        @ttl.datamovement()
        def writer():
            for row in range(a.shape[0] // 32):
                for column in range(a.shape[1] // 32):
                    with y_dfb.wait() as block:
                        ttl.copy(block, y[row, column]).wait()

    return op


def blocks(function, rows=1, columns=1, added=None, **options):
    """Returns an operation on one node that stores function(x, z) of two blocks. If `added` is given,
    it then adds added(x, z) to the stored block in L1."""

    @ttl.operation(grid=(1, 1), **options)
    def op(a, b, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(a.shape[0] // 32, a.shape[1] // 32), block_count=1)
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(b.shape[0] // 32, b.shape[1] // 32), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(rows, columns), block_count=1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, b_dfb.wait() as z, y_dfb.reserve() as out:
                out.store(function(x, z))
                if added:
                    out.store(added(x, z), acc=True)

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as x, b_dfb.reserve() as z:
                ttl.copy(a[:, :], x).wait()
                ttl.copy(b[:, :], z).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[:, :]).wait()

    return op


def launch(op, arrays, out_type, shape, formats=None, **options):
    """Launches as elements() does. Returns the result as float32."""
    return elements(op, arrays, out_type, shape, formats, **options).astype(np.float32)


def elements(op, arrays, out_type, shape, formats=None, **options):
    """Launches `op` on tensors of `arrays` with --numerics=device. Returns the output as an array."""
    with ttl.options(**{"numerics": "device", **options}):
        device = ttnn.open_device(device_id=0)
        formats = formats or [ttnn.bfloat16] * len(arrays)
        tensors = [
            ttnn.from_numpy(array, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)
            for array, dtype in zip(arrays, formats)
        ]
        y = ttnn.empty(shape, dtype=out_type, layout=ttnn.TILE_LAYOUT, device=device)
        op(*tensors, y)
        result = np.array(ttnn.to_numpy(y))
        ttnn.close_device(device)
    return result


def on_every_engine(op, arrays, out_type, shape, formats=None, engines=ENGINES, **options):
    """Launches on each engine, checks that all results have the same bits, and returns one."""
    results = [launch(op, arrays, out_type, shape, formats, **options, **engine) for engine in engines]
    for engine, result in zip(engines, results):
        differs = np.flatnonzero(bits_of(result) != bits_of(results[0]))
        assert differs.size == 0, f"{engine}: {differs.size} elements differ, first {differs[0]}"
    return results[0]


def test_a_sum_in_a_16_bit_register_is_cut():
    """The vector engine adds in fp32, and its store to a 16-bit DST truncates."""
    a, b = inputs(2)
    got = on_every_engine(blocks(lambda x, z: x + z, 2, 2), (a, b), ttnn.bfloat16, a.shape)
    exact = a + b
    assert np.array_equal(bits_of(got), bits_of(exact) & 0xFFFF0000)


def test_a_product_in_a_16_bit_register_is_rounded_to_even():
    a, b = inputs(2)
    got = on_every_engine(blocks(lambda x, z: x * z, 2, 2), (a, b), ttnn.bfloat16, a.shape)
    assert np.array_equal(bits_of(got), bits_of(bf16(a * b)))


def test_the_packer_rounds_halves_away():
    """With an fp32 DST only the packer rounds: a number halfway between two goes away from zero."""
    a, b = inputs(2)
    op = blocks(lambda x, z: x + z, 2, 2, fp32_dest_acc_en=True)
    got = on_every_engine(op, (a, b), ttnn.bfloat16, a.shape)
    away = (bits_of(a + b) + 0x8000) & 0xFFFF0000
    assert np.array_equal(bits_of(got), away)


def test_a_chain_rounds_at_each_call():
    (a,) = inputs(1)
    op = unary(lambda x: x * 3.0 + 0.125, ttnn.bfloat16)
    got = on_every_engine(op, (a,), ttnn.bfloat16, a.shape)
    cut = lambda x: (bits_of(x) & 0xFFFF0000).view(np.float32)
    assert np.array_equal(bits_of(got), bits_of(cut(cut(a * np.float32(3)) + np.float32(0.125))))


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("fidelity", ["LoFi", "HiFi2", "HiFi3", "HiFi4"])
@pytest.mark.parametrize("wide", [False, True])
def test_products_of_matrices(arch, fidelity, wide):
    a, b = inputs(2)
    op = blocks(lambda x, z: x @ z, 2, 2, math_fidelity=fidelity, fp32_dest_acc_en=wide)
    engines = ENGINES if fidelity == "HiFi4" else ({"engine": "jit"}, {"engine": "interp", "stage": "loops"})
    got = on_every_engine(
        op, (a, b), ttnn.float32 if wide else ttnn.bfloat16, a.shape, engines=engines, arch=arch
    )
    exact = a.astype(np.float64) @ b.astype(np.float64)
    magnitude = np.abs(a).astype(np.float64) @ np.abs(b)
    allowed = {"LoFi": 2**-4, "HiFi2": 2**-6, "HiFi3": 2**-11, "HiFi4": 2**-11}[fidelity]
    assert np.all(np.abs(got - exact) <= magnitude * (allowed if wide else max(allowed, 2**-5)))


def test_fidelity_changes_bits():
    a, b = inputs(2)
    results = [
        launch(blocks(lambda x, z: x @ z, 2, 2, math_fidelity=fidelity, fp32_dest_acc_en=True), (a, b),
               ttnn.float32, a.shape)
        for fidelity in ("LoFi", "HiFi2", "HiFi3", "HiFi4")
    ]
    errors = [np.abs(result - a.astype(np.float64) @ b).max() for result in results]
    assert errors[0] > 4 * errors[1] > 0 and errors[1] > 4 * errors[2]


def test_inf_times_zero_is_zero_in_a_product_of_matrices():
    """The matrix engine treats infinity as a large finite number, so inf * 0 is 0."""
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    a[0, 0] = np.inf
    b[1, 1] = 1
    got = on_every_engine(blocks(lambda x, z: x @ z), (a, b), ttnn.bfloat16, a.shape)
    assert np.array_equal(bits_of(got), bits_of(np.zeros((32, 32))))


@pytest.mark.parametrize("arch, expected", [("wormhole_b0", 0xC1800000), ("blackhole", 0xB4000000)])
def test_wormhole_misplaces_a_sum_of_minus_one_ulp(arch, expected):
    """The first tile of k sums to -(1 + 2^-23), the second to 1. Wormhole adds them with a wrong exponent."""
    a = np.zeros((32, 64), np.float32)
    b = np.zeros((64, 32), np.float32)
    a[0, 0], b[0, 0] = -1, 1
    a[0, 1], b[1, 0] = -(2.0**-12), 2.0**-11  # lost beside -1, which is in the same group of 8 products
    a[0, 8], b[8, 0] = -(2.0**-12), 2.0**-11  # kept: this product is in the next group of 8
    a[0, 32], b[32, 0] = 1, 1
    op = blocks(lambda x, z: x @ z, fp32_dest_acc_en=True)
    got = on_every_engine(op, (a, b), ttnn.float32, (32, 32), arch=arch)
    assert bits_of(got)[0, 0] == expected


@pytest.mark.parametrize("wide", [False, True])
def test_reductions(wide):
    (a,) = inputs(1)
    ones = np.ones((32, 32), np.float32)
    for dims, axis in (([-1], 1), ([0], 0), ([0, -1], (0, 1))):
        shape = (1 if 0 in dims else 2, 1 if -1 in dims else 2)
        op = blocks(lambda x, z: ttl.math.reduce_sum(x, z, dims=dims), *shape, fp32_dest_acc_en=wide)
        got = on_every_engine(op, (a, ones), ttnn.bfloat16, (32 * shape[0], 32 * shape[1]))
        exact = a.astype(np.float64).sum(axis=axis)
        places = {1: np.s_[:, 0], 0: np.s_[0, :], (0, 1): np.s_[0, 0]}[axis]
        assert np.allclose(got[places], exact, atol=2**-5 * np.abs(a).sum(axis=axis).max())
        op = blocks(lambda x, z: ttl.math.reduce_max(x, z, dims=dims), *shape, fp32_dest_acc_en=wide)
        got = on_every_engine(op, (a, ones), ttnn.bfloat16, (32 * shape[0], 32 * shape[1]))
        assert np.array_equal(got[places], a.max(axis=axis))


def test_broadcasts_and_transposes_move_values():
    """Both go through a source register, in which bfloat16 values keep their bits."""
    a, b = inputs(2, (32, 32))
    op = blocks(lambda x, z: ttl.math.broadcast(x, dims=[-1]) + ttl.transpose(z), fp32_dest_acc_en=True)
    got = on_every_engine(op, (a, b), ttnn.float32, a.shape)
    assert np.array_equal(bits_of(got), bits_of(a[:, :1] + b.T))


def test_float32_reaches_the_matrix_engine_as_tf32():
    rng = np.random.default_rng(1)
    a = rng.standard_normal((32, 32), dtype=np.float32)
    eye = np.eye(32, dtype=np.float32)
    op = blocks(lambda x, z: x @ z)
    got = on_every_engine(op, (a, eye), ttnn.float32, a.shape, [ttnn.float32] * 2)
    assert np.array_equal(bits_of(got), bits_of(a) & 0xFFFFE000)
    copied = on_every_engine(unary(lambda x: -(-x), ttnn.float32), (a,), ttnn.float32, a.shape, [ttnn.float32])
    assert np.array_equal(bits_of(copied), bits_of(a)), "copies of float32 must reach DST unchanged"


def test_functions_of_the_vector_engine_differ_by_chip():
    (a,) = inputs(1)
    op = unary(lambda x: ttl.math.sigmoid(x), ttnn.float32, fp32_dest_acc_en=True)
    wormhole, blackhole = (
        on_every_engine(op, (a,), ttnn.float32, a.shape, arch=arch) for arch in ("wormhole_b0", "blackhole")
    )
    exact = 1 / (1 + np.exp(-a.astype(np.float64)))
    for got in (wormhole, blackhole):
        assert np.allclose(got, exact, rtol=4e-7)
    assert not np.array_equal(wormhole, blackhole)


def test_math_approx_mode_changes_the_square_root():
    (a,) = inputs(1)
    a = np.abs(a)
    exact = np.sqrt(a.astype(np.float64))
    errors = []
    for approximate in (False, True):
        op = unary(lambda x: ttl.math.sqrt(x), ttnn.float32, fp32_dest_acc_en=True, math_approx_mode=approximate)
        got = on_every_engine(op, (a,), ttnn.float32, a.shape)
        errors.append(np.nanmax(np.abs(got / exact - 1)))
    assert errors[0] < 2e-7 < 1e-5 < errors[1] < 1e-2


@pytest.mark.parametrize("dtype", [ttnn.bfloat8_b, ttnn.bfloat4_b])
def test_block_floats(dtype):
    a, b = inputs(2)
    op = blocks(lambda x, z: x @ z + x, 2, 2)
    on_every_engine(op, (a, b), dtype, a.shape, [dtype] * 2)


def test_accumulation_in_l1():
    a, b = inputs(2)
    op = blocks(lambda x, z: x * z, 2, 2, added=lambda x, z: x + z)
    got = on_every_engine(op, (a, b), ttnn.bfloat16, a.shape)
    cut = (bits_of(a + b) & 0xFFFF0000).view(np.float32)
    assert np.array_equal(bits_of(got), bits_of(bf16(bf16(a * b) + cut)))


def test_the_mode_is_part_of_the_key():
    """A launch with --numerics=host does not run the program compiled for --numerics=device."""
    a, b = inputs(2)
    op = blocks(lambda x, z: x + z, 2, 2)
    device = launch(op, (a, b), ttnn.bfloat16, a.shape)
    tensors = [ttnn.from_numpy(x, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for x in (a, b)]
    y = ttnn.empty(a.shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
    op(*tensors, y)
    host = np.asarray(ttnn.to_numpy(y)).astype(np.float32)
    assert np.array_equal(bits_of(host), bits_of(bf16(a + b)))
    assert not np.array_equal(host, device)


SCRIPT = """
import numpy as np
import ttl

@ttl.operation(grid=(1, 1), math_fidelity="HiFi2", math_approx_mode=True)
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as x, y_dfb.reserve() as out:
            out.store(-x)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as block:
            ttl.copy(a[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

op(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
"""


def test_statistics_name_the_configuration(tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text(SCRIPT)
    process = subprocess.run(
        [TTL_JIT, "run", "--numerics=device", "--arch=blackhole", "--stats", file], capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    assert "device numerics: blackhole, HiFi2, fp32 DST, math_approx_mode" in process.stdout + process.stderr


def test_compare_runs_the_interpreter_in_this_mode(tmp_path):
    """--compare=engines keeps --numerics=device. 1 + 2^-13 is rounded to TF32 there, but not on the host."""
    file = tmp_path / "kernel.py"
    text = SCRIPT.replace("-x)", "x @ x)").replace("np.ones((32, 32)", "np.full((32, 32), 1 + 2.0**-13")
    file.write_text(text)
    process = subprocess.run(
        [TTL_JIT, "run", "--numerics=device", "--compare=engines", file], capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr


def test_a_line_of_the_repl(tmp_path):
    text = ":option numerics device\n" + SCRIPT + "\n:option numerics\n"
    process = subprocess.run([TTL_JIT], input=text, capture_output=True, text=True)
    assert "numerics" in process.stdout and "device" in process.stdout, process.stdout + process.stderr


#
# Operations whose bits on the card are not known
#


def test_an_unknown_operation_warns_once_with_its_line():
    (a,) = inputs(1)
    op = unary(lambda x: ttl.math.softcap(x, 2.0) + ttl.math.softcap(x + x, 2.0), ttnn.bfloat16)
    with pytest.warns(ttl.NumericsWarning) as caught:
        launch(op, (a,), ttnn.bfloat16, a.shape)
    [warning] = [w.message for w in caught if issubclass(w.category, ttl.NumericsWarning)]
    assert "the card's result of 'softcap' is not known; it is computed as with --numerics=host" in str(warning)
    assert warning.file == __file__ and warning.line > 0


def test_strict_makes_it_an_error():
    (a,) = inputs(1)
    op = unary(lambda x: ttl.math.softcap(x, 2.0), ttnn.bfloat16)
    with pytest.raises(ttl.CompileError, match="--strict: the card's result of 'softcap' is not known") as caught:
        launch(op, (a,), ttnn.bfloat16, a.shape, strict=True)
    assert caught.value.line > 0


@pytest.mark.parametrize("stage", ["ttl", "compute", "dst"])
def test_earlier_stages_are_refused(stage):
    (a,) = inputs(1)
    with pytest.raises(ValueError, match=f"--numerics=device needs stage loops or a later one.*--stage={stage}"):
        launch(unary(lambda x: -x, ttnn.bfloat16), (a,), ttnn.bfloat16, a.shape, stage=stage)


def test_unknown_values():
    with pytest.raises(ValueError, match="expected host or device; found 'card'"):
        with ttl.options(numerics="card"):
            pass
    with pytest.raises(ValueError, match="math_fidelity must be one of"):
        blocks(lambda x, z: x @ z, math_fidelity="HiFi5")


@pytest.mark.parametrize("wide, dtype, what", [
    (False, ttnn.int32, "integers of 32 bits in registers of 16 bits"),
    (False, ttnn.uint16, "'add_int' in registers of 16 bits"),
])
def test_integers_that_the_registers_do_not_hold_warn(wide, dtype, what):
    a = np.full((32, 32), 300, np.uint16 if dtype == ttnn.uint16 else np.int32)
    with pytest.warns(ttl.NumericsWarning, match=what):
        launch(blocks(lambda x, z: x + z, fp32_dest_acc_en=wide), (a, a), dtype, a.shape, [dtype] * 2)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("dtype, wide", [
    (ttnn.int32, None), (ttnn.uint32, None), (ttnn.uint16, True), (ttnn.uint8, True)])
def test_integers_in_wide_registers_are_known(dtype, wide, engine, recwarn):
    """Integer arithmetic gives the results of numpy, without a NumericsWarning."""
    kind = {ttnn.int32: np.int32, ttnn.uint32: np.uint32, ttnn.uint16: np.uint16, ttnn.uint8: np.uint8}[dtype]
    rng = np.random.default_rng(1)
    limits = np.iinfo(kind)
    a, b = rng.integers(max(limits.min, -2**20), min(limits.max, 2**20), (2, 32, 32), dtype=kind)
    b[b == 0] = 1
    for compute, expected in [
            (lambda x, z: x + z, a + b), (lambda x, z: x - z, a - b), (lambda x, z: x * z, a * b),
            (lambda x, z: x // z, a // b), (lambda x, z: x % z, a % b),
            (lambda x, z: ttl.math.max(x, z), np.maximum(a, b)), (lambda x, z: x == z, a == b),
            (lambda x, z: x < z, a < b)]:
        operation = blocks(compute, **{} if wide is None else {"fp32_dest_acc_en": wide})
        got = launch(operation, (a, b), dtype, a.shape, [dtype] * 2, engine=engine)
        assert np.array_equal(got, expected.astype(kind).astype(np.float32))
    assert not [w for w in recwarn if issubclass(w.category, ttl.NumericsWarning)]


# Limits of integers of 8, 16 and 32 bits. Those from 2^31 on are negative when viewed as int32.
BORDERS = (0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**24, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2**16,
           2**32 - 1)
INTEGER_ENGINES = ({"engine": "jit"}, {"engine": "interp"}, {"engine": "interp", "stage": "loops"},
                   {"engine": "emitted"})


def pairs_of_borders():
    """Returns two tiles: all pairs of BORDERS first, then random numbers of all sizes."""
    rng = np.random.default_rng(7)
    a, b = (rng.integers(0, 2**32, 1024, dtype=np.uint32) >> rng.integers(0, 32, 1024, dtype=np.uint32)
            for _ in range(2))
    a[:256], b[:256] = np.repeat(np.uint32(BORDERS), 16), np.tile(np.uint32(BORDERS), 16)
    return a.reshape(32, 32), b.reshape(32, 32)


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("divide", [lambda x, z: x // z, lambda x, z: x % z])
def test_quotients_of_uint32_are_exact(divide, arch, recwarn):
    """On division by zero the quotient has all bits set, and the remainder is the dividend."""
    a, b = pairs_of_borders()
    is_quotient = divide(7, 4) == 1
    expected = np.where(b == 0, np.uint32(2**32 - 1) if is_quotient else a, divide(a, np.maximum(b, 1)))
    for engine in INTEGER_ENGINES:
        got = elements(blocks(divide), (a, b), ttnn.uint32, a.shape, [ttnn.uint32] * 2, arch=arch, **engine)
        assert np.array_equal(got, expected), engine
    assert not [w for w in recwarn if issubclass(w.category, ttl.NumericsWarning)]


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("dtype, kind", [(ttnn.uint16, np.uint16), (ttnn.uint8, np.uint8)])
@pytest.mark.parametrize("wide, wide_kind", [(ttnn.int32, np.int32), (ttnn.uint32, np.uint32)])
def test_narrow_integers_keep_the_low_bits(dtype, kind, wide, wide_kind, arch, recwarn):
    """A typecast to 8 or 16 bits keeps the low bits, both for stores and for further arithmetic in DST."""
    a, b = (each.view(wide_kind) for each in pairs_of_borders())
    low = a.astype(kind)
    for compute, out_type, expected in [
            (lambda x, z: ttl.typecast(x, dtype), dtype, low),
            (lambda x, z: ttl.typecast(ttl.typecast(x, dtype), wide), wide, low.astype(wide_kind)),
            (lambda x, z: ttl.typecast(x, dtype) + ttl.typecast(z, dtype), dtype, low + b.astype(kind)),
            (lambda x, z: ttl.typecast(ttl.typecast(x, dtype), wide) - z, wide, low.astype(wide_kind) - b)]:
        for engine in INTEGER_ENGINES:
            got = elements(blocks(compute), (a, b), out_type, a.shape, [wide] * 2, arch=arch, **engine)
            assert np.array_equal(got, expected), engine
    assert not [w for w in recwarn if issubclass(w.category, ttl.NumericsWarning)]


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_emitted_products_and_maxima_take_negative_integers(arch):
    """The emitted C++ of products and maxima handles numbers from 2^31 on, negative as int32."""
    a, b = pairs_of_borders()
    with pytest.warns(ttl.NumericsWarning, match="integers"):
        for compute, dtype, kind, expected in [
                (lambda x, z: x @ z, ttnn.int32, np.int32, a @ b),
                (lambda x, z: ttl.broadcast(ttl.reduce_max(x, dims=[0]), dims=[0]), ttnn.uint32,
                 np.uint32, np.broadcast_to(a.max(axis=0), a.shape))]:
            arrays = (a.view(kind), b.view(kind))
            got = elements(blocks(compute), arrays, dtype, a.shape, [dtype] * 2, arch=arch, engine="emitted")
            assert np.array_equal(got, expected.view(kind))


@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.float32])
@pytest.mark.parametrize("name", ["gelu", "erf", "erfc"])
def test_functions_with_variants_are_the_default_ones(name, dtype):
    """The card's default `gelu` is a table, so it differs from the exact one of --numerics=host."""
    (a,) = inputs(1)
    op = unary(getattr(ttl.math, name), dtype)
    got = on_every_engine(op, (a,), dtype, a.shape, [dtype])
    exact = launch(op, (a,), dtype, a.shape, [dtype], numerics="host")
    assert 1e-3 < np.abs(got - exact).max() < 0.03 or name != "gelu"


def test_emitted_cpp_has_the_variants_of_the_mode():
    device = ttnn.open_device(device_id=0)
    x = ttnn.empty((32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    for mode, call in ("device", "gelu_tile(0);"), ("host", "gelu_tile<false>(0);"):
        with ttl.options(numerics=mode):
            assert call in unary(ttl.math.gelu, ttnn.bfloat16).compile(x, x).cpp("compute")
    ttnn.close_device(device)


def test_a_typecast_to_integers_in_narrow_registers_warns():
    (a,) = inputs(1)
    with pytest.warns(ttl.NumericsWarning, match="'float_to_int32' in registers of 16 bits"):
        op = unary(lambda x: ttl.typecast(x * 100, ttnn.int32), ttnn.int32, fp32_dest_acc_en=False)
        launch(op, (a,), ttnn.int32, a.shape)
