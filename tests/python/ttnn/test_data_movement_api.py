# SPDX-License-Identifier: Apache-2.0
"""Data movement functions of Metalium's API: they move the right bytes, print, and check their arguments."""

import numpy as np
import pytest
import ttl
import ttnn

CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
ROW = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(2, 0))
WHOLE = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  uint32_t x_addr = get_common_arg_val<uint32_t>(0), y_addr = get_common_arg_val<uint32_t>(1);
  TensorAccessor x(args, x_addr, 4096), y(args, y_addr, 4096);
  uint32_t tile = get_arg_val<uint32_t>(0);
  cb_reserve_back(0, 1);
  uint32_t l1 = get_write_ptr(0);
  BODY
}
"""


def run(body, shape=(96, 32), text=WHOLE, **fields):
    """Runs a reader on three cores; returns y. Core i gets the number i, and tile i of the tensors."""
    device = ttnn.open_device()
    x = ttnn.from_numpy(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), device=device)
    y = ttnn.zeros(shape, device=device)
    kernel = ttnn.KernelDescriptor(
        kernel_source=text.replace("BODY", body), source_type=CODE, core_ranges=ROW,
        config=ttnn.ReaderConfigDescriptor(), runtime_args=[(core, [core.x]) for core in ROW.cores()],
        compile_time_args=ttnn.TensorAccessorArgs(x).get_compile_time_args(),
        common_runtime_args=[x.buffer_address(), y.buffer_address()], **fields)
    buffers = [ttnn.CBDescriptor(2 * 4096, ROW, [ttnn.CBFormatDescriptor(0, ttnn.float32, 4096)]),
               ttnn.CBDescriptor(2048, ROW, [ttnn.CBFormatDescriptor(1, ttnn.bfloat16, 2048)])]
    semaphores = [ttnn.SemaphoreDescriptor(id=i, core_ranges=ROW) for i in range(2)]
    program = ttnn.ProgramDescriptor(kernels=[kernel], cbs=buffers, semaphores=semaphores)
    return ttnn.to_numpy(ttnn.generic_op([x, y], program))


READ = "noc_async_read_page(tile, x, l1); noc_async_read_barrier();"
WRITE = "noc_async_write_page(tile, y, l1); noc_async_write_barrier();"
BARRIERS = "noc_async_read_barrier();", "noc_async_write_barrier();"
COPIES = {
    "addresses of pages": """
        noc_async_read(get_noc_addr(tile, x), l1, 4096); noc_async_read_barrier();
        noc_async_write(l1, y.get_noc_addr(tile), 4096); noc_async_write_barrier();""",
    "parts of pages": """
        for (uint32_t at = 0; at < 4096; at += 1024) {
          noc_async_read(get_noc_addr(tile, x, at), l1 + at, 1024);
          noc_async_read_barrier();
          noc_async_write_page(tile, y, l1 + at, 1024, at);
        }
        noc_async_full_barrier();""",
    "generator": """
        InterleavedAddrGen<true> from{.bank_base_address = x_addr, .page_size = 4096};
        InterleavedAddrGenFast<true> to{y_addr, 4096, DataFormat::Float32};
        noc_async_read_tile(tile, from, l1); noc_async_read_barrier();
        noc_async_write_tile(tile, to, l1); noc_async_write_barrier();""",
    "power of two": """
        InterleavedPow2AddrGen<true> from{x_addr, 12};
        noc_async_read(get_noc_addr(tile, from), l1, 4096); noc_async_read_barrier();
        noc_async_write(l1, get_dram_noc_addr(tile, 4096, y_addr), 4096);
        noc_async_write_barrier();""",
    "banks": """
        noc_async_read(get_noc_addr_from_bank_id<true>(tile, x_addr), l1, 4096);
        noc_async_read_barrier();
        noc_async_write(l1, get_noc_addr_from_bank_id<true>(tile, y_addr), 4096);
        noc_async_write_barrier();""",
    "state": """
        noc_async_read_set_state(get_noc_addr(tile, x));
        noc_async_read_with_state(x_addr, l1, 2048);
        noc_async_read_with_state(x_addr + 2048, l1 + 2048, 2048);
        noc_async_read_barrier();
        noc_async_write_one_packet_set_state(get_noc_addr(tile, y), 4096);
        noc_async_write_one_packet_with_state(l1, y_addr);
        noc_async_write_barrier();""",
    "one packet": """
        noc_async_read_one_packet_set_state(get_noc_addr(tile, x), 4096);
        noc_async_read_one_packet_with_state(x_addr, l1);
        noc_async_read_barrier();
        noc_async_write_one_packet(l1, get_noc_addr(tile, y), 4096);
        noc_async_writes_flushed();""",
    "posted": READ + """
        noc_async_write<NOC_MAX_BURST_SIZE, true, true>(l1, get_noc_addr(tile, y), 4096);
        noc_async_posted_writes_flushed();""",
    "transfer ids": """
        noc_async_read_set_trid(3); noc_async_read_page(tile, x, l1);
        noc_async_read_barrier_with_trid(3);
        noc_async_write_set_trid(5); noc_async_write_page(tile, y, l1);
        noc_async_write_flushed_with_trid(5);""",
    "own core": READ + """
        cb_push_back(0, 1); cb_reserve_back(0, 1);
        noc_async_read(get_noc_addr(l1), get_write_ptr(0), 4096); noc_async_read_barrier();
        noc_async_write_page(tile, y, get_write_ptr(0)); noc_async_write_barrier();""",
}


@pytest.mark.parametrize("body", COPIES.values(), ids=COPIES)
def test_each_way_to_copy_a_tile(body):
    assert np.array_equal(run(body), np.arange(96 * 32, dtype=np.float32).reshape(96, 32))


OBJECT = "Noc noc; CircularBuffer cb(0); UnicastEndpoint core; AllocatorBank<AllocatorBankType::DRAM> bank;"
CLASSES = {
    "buffers and tensors": """
        noc.async_read(x, cb, cb.get_tile_size(), {.page_id = tile}, {.offset_bytes = 0});
        noc.async_read_barrier();
        cb.push_back(1); cb.wait_front(1);
        noc.async_write(cb, y, 4096, {}, {.page_id = tile});
        noc.async_write_barrier();
        cb.pop_front(1);""",
    "parts": """
        for (uint32_t at = 0; at < 4096; at += 2048) {
          noc.async_read(x, cb, 2048, {.page_id = tile, .offset_bytes = at}, {.offset_bytes = at});
          noc.async_full_barrier();
          noc.async_write(use<CircularBuffer::AddrSelector::WRITE_PTR>(cb), y, 2048, {at}, {tile, at});
        }
        noc.async_writes_flushed();""",
    "banks": """
        noc.async_read(bank, CoreLocalMem<uint32_t>(l1), 4096, {.bank_id = tile, .addr = x_addr}, {});
        noc.async_read_barrier();
        noc.async_write(CoreLocalMem<uint32_t>(l1), bank, 4096, {}, {.bank_id = tile, .addr = y_addr});
        noc.async_write_barrier();""",
    "transfer ids": """
        noc.async_read<NocOptions::TXN_ID>(x, cb, 4096, {tile}, {}, {.trid = 3});
        noc.async_read_barrier<NocOptions::TXN_ID>({.trid = 3});
        noc.async_write<NocOptions::TXN_ID | NocOptions::CUSTOM_VC>(
            use<CircularBuffer::AddrSelector::WRITE_PTR>(cb), y, 4096, {}, {tile}, {.trid = 5});
        noc.async_writes_flushed<NocOptions::TXN_ID>(5);""",
    "older options": """
        noc.async_read<Noc::TxnIdMode::ENABLED, 4096>(x, cb, 4096, {tile}, {}, 1, 3);
        noc.async_read_barrier<Noc::BarrierMode::TXN_ID>(3);
        noc.async_write<Noc::TxnIdMode::DISABLED, Noc::ResponseMode::POSTED>(
            core, y, 4096, {.noc_x = my_x[0], .noc_y = my_y[0], .addr = l1}, {tile});
        noc.async_writes_flushed<Noc::ResponseMode::POSTED>();""",
    "state": """
        noc.set_async_read_state(x, 2048, {tile});
        noc.async_read_with_state(x, cb, 2048, {tile}, {});
        noc.async_read_with_state(x, cb, 2048, {tile, 2048}, {2048});
        noc.async_read_barrier();
        noc.set_async_write_state(y, 4096, {tile});
        noc.async_write_with_state(CoreLocalMem<uint32_t>(l1), y, 4096, {}, {tile});
        noc.async_write_barrier();""",
}


def objects(namespace):
    names = ["circular_buffer", "endpoints", "noc", "noc_semaphore"]
    folder = "experimental" if namespace else "api/dataflow"
    extra = ["experimental/core_local_mem", "experimental/tensor"] if namespace else []
    includes = "".join(f'#include "{name}.h"\n' for name in [f"{folder}/{n}" for n in names] + extra)
    return includes + WHOLE.replace("BODY", f"{namespace} {OBJECT}\nBODY")


@pytest.mark.parametrize("namespace", ["", "using namespace experimental;"])
@pytest.mark.parametrize("body", CLASSES.values(), ids=CLASSES)
def test_classes(body, namespace):
    assert np.array_equal(run(body, text=objects(namespace)), np.arange(96 * 32, dtype=np.float32).reshape(96, 32))


def test_semaphores_are_classes_too(capfd):
    """Core 0 multicasts a word and then its semaphore to the other cores, which answer by a semaphore."""
    run("""Semaphore<> go(0), done(1);
           if (tile == 0) {
             *reinterpret_cast<volatile uint32_t *>(l1) = 77;
             noc.async_write_multicast(
                 CoreLocalMem<uint32_t>(l1), MulticastEndpoint{}, 16, 2, {},
                 {my_x[0] + 1u, my_y[0], my_x[0] + 2u, my_y[0], l1});
             noc.async_write_barrier();
             go.set(3);
             go.set_multicast(noc, my_x[0] + 1u, my_y[0], my_x[0] + 2u, my_y[0], 2);
             noc.async_write_barrier();
             done.down(2);
             noc.inline_dw_write(core, 5, {my_x[0] + 1u, my_y[0], l1});
             noc.async_write_barrier();
             go.up(noc, my_x[0] + 1, my_y[0], 1);
             noc.async_atomic_barrier();
           } else {
             go.wait(3);
             CoreLocalMem<volatile uint32_t> word(l1);
             DPRINT << word[0] << ENDL();
             done.up(noc, worker_logical_col_to_virtual_col[0], my_y[0], 1);
             noc.async_atomic_barrier();
             if (tile == 1) { go.wait_min(4); DPRINT << *word << ENDL(); }
           }""", text=objects(""))
    printed = capfd.readouterr().out
    assert printed.count("77\n") == 2 and printed.count("5\n") == 1


def test_ends_that_no_transfer_has():
    with pytest.raises(ttl.CompileError, match="one end of a transfer must be in the L1 of the core"):
        run("noc.async_read(x, y, 4096, {tile}, {tile});", text=objects(""))


@pytest.mark.parametrize("header", ["dataflow_api.h", "api/dataflow/dataflow_api.h", ""])
def test_old_headers_and_none(header):
    text = (f'#include "{header}"\n' if header else "#include <cstdint>\n") + WHOLE
    assert run(READ + WRITE, text=text)[95, 31] == 96 * 32 - 1


def test_the_legacy_form_of_an_entry():
    text = WHOLE.replace("void kernel_main() {", "namespace NAMESPACE { void MAIN {") + "}\n"
    assert run(READ + WRITE, text=text)[95, 31] == 96 * 32 - 1


def test_facts_of_buffers(capfd):
    run("""static_assert(get_tile_size(0) == 4096 && get_tile_size(1) == 2048, "");
           static_assert(get_dataformat(1) == DataFormat::Float16_b && get_tile_hw(0) == 1024, "");
           DPRINT << cb_pages_reservable_at_back(0, 2) << cb_pages_available_at_front(0, 1)
                  << cb_pages_reservable_at_back(0, 3);""" + READ + """
           cb_push_back(0, 1);
           DPRINT << cb_pages_reservable_at_back(0, 2) << cb_pages_available_at_front(0, 1)
                  << " " << get_local_cb_interface(0).fifo_page_size << ENDL();""")
    assert capfd.readouterr().out.count("10001 4096\n") == 3


def test_named_compile_time_arguments(capfd):
    run('constexpr uint32_t n = get_named_compile_time_arg_val("blocks"); DPRINT << n << ENDL();',
        named_compile_time_args={"first": 3, "blocks": 17})
    assert capfd.readouterr().out.count(": 17\n") == 3


def test_a_constant_without_a_value_does_not_compile():
    with pytest.raises(ttl.CompileError, match="must be initialized by a constant expression"):
        run('constexpr uint32_t n = get_named_compile_time_arg_val("none");')


def test_words_of_other_cores(capfd):
    run("""uint32_t word = get_semaphore(0), value = get_semaphore(1);
           volatile tt_l1_ptr uint32_t *own = (volatile tt_l1_ptr uint32_t *)(uintptr_t)word;
           if (tile == 0) {
             noc_inline_dw_write(get_noc_addr(my_x[0] + 1, my_y[0], value), 77);
             noc_async_write_barrier();
             noc_semaphore_inc_multicast(
                 get_noc_multicast_addr(my_x[0] + 1, my_y[0], my_x[0] + 2, my_y[0], word), 2, 2);
             noc_async_atomic_barrier();
           } else {
             noc_semaphore_wait(own, 2);
             DPRINT << *(volatile tt_l1_ptr uint32_t *)(uintptr_t)value << ENDL();
           }""")
    assert capfd.readouterr().out == "(1, 0) reader: 77\n(2, 0) reader: 0\n"


def test_debug_print(capfd):
    run("""if (tile == 1) {
             DPRINT << "a " << -5 << " " << 7u << " " << HEX() << 255 << DEC() << " " << 255 << ENDL();
             DPRINT << SETW(6) << 42 << " " << 1.5f << " " << SETPRECISION(3) << FIXED() << 2.0f
                    << " " << BF16(0x3f80) << 'c' << (uint8_t)65 << ENDL();
           }""" + READ + """
           if (tile == 1) DPRINT << TSLICE(0, 0, SliceRange::h0_w0_32(), TSLICE_INPUT_CB,
                                           TSLICE_WR_PTR) << ENDL();""")
    row = " ".join(f"{1024.0 + i}" for i in range(32))
    assert capfd.readouterr().out == (
        "(1, 0) reader: a -5 7 ff 255\n(1, 0) reader:     42 1.5 2.000 1.000c65\n"
        f"(1, 0) reader: {row}\n")


FAULTS = {
    'DPRINT << get_named_compile_time_arg_val("none");':
        (ttl.RuntimeFault, "no named compile-time argument has this name"),
    "DPRINT << get_compile_time_arg_val(tile + 9);":
        (ttl.RuntimeFault, "there is no compile-time argument with this number"),
    "ASSERT(tile < 2);": (ttl.RuntimeFault, "ASSERT does not hold: tile < 2"),
    READ + """noc_async_write<64, true, true>(l1, get_noc_addr(tile, y), 4096);
        noc_async_write_barrier(); cb_push_back(0, 1);""":
        (ttl.ProtocolError, "while a copy out of it is in flight"),
    "noc_async_read(get_noc_addr(9, x), l1, 4096);": (ttl.OutOfBoundsError, "page 9 of tensor"),
    "noc_async_read(get_noc_addr_from_bank_id<true>(0, 64), l1, 64);":
        (ttl.OutOfBoundsError, "no tensor has address 0x40 of DRAM bank 0"),
    "noc_async_read(get_noc_addr(tile, x), l1, 8192);": (ttl.OutOfBoundsError, "is in no page"),
    "noc_async_read(get_noc_addr(tile, x, 16), l1, 64);": (ttl.OutOfBoundsError, "modulo 32"),
    "noc_async_read_one_packet(get_noc_addr(tile, x), l1, 9000);":
        (ttl.RuntimeFault, "more than 8192 bytes"),
    "InterleavedAddrGen<true> g{x_addr, 2048}; noc_async_read_tile(tile, g, l1);":
        (ttl.OutOfBoundsError, "pages of 2048 bytes, but tensor"),
    "noc_inline_dw_write(get_noc_addr(tile, y), 5);": (ttl.ProtocolError, "not to DRAM"),
    "noc_semaphore_inc_multicast(get_noc_multicast_addr(18, 18, 20, 18, get_semaphore(0)), 1, 3);":
        (ttl.ProtocolError, "contains the sender"),
    "noc_semaphore_inc_multicast(get_noc_multicast_addr(18, 19, 20, 19, get_semaphore(0)), 1, 2);":
        (ttl.ProtocolError, "num_dests is 2, but the rectangle has 3 cores: pass 3"),
    "noc_async_read_page(tile, x, l1, 32);": (ttl.RuntimeFault, "at an offset"),
}


@pytest.mark.parametrize("body", FAULTS)
def test_faults(body):
    kind, message = FAULTS[body]
    with pytest.raises(kind, match=message) as caught:
        run(body)
    first = WHOLE.splitlines().index("  BODY") + 1
    assert first <= caught.value.line <= first + body.count("\n")
