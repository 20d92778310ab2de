# SPDX-License-Identifier: Apache-2.0
"""ttnn.generic_op runs kernels in C++, and gives errors for mistakes in kernels and descriptors."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import ttl
import ttnn

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "metalium"
CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CORE = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
ROW = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(2, 0))

EXAMPLE_NAMES = sorted({path.stem for path in EXAMPLES.glob("*.py")} - {"programs"})

# Copies tile get_arg_val(0) from the tensor at the first common argument to the tensor at the second one.
COPY = """
#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  TensorAccessor from(args, get_common_arg_val<uint32_t>(0), 4096);
  TensorAccessor to(args, get_common_arg_val<uint32_t>(1), 4096);
  uint32_t tile = get_arg_val<uint32_t>(0);
  cb_reserve_back(0, 1);
  noc_async_read_page(tile, from, get_write_ptr(0));
  noc_async_read_barrier();
  noc_async_write_page(tile, to, get_write_ptr(0));
  noc_async_write_barrier();
  cb_push_back(0, 1);
}
"""


def tensors(rows=96):
    device = ttnn.open_device()
    x = np.arange(rows * 32, dtype=np.float32).reshape(rows, 32)
    return ttnn.from_numpy(x, device=device), ttnn.zeros((rows, 32), device=device)


def kernel(x, y, text=COPY, cores=ROW, **fields):
    fields = {
        "compile_time_args": ttnn.TensorAccessorArgs(x).get_compile_time_args(),
        "common_runtime_args": [x.buffer_address(), y.buffer_address()],
        "runtime_args": [(core, [core.x]) for core in cores.cores()],
        "config": ttnn.ReaderConfigDescriptor(), **fields}
    return ttnn.KernelDescriptor(kernel_source=text, source_type=CODE, core_ranges=cores, **fields)


def buffer(index=0, cores=ROW, pages=2, **fields):
    formats = [ttnn.CBFormatDescriptor(index, ttnn.float32, 4096)]
    return ttnn.CBDescriptor(pages * 4096, cores, formats, **fields)


def run(x, y, kernels, cbs=None, **fields):
    cbs = [buffer()] if cbs is None else cbs
    return ttnn.generic_op([x, y], ttnn.ProgramDescriptor(kernels=kernels, cbs=cbs, **fields))


def test_inline_code_on_three_cores():
    x, y = tensors()
    assert run(x, y, [kernel(x, y)]) is y
    assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(x))


def test_arguments_of_all_kinds():
    x, y = tensors()
    args = ttnn.RuntimeArgs()
    for i in range(3):
        args[i][0] = [2 - i]
    run(x, y, [kernel(x, y, runtime_args=args)])
    assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(x))
    x, y = tensors()
    run(x, y, [kernel(x, y, runtime_args=[[[0]], [[1]], [[1]]])])
    assert np.array_equal(ttnn.to_numpy(y)[:64], ttnn.to_numpy(x)[:64])
    assert not ttnn.to_numpy(y)[64:].any()


def test_defines_and_files(tmp_path):
    x, y = tensors()
    file = tmp_path / "copy.cpp"
    file.write_text(COPY.replace("get_arg_val<uint32_t>(0)", "TILE"))
    one = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
    run(x, y, [ttnn.KernelDescriptor(
        kernel_source=str(file), core_ranges=one, defines=[("TILE", "2")],
        compile_time_args=[2, 4096], common_runtime_args=[x.buffer_address(), y.buffer_address()],
        config=ttnn.WriterConfigDescriptor())])
    assert np.array_equal(ttnn.to_numpy(y)[64:], ttnn.to_numpy(x)[64:])
    assert not ttnn.to_numpy(y)[:64].any()


def test_two_kernels_of_one_processor_have_their_own_arguments():
    x, y = tensors()
    left = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
    right = ttnn.CoreRange(ttnn.CoreCoord(1, 0), ttnn.CoreCoord(2, 0))
    other = ttnn.zeros((96, 32), device=ttnn.open_device())
    run(x, y, [kernel(x, other, cores=left), kernel(x, y, cores=right)])
    assert np.array_equal(ttnn.to_numpy(y)[32:], ttnn.to_numpy(x)[32:])
    assert np.array_equal(ttnn.to_numpy(other)[:32], ttnn.to_numpy(x)[:32])
    assert not ttnn.to_numpy(y)[:32].any() and not ttnn.to_numpy(other)[32:].any()


def test_a_program_on_new_tensors_uses_their_addresses():
    for _ in range(3):
        x, y = tensors()
        run(x, y, [kernel(x, y)])
        assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(x))


def test_an_error_of_the_compiler_names_the_line(tmp_path):
    x, y = tensors()
    with pytest.raises(ttl.CompileError) as caught:
        run(x, y, [kernel(x, y, COPY.replace("noc_async_read_barrier();", "noc_read_barrier();"))])
    assert caught.value.line == 12 and caught.value.file == "<kernels[0]>"
    assert "use of undeclared identifier 'noc_read_barrier'" in caught.value.message


def test_a_kernel_without_an_entry():
    x, y = tensors()
    with pytest.raises(ttl.CompileError, match="no function 'void kernel_main"):
        run(x, y, [kernel(x, y, "void main_kernel() {}")])
    with pytest.raises(ttl.CompileError, match="no function 'void kernel_main"):
        run(x, y, [kernel(x, y, COPY.replace("void kernel_main", "int kernel_main"))])


def test_faults_name_the_line_in_cpp():
    x, y = tensors()
    with pytest.raises(ttl.OutOfBoundsError) as caught:
        run(x, y, [kernel(x, y, runtime_args=[(core, [core.x + 1]) for core in ROW.cores()])])
    assert caught.value.line == 11 and tuple(caught.value.node) == (2, 0)
    assert "io_tensors[0]" in caught.value.message
    with pytest.raises(ttl.ProtocolError, match="pushes 1 block of 'cb 0'") as caught:
        run(x, y, [kernel(x, y, COPY.replace("cb_reserve_back(0, 1);", "").replace(
            "  noc_async_read_page(tile, from, get_write_ptr(0));\n", "").replace(
            "  noc_async_write_page(tile, to, get_write_ptr(0));\n", ""))])


def test_a_wait_that_never_ends():
    x, y = tensors()
    with pytest.raises(ttl.DeadlockError) as caught:
        run(x, y, [kernel(x, y, COPY.replace("cb_reserve_back(0, 1);", "cb_wait_front(0, 1);"))])
    assert caught.value.line == 10


@pytest.mark.parametrize("change, message", [
    (lambda x, y: run(x, y, []), "the program has no kernels"),
    (lambda x, y: run(x, y, [kernel(x, y), kernel(x, y)]),
     r"kernels\[0\] and kernels\[1\] are both the reader \(RISCV_1\) kernel of core \(0, 0\)"),
    (lambda x, y: run(x, y, [kernel(x, y)], [buffer(), buffer()]),
     r"cbs\[0\] and cbs\[1\] both have buffer_index 0 on core \(0, 0\)"),
    (lambda x, y: run(x, y, [kernel(x, y)], [buffer(64)]), "a number from 0 to 63"),
    (lambda x, y: run(x, y, [kernel(x, y)], [buffer(pages=0.5)]), "expected a multiple of a page"),
    (lambda x, y: run(x, y, [kernel(x, y, runtime_args=[(ttnn.CoreCoord(3, 0), [0])])]),
     r"core \(3, 0\), which is not in core_ranges"),
    (lambda x, y: run(x, y, [kernel(x, y, compile_time_args=[1 << 32])]), "does not fit in 32 bits"),
    (lambda x, y: run(x, y, [ttnn.KernelDescriptor(kernel_source="missing.cpp", core_ranges=ROW)]),
     "cannot read 'missing.cpp'.*source_type=SOURCE_CODE"),
    (lambda x, y: run(ttnn.ones((32, 32)), y, [kernel(x, y)]), "is on the host.*device="),
    (lambda x, y: ttnn.generic_op([], ttnn.ProgramDescriptor()), "io_tensors is empty"),
])
def test_mistakes_in_descriptors(change, message):
    with pytest.raises(ValueError, match=message):
        change(*tensors())


@pytest.mark.parametrize("columns, rows, message", [
    (9, 1, r"kernels\[0\]: core \(8, 0\) is outside of the compute grid, which has 8 columns and 8 rows; "
     "--arch=NAME@9x8 gives the chip more cores"),
    (1, 9, r"kernels\[0\]: core \(0, 8\) is outside of the compute grid"),
])
def test_cores_that_the_chip_lacks(columns, rows, message):
    x, y = tensors()
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))
    kernels = [kernel(x, y, cores=cores, runtime_args=[(core, [0]) for core in cores.cores()])]
    with pytest.warns(ttl.LimitWarning, match=message):
        run(x, y, kernels, [buffer(cores=cores)])
    with ttl.options(strict="on"), pytest.raises(ValueError, match=message):
        run(x, y, kernels, [buffer(cores=cores)])


@pytest.mark.parametrize("fields, message", [
    ({"runtime_args": [(ttnn.CoreCoord(0, 0), [0, 1.5])]}, r"kernels\[0\]: runtime_args: argument 1 is 1.5: expected"),
    ({"compile_time_args": ["x"]}, r"kernels\[0\]: compile_time_args: argument 0 is 'x': expected an integer"),
    ({"common_runtime_args": [None]}, r"kernels\[0\]: common_runtime_args: argument 0 is None: expected an integer"),
])
def test_arguments_that_are_no_integers(fields, message):
    x, y = tensors()
    with pytest.raises(TypeError, match=message):
        run(x, y, [kernel(x, y, **fields)])


# ===--------------------------------------------------------------------------=== #
# Semaphores that only some cores have
# ===--------------------------------------------------------------------------=== #

# Each core writes the value of semaphore 0 to element 0 of its tile.
SHOW = COPY.replace("  noc_async_write_page(", """
  auto word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));
  *reinterpret_cast<volatile tt_l1_ptr float *>(get_write_ptr(0)) = float(*word);
  CALL
  noc_async_write_page(""")


def semaphore(*cores, **fields):
    ranges = [ttnn.CoreRange(ttnn.CoreCoord(x, 0), ttnn.CoreCoord(x, 0)) for x in cores]
    return ttnn.SemaphoreDescriptor(core_ranges=ttnn.CoreRangeSet(ranges), **fields)


def run_semaphores(semaphores, call=""):
    x, y = tensors()
    run(x, y, [kernel(x, y, SHOW.replace("CALL", call))], semaphores=semaphores)
    return ttnn.to_numpy(y)[::32, 0].tolist()


def test_a_semaphore_has_the_first_value_of_its_cores():
    both = [semaphore(0, id=0, initial_value=5), semaphore(1, 2, id=0, initial_value=7)]
    assert run_semaphores(both) == [5, 7, 7]
    assert run_semaphores(both[::-1]) == [5, 7, 7]
    alone = [semaphore(0, 2, id=0, initial_value=9)]
    assert run_semaphores(alone) == [9, 0, 9]
    wait = "noc_semaphore_wait(word, tile ? 7 : 5); noc_semaphore_set(word, 1);"
    assert run_semaphores(both, wait) == [5, 7, 7]
    everywhere = [ttnn.SemaphoreDescriptor(id=0, initial_value=3)]
    assert run_semaphores(everywhere) == [3, 3, 3]


@pytest.mark.parametrize("call", (
    "if (tile == 1) noc_semaphore_set(word, 1);",
    "if (tile == 1) noc_semaphore_wait(word, 0);",
    "if (tile == 1) noc_semaphore_wait_min(word, 0);",
    "if (tile == 2) noc_semaphore_inc(get_noc_addr(19, 18, get_semaphore(0)), 1);",
    "if (tile == 2) noc_semaphore_set_remote(get_semaphore(0), get_noc_addr(19, 18, "
    "get_semaphore(0)));",
    "if (tile == 2) noc_semaphore_set_multicast(get_semaphore(0), get_noc_multicast_addr(18, 18, "
    "19, 18, get_semaphore(0)), 2);",
    "if (tile == 2) noc_semaphore_inc_multicast(get_noc_multicast_addr(18, 18, 19, 18, "
    "get_semaphore(0)), 1, 2);",
))
def test_a_core_without_the_semaphore(call):
    with pytest.raises(ttl.ResourceError, match=r"core \(1, 0\) has no semaphore 0: add the core to "
                       "the core_ranges"):
        run_semaphores([semaphore(0, 2, id=0)], call)


def test_a_sender_without_the_semaphore_may_signal_others():
    call = "if (tile == 1) noc_semaphore_inc(get_noc_addr(20, 18, get_semaphore(0)), 4);"
    wait = "if (tile == 2) noc_semaphore_wait(word, 10);"
    first, sender, last = run_semaphores([semaphore(0, 2, id=0, initial_value=6)], call + wait)
    assert (first, sender) == (6, 0) and last in (6, 10)  # before or after the increment


@pytest.mark.parametrize("descriptors, message", [
    ([semaphore(0, 1, id=0), semaphore(1, 2, id=0)],
     r"semaphores\[0\] and semaphores\[1\] both have id 0 on core \(1, 0\)"),
    ([semaphore(2, id=1), ttnn.SemaphoreDescriptor(id=1)],
     r"semaphores\[0\] and semaphores\[1\] both have id 1 on core \(2, 0\)"),
    ([ttnn.SemaphoreDescriptor(id=3), ttnn.SemaphoreDescriptor(id=3)], "both have id 3 on all cores"),
    ([semaphore(1, id=0), semaphore(2, id=0), semaphore(2, id=0)],
     r"semaphores\[1\] and semaphores\[2\] both have id 0"),
    ([semaphore(0, id=0), semaphore(0), semaphore(0, id=1)],
     r"semaphores\[1\] and semaphores\[2\] both have id 1"),
    ([semaphore(id=0)], r"semaphores\[0\]: core_ranges is empty"),
])
def test_semaphores_that_share_a_core(descriptors, message):
    with pytest.raises(ValueError, match=message):
        run_semaphores(descriptors)


@pytest.mark.parametrize("descriptor", (3, ttnn.SemaphoreDescriptor(id="first")))
def test_no_semaphores(descriptor):
    with pytest.raises(TypeError, match=r"semaphores\[0\]"):
        run_semaphores([descriptor])


def test_a_number_that_no_core_has():
    with pytest.raises(ttl.ResourceError, match="number 16"):
        run_semaphores([semaphore(0, id=16)])


@pytest.mark.parametrize("example", EXAMPLE_NAMES)
@pytest.mark.parametrize("options", ((), ("check=all",), ("schedule=random", "seed=3")))
def test_an_example(example, options, monkeypatch):
    for option in options:
        name, value = option.split("=")
        monkeypatch.setenv(f"TTL_{name.upper()}", value)
    process = subprocess.run([sys.executable, EXAMPLES / f"{example}.py"], capture_output=True,
                             text=True, timeout=120)
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith(f"{example}: ") and process.stderr == ""


# ===--------------------------------------------------------------------------=== #
# Buffers in the memory of a tensor
# ===--------------------------------------------------------------------------=== #

WRITE_SHARD = """
#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  TensorAccessor to(args, get_common_arg_val<uint32_t>(1), 4096);
  cb_wait_front(0, 2);
  for (uint32_t i = 0; i < 2; ++i)
    noc_async_write_page(get_arg_val<uint32_t>(0) * 2 + i, to, get_read_ptr(0) + i * 4096);
  noc_async_write_barrier();
  cb_pop_front(0, 2);
}
"""


@pytest.mark.parametrize("push, right", [
    ("cb_push_back(0, 2);", True), ("cb_push_back(0, 1); cb_push_back(0, 1);", True),
    ("cb_reserve_back(0, 2); cb_push_back(0, 2);", True), ("for (int i = 0; i < 2; ++i) cb_push_back(0, 1);", True),
    ("cb_push_back(0, 2); cb_push_back(0, 2); cb_push_back(0, 2);", False), ("cb_push_back(0, 3);", False)])
def test_a_push_of_a_shard_needs_no_reserve(push, right):
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))
    device = ttnn.open_device()
    memory = ttnn.create_sharded_memory_config((64, 32), core_grid=ttnn.CoreRangeSet([cores]),
                                               strategy=ttnn.ShardStrategy.HEIGHT,
                                               use_height_and_width_as_shard_shape=True)
    values = np.arange(128 * 32, dtype=np.float32).reshape(128, 32)
    x = ttnn.from_numpy(values, device=device, memory_config=memory)
    y = ttnn.zeros((128, 32), device=device)
    kernels = [kernel(x, y, f'#include "api/dataflow/dataflow_api.h"\nvoid kernel_main() {{ {push} }}', cores=cores),
               kernel(y, y, WRITE_SHARD, cores=cores, config=ttnn.WriterConfigDescriptor(),
                      common_runtime_args=[0, y.buffer_address()])]
    shards = [ttnn.cb_descriptor_from_sharded_tensor(0, x)]
    if right:
        run(x, y, kernels, shards)
        assert np.array_equal(ttnn.to_numpy(y), values)
    else:
        with pytest.raises((ttl.ProtocolError, ttl.OutOfBoundsError), match="pushes . blocks? of"):
            run(x, y, kernels, shards)


def test_a_multicast_to_its_sender_needs_no_wait():
    """The sender's word is the source of the multicast, and the multicast tells all cores, the sender too."""
    code = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  auto word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));
  if (get_arg_val<uint32_t>(0) == 0) {
    *word = 1;
    noc_semaphore_set_multicast_loopback_src(
        get_semaphore(0), get_noc_multicast_addr(18, 18, 20, 18, get_semaphore(0)), 3);
    noc_async_write_barrier();
  } else {
    WAIT
  }
}
"""
    x, y = tensors()
    cores = [semaphore(0, 1, 2, id=0)]
    with ttl.options(check="all"):
        run(x, y, [kernel(x, y, code.replace("WAIT", "noc_semaphore_wait(word, 1);"))], semaphores=cores)
        with pytest.raises(ttl.ProtocolError, match="nobody waits for the last signal"):
            run(x, y, [kernel(x, y, code.replace("WAIT", ""))], semaphores=cores)
