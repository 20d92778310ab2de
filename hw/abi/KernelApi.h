//===- KernelApi.h - the kernel API ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions through which engines use the emulated device, shaped like the Metalium
// kernel API. They have C linkage and one prefix. Each takes the running thread;
// addresses are 32-bit device addresses in the thread's own L1.
//
// Functions that can fault or block return a Status. If it is not Ok, the interpreter
// returns it from each of its frames; JIT code calls ttl_hw_abandon(), which switches
// to the scheduler and never returns.
//
// Before a call the engine stores the position of the op into KernelThread::loc, as an
// index into Program::locations. Faults, events and the deadlock report read it there.
//
// The list of names for explicit symbol binding is HW_KERNEL_API below.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_KERNELAPI_H
#define TTJIT_HW_ABI_KERNELAPI_H

#include <cstdint>

namespace ttjit::hw {

struct KernelThread;
struct TensorAccess;

/// The outcome of a call of the kernel API. Cancelled: the run is ending, and the thread
/// must leave without further calls.
enum class Status : int32_t { Ok = 0, Fault = 1, Cancelled = 2 };

/// Faults that an engine finds in the program, not on the device.
enum class ProgramFault : int32_t {
  IntOverflow = 0,
  DivisionByZero = 1,
  Assert = 2,
  NegativeExponent = 3,
  ShiftCount = 4,
};

/// Facts of a circular buffer: its format as the number of a DataFormat, its sizes, the number of
/// pages that its consumer can wait for now, and that of tiles packed since the last push.
enum class BufferFact : int32_t { Format, PageBytes, NumPages, PagesFilled, TilesPacked };

/// What DPRINT prints. Text: the address of a string.
enum class PrintKind : int32_t { Text, Character, Signed, Unsigned, Float };

/// Rows and columns of a tile.
struct TileSlice {
  int32_t firstRow, endRow, rowStep, firstColumn, endColumn, columnStep;
};

} // namespace ttjit::hw

extern "C" {

// Kernel arguments and the node's coordinates. These functions return no Status: the
// indices of common arguments are checked when the program is built, and reading an
// argument that the node does not have ends the run.
//===--------------------------------------------------------------------------===//

uint32_t ttl_hw_get_arg_val(ttjit::hw::KernelThread *, int32_t index);
uint32_t ttl_hw_get_common_arg_val(ttjit::hw::KernelThread *, int32_t index);
int32_t ttl_hw_my_logical_x(ttjit::hw::KernelThread *);
int32_t ttl_hw_my_logical_y(ttjit::hw::KernelThread *);

//===--------------------------------------------------------------------------===//
// Circular buffers. Calls count pages; a block must not cross the end of the buffer. A wait or
// reserve counts from the front, so it includes pages that were acquired before.
//===--------------------------------------------------------------------------===//

ttjit::hw::Status ttl_hw_cb_reserve_back(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_cb_push_back(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_cb_wait_front(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
ttjit::hw::Status ttl_hw_cb_pop_front(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
/// Reserves and pushes all pages of a tensor-backed buffer, whose contents are those of the
/// tensor. Nothing may have been reserved before.
ttjit::hw::Status ttl_hw_cb_publish(ttjit::hw::KernelThread *, int32_t cb, int32_t pages);
/// Completes the transfers of the thread, and blocks until the other threads of the node have made
/// this call, too. Then it empties each buffer whose bit is set and moves its positions to page 0.
/// Bit i of `low` is buffer i, bit i of `high` is buffer 32 + i; the node may lack some of them.
/// `reset` is an index into Program::resets. All threads must pass the same numbers.
ttjit::hw::Status ttl_hw_cb_reset(ttjit::hw::KernelThread *, int32_t reset, uint32_t low,
                                  uint32_t high);
/// L1 addresses of the first reserved page (write) and of the first page of the front (read).
uint32_t ttl_hw_get_write_ptr(ttjit::hw::KernelThread *, int32_t cb);
uint32_t ttl_hw_get_read_ptr(ttjit::hw::KernelThread *, int32_t cb);

/// Returns a fact of a buffer; 0 if the node has no such buffer.
int32_t ttl_hw_cb_fact(ttjit::hw::KernelThread *, int32_t cb, ttjit::hw::BufferFact fact);

//===--------------------------------------------------------------------------===//
// NoC
//===--------------------------------------------------------------------------===//

/// Finds the tensor whose pages of `pageBytes` begin at `base` in the given
/// memory (DRAM banks, or L1 banks if `inL1`); OutOfBounds fault if none does.
ttjit::hw::Status ttl_hw_tensor_accessor(ttjit::hw::KernelThread *, uint32_t base,
                                         int32_t pageBytes, int32_t inL1,
                                         const ttjit::hw::TensorAccess **out);
/// Starts a transfer of a page, which gets the thread's current id for reads (writes).
ttjit::hw::Status ttl_hw_noc_async_read_page(ttjit::hw::KernelThread *, int32_t page,
                                             const ttjit::hw::TensorAccess *, uint32_t l1Address);
ttjit::hw::Status ttl_hw_noc_async_write_page(ttjit::hw::KernelThread *, int32_t page,
                                              const ttjit::hw::TensorAccess *, uint32_t l1Address);
/// Reads `count` pages that follow each other in the bank of `page` as one transfer. They
/// are every numBanks-th page of the tensor from `page` on.
ttjit::hw::Status ttl_hw_noc_async_read_pages(ttjit::hw::KernelThread *, int32_t page,
                                              const ttjit::hw::TensorAccess *, uint32_t l1Address,
                                              int32_t count);
ttjit::hw::Status ttl_hw_noc_async_write_pages(ttjit::hw::KernelThread *, int32_t page,
                                               const ttjit::hw::TensorAccess *, uint32_t l1Address,
                                               int32_t count);
/// Move `bytes` bytes from byte `offset` of a row of a row-major tensor on, which may be in several
/// pages. Source and destination may have any alignment.
ttjit::hw::Status ttl_hw_noc_async_read_row(ttjit::hw::KernelThread *, int32_t row,
                                            const ttjit::hw::TensorAccess *, int32_t offset,
                                            int32_t bytes, uint32_t l1Address);
ttjit::hw::Status ttl_hw_noc_async_write_row(ttjit::hw::KernelThread *, int32_t row,
                                             const ttjit::hw::TensorAccess *, int32_t offset,
                                             int32_t bytes, uint32_t l1Address);
ttjit::hw::Status ttl_hw_noc_async_read_set_trid(ttjit::hw::KernelThread *, int32_t trid);
ttjit::hw::Status ttl_hw_noc_async_write_set_trid(ttjit::hw::KernelThread *, int32_t trid);
ttjit::hw::Status ttl_hw_noc_async_read_barrier_with_trid(ttjit::hw::KernelThread *, int32_t trid);
ttjit::hw::Status ttl_hw_noc_async_write_barrier_with_trid(ttjit::hw::KernelThread *, int32_t trid);
ttjit::hw::Status ttl_hw_noc_async_read_barrier(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_noc_async_write_barrier(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_noc_async_writes_flushed(ttjit::hw::KernelThread *);
/// After a call with 1, writes are posted, until a call with 0. Barriers do not wait for posted
/// writes; only ..._posted_writes_flushed does.
void ttl_hw_noc_post_writes(ttjit::hw::KernelThread *, int32_t posts);
ttjit::hw::Status ttl_hw_noc_async_posted_writes_flushed(ttjit::hw::KernelThread *);

/// Return the NoC coordinate of a column (row) of the compute grid.
int32_t ttl_hw_convert_logical_x_to_translated(ttjit::hw::KernelThread *, int32_t x);
int32_t ttl_hw_convert_logical_y_to_translated(ttjit::hw::KernelThread *, int32_t y);
/// 64-bit NoC addresses: local address [31:0], x [41:36], y [47:42]; multicast
/// adds the start corner x [53:48], y [59:54]. Coordinates are virtual.
uint64_t ttl_hw_get_noc_addr(ttjit::hw::KernelThread *, int32_t x, int32_t y, uint32_t address);
uint64_t ttl_hw_get_noc_multicast_addr(ttjit::hw::KernelThread *, int32_t xStart, int32_t yStart,
                                       int32_t xEnd, int32_t yEnd, uint32_t address);
/// The NoC address of byte `offset` of a page of a tensor; that of an address in a bank.
ttjit::hw::Status ttl_hw_page_noc_addr(ttjit::hw::KernelThread *, const ttjit::hw::TensorAccess *,
                                       int32_t page, uint32_t offset, uint64_t *out);
uint64_t ttl_hw_bank_noc_addr(ttjit::hw::KernelThread *, int32_t isDram, uint32_t bank,
                              uint32_t address);
/// set_state keeps what noc_async_read_set_state and noc_async_write_..._set_state set: a core or
/// bank, and a size. The other two functions return the address, with `local` in it, and the size.
void ttl_hw_noc_set_state(ttjit::hw::KernelThread *, int32_t writes, uint64_t address,
                          uint32_t bytes);
uint64_t ttl_hw_noc_state_address(ttjit::hw::KernelThread *, int32_t writes, uint32_t local);
uint32_t ttl_hw_noc_state_bytes(ttjit::hw::KernelThread *, int32_t writes);
/// Move bytes between L1 and a NoC address. In a DRAM bank, they must be those of one tensor.
ttjit::hw::Status ttl_hw_noc_async_read(ttjit::hw::KernelThread *, uint64_t source,
                                        uint32_t l1Address, int32_t bytes);
ttjit::hw::Status ttl_hw_noc_async_write(ttjit::hw::KernelThread *, uint32_t l1Address,
                                         uint64_t destination, int32_t bytes);
/// Writes the word `value` to the L1 of a core.
ttjit::hw::Status ttl_hw_noc_inline_dw_write(ttjit::hw::KernelThread *, uint64_t destination,
                                             uint32_t value);
/// The plain multicast does not write the sender, and `numDests` does not count it. The
/// loopback multicast writes the sender, and `numDests` counts it.
ttjit::hw::Status ttl_hw_noc_async_write_multicast(ttjit::hw::KernelThread *, uint32_t l1Address,
                                                   uint64_t destination, int32_t bytes,
                                                   int32_t numDests);
ttjit::hw::Status ttl_hw_noc_async_write_multicast_loopback_src(ttjit::hw::KernelThread *,
                                                                uint32_t l1Address,
                                                                uint64_t destination, int32_t bytes,
                                                                int32_t numDests);

//===--------------------------------------------------------------------------===//
// Semaphores: 32-bit words in L1
//===--------------------------------------------------------------------------===//

uint32_t ttl_hw_get_semaphore(ttjit::hw::KernelThread *, int32_t id);
/// Returns the word at an L1 address. Ends the run if programs may not use the address.
uint32_t ttl_hw_load_from_l1(ttjit::hw::KernelThread *, uint32_t address);
ttjit::hw::Status ttl_hw_noc_semaphore_set(ttjit::hw::KernelThread *, uint32_t address,
                                           uint32_t value);
ttjit::hw::Status ttl_hw_noc_semaphore_wait(ttjit::hw::KernelThread *, uint32_t address,
                                            uint32_t value);
ttjit::hw::Status ttl_hw_noc_semaphore_wait_min(ttjit::hw::KernelThread *, uint32_t address,
                                                uint32_t value);
/// Blocks until one of `count` words is at least its value. Sets `*index` to the number of the
/// first such word in the order start, start + 1, ..., modulo `count`. A word whose value is
/// 0xffffffff is not awaited; the call faults if no word is awaited.
ttjit::hw::Status ttl_hw_semaphore_wait_any(ttjit::hw::KernelThread *, const uint32_t *addresses,
                                            const uint32_t *values, int32_t count, int32_t start,
                                            uint32_t *index);
ttjit::hw::Status ttl_hw_noc_semaphore_inc(ttjit::hw::KernelThread *, uint64_t destination,
                                           uint32_t increment);
/// Increments the semaphore of each core of a rectangle, which must not contain the sender.
ttjit::hw::Status ttl_hw_noc_semaphore_inc_multicast(ttjit::hw::KernelThread *,
                                                     uint64_t destination, uint32_t increment,
                                                     int32_t numDests);
ttjit::hw::Status ttl_hw_noc_semaphore_set_remote(ttjit::hw::KernelThread *, uint32_t source,
                                                  uint64_t destination);
ttjit::hw::Status ttl_hw_noc_semaphore_set_multicast(ttjit::hw::KernelThread *, uint32_t source,
                                                     uint64_t destination, int32_t numDests);
ttjit::hw::Status ttl_hw_noc_semaphore_set_multicast_loopback_src(ttjit::hw::KernelThread *,
                                                                  uint32_t source,
                                                                  uint64_t destination,
                                                                  int32_t numDests);
/// Blocks until every increment of this thread has landed.
ttjit::hw::Status ttl_hw_noc_async_atomic_barrier(ttjit::hw::KernelThread *);

//===--------------------------------------------------------------------------===//
// DST sections and tiles
//===--------------------------------------------------------------------------===//

ttjit::hw::Status ttl_hw_tile_regs_acquire(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_tile_regs_commit(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_tile_regs_wait(ttjit::hw::KernelThread *);
ttjit::hw::Status ttl_hw_tile_regs_release(ttjit::hw::KernelThread *);

/// Copies tile `index` of the front of the buffer to DST[dst].
ttjit::hw::Status ttl_hw_copy_tile(ttjit::hw::KernelThread *, int32_t cb, int32_t index,
                                   int32_t dst);
/// Rounds DST[dst] and stores it into slot `index` of the reserved region.
ttjit::hw::Status ttl_hw_pack_tile(ttjit::hw::KernelThread *, int32_t dst, int32_t cb,
                                   int32_t index);
/// Stores `count` registers from DST[dst] on into the slots that follow those which this
/// function has filled since the last push.
ttjit::hw::Status ttl_hw_pack_tile_block(ttjit::hw::KernelThread *, int32_t dst, int32_t cb,
                                         int32_t count);
/// Non-zero: from now on pack_tile adds to what the slot holds; 0: it overwrites the slot.
ttjit::hw::Status ttl_hw_pack_reconfig_l1_acc(ttjit::hw::KernelThread *, int32_t enable);
ttjit::hw::Status ttl_hw_copy_dest_values(ttjit::hw::KernelThread *, int32_t dstTo,
                                          int32_t dstFrom);
ttjit::hw::Status ttl_hw_fill_tile(ttjit::hw::KernelThread *, int32_t dst, float value);
/// DST[dst] += tile index0 of cb0 x tile index1 of cb1; an unwritten DST[dst] counts as
/// +0.
ttjit::hw::Status ttl_hw_matmul_tiles(ttjit::hw::KernelThread *, int32_t cb0, int32_t cb1,
                                      int32_t index0, int32_t index1, int32_t dst);
/// Reduces tile `index` and combines the result with DST[dst]; `kind` is the number of
/// a ReduceKind.
ttjit::hw::Status ttl_hw_reduce_tile(ttjit::hw::KernelThread *, int32_t cb, int32_t cbScaling,
                                     int32_t index, int32_t indexScaling, int32_t dst,
                                     int32_t kind);
/// Broadcasts tile `index` into DST[dst]: `dims` (a TileDims) names the dimensions
/// along which one row, column or element is repeated.
ttjit::hw::Status ttl_hw_unary_bcast(ttjit::hw::KernelThread *, int32_t cb, int32_t index,
                                     int32_t dst, int32_t dims);
ttjit::hw::Status ttl_hw_transpose_wh_tile(ttjit::hw::KernelThread *, int32_t cb, int32_t index,
                                           int32_t dst);
/// Matrix engine, element by element, on tiles in L1. add_tiles and sub_tiles set
/// DST[dst] to a + b and a - b. mul_tiles adds a * b with one fma; an unwritten
/// DST[dst] counts as -0.
ttjit::hw::Status ttl_hw_add_tiles(ttjit::hw::KernelThread *, int32_t cb0, int32_t cb1,
                                   int32_t index0, int32_t index1, int32_t dst);
ttjit::hw::Status ttl_hw_sub_tiles(ttjit::hw::KernelThread *, int32_t cb0, int32_t cb1,
                                   int32_t index0, int32_t index1, int32_t dst);
ttjit::hw::Status ttl_hw_mul_tiles(ttjit::hw::KernelThread *, int32_t cb0, int32_t cb1,
                                   int32_t index0, int32_t index1, int32_t dst);
/// Tile operations on DST registers, one function per kind; `tileOp` is a row of
/// hw/facts/TileOps.def.
ttjit::hw::Status ttl_hw_sfpu_unary(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst);
ttjit::hw::Status ttl_hw_sfpu_binary(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst0,
                                     int32_t dst1, int32_t odst);
ttjit::hw::Status ttl_hw_sfpu_unary_param(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst,
                                          float p0, float p1, float p2);
ttjit::hw::Status ttl_hw_sfpu_unary_int(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst,
                                        int32_t number);
ttjit::hw::Status ttl_hw_sfpu_ternary(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst0,
                                      int32_t dst1, int32_t dst2, int32_t odst);
ttjit::hw::Status ttl_hw_sfpu_mask(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst,
                                   int32_t dstMask);

//===--------------------------------------------------------------------------===//
// Prints, signposts, elements, functions of the host
//===--------------------------------------------------------------------------===//

/// Prints a format string (hw/facts/FormatText.h) with its numbers: one letter of `kinds`
/// (i, f, b for an int32, fp32, bool) and one word of `values` each.
ttjit::hw::Status ttl_hw_dprint(ttjit::hw::KernelThread *, const char *text, const char *kinds,
                                const uint32_t *values);
/// Prints a text or a number in the form of DPRINT. `bits`: the address of the text, or the number.
ttjit::hw::Status ttl_hw_dprint_field(ttjit::hw::KernelThread *, ttjit::hw::PrintKind kind,
                                      uint64_t bits, int32_t width, int32_t precision, int32_t base,
                                      int32_t isFixed);
/// Prints elements of a tile: every `step`-th one of the rows and columns from first to before end.
/// `tile` counts from the front, or from the beginning of the reserved region if `reserved` is
/// 1.
ttjit::hw::Status ttl_hw_dprint_slice(ttjit::hw::KernelThread *, int32_t cb, int32_t tile,
                                      int32_t reserved, const ttjit::hw::TileSlice *);
/// Prints the block that begins `page` pages after the front, or after the beginning of the
/// reserved region if `reserved` is 1.
ttjit::hw::Status ttl_hw_dprint_block(ttjit::hw::KernelThread *, int32_t cb, int32_t page,
                                      int32_t reserved);
ttjit::hw::Status ttl_hw_dprint_buffer(ttjit::hw::KernelThread *, int32_t cb);
/// Prints `numPages` pages of a tensor. `format` is a DataFormat. `columns` is the number of
/// elements of a page, which is then one row; 0 if a page is a tile.
ttjit::hw::Status ttl_hw_dprint_tensor(ttjit::hw::KernelThread *, const ttjit::hw::TensorAccess *,
                                       int32_t numPages, const char *heading, int32_t format,
                                       int32_t columns);
/// Records a signpost. `kind`: 0 a point, 1 and 2 begin and end of a region, 3 costs (Events.h).
ttjit::hw::Status ttl_hw_signpost(ttjit::hw::KernelThread *, int32_t kind, const char *name);
/// Load or store one element of a block. `format` must be Float32 or Float16_b. A load also takes
/// the formats of integers; its value is then the float that has the integer's 32 bits.
ttjit::hw::Status ttl_hw_load_element(ttjit::hw::KernelThread *, uint32_t address, int32_t format,
                                      float *value);
ttjit::hw::Status ttl_hw_store_element(ttjit::hw::KernelThread *, uint32_t address, int32_t format,
                                       float value);
/// Calls Program::hostFunctions[name]. `signature` has a letter for each argument: those of
/// `kinds` in ttl_hw_dprint, and r or w for a block to read or write. A block is two words: its
/// buffer, and its first page as in ttl_hw_dprint_block. `resultKind` 0: there is no result.
ttjit::hw::Status ttl_hw_call_host(ttjit::hw::KernelThread *, const char *name,
                                   const char *signature, const uint32_t *words, int32_t resultKind,
                                   uint32_t *result);

//===--------------------------------------------------------------------------===//
// Tiles: for kernels in C++ (hw/calls/MatrixApi.cpp)
//===--------------------------------------------------------------------------===//

/// DST[dst] = a op b, where b repeats along `dims` (TileDims); `tileOp` is Add, Sub or Mul.
/// A product is added to the register if that was written in this section.
ttjit::hw::Status ttl_hw_fpu_bcast(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dims,
                                   int32_t a, int32_t b, int32_t tileA, int32_t tileB, int32_t dst);
/// DST[dst] = DST[dst] op tile; if `dstIsSecond` is 1, tile op DST[dst].
ttjit::hw::Status ttl_hw_fpu_reuse(ttjit::hw::KernelThread *, int32_t tileOp, int32_t cb,
                                   int32_t tile, int32_t dst, int32_t dstIsSecond);
/// DST[dst] = DST[dst] op constant, or constant op DST[dst]; `tileOp` is a row of TILE_BINARY.
ttjit::hw::Status ttl_hw_sfpu_constant(ttjit::hw::KernelThread *, int32_t tileOp, int32_t dst,
                                       uint32_t bits, int32_t constantIsFirst);
/// DST[dst] = DST[dst] op word; `op` is a VectorOp.
ttjit::hw::Status ttl_hw_vector_constant(ttjit::hw::KernelThread *, int32_t op, int32_t dst,
                                         uint32_t word);
/// DST[odst] = DST[dst0] op DST[dst1]; `op` is a VectorOp.
ttjit::hw::Status ttl_hw_vector_binary(ttjit::hw::KernelThread *, int32_t op, int32_t dst0,
                                       int32_t dst1, int32_t odst);
/// Writes `count` tiles of 32 rows of the front of `in` to the reserved pages of `out`, or rows of
/// tiles if `tilizes` is 0. `firstIn` and `firstOut` are pages. The formats must be equal.
ttjit::hw::Status ttl_hw_tilize_block(ttjit::hw::KernelThread *, const char *name, int32_t in,
                                      int32_t count, int32_t out, int32_t firstIn, int32_t firstOut,
                                      int32_t tilizes);

//===--------------------------------------------------------------------------===//
// Inits of the units: for kernels in C++ (hw/device/UnitState.h)
//===--------------------------------------------------------------------------===//

/// Configures the hardware for the formats of these buffers. `name` is the kernel's function; the
/// string must outlive the run. Faults if the hardware is configured already.
ttjit::hw::Status ttl_hw_units_start(ttjit::hw::KernelThread *, const char *name, int32_t a,
                                     int32_t b, int32_t out);
/// Configures the hardware again. This resets the DST section: faults if it has a written tile.
ttjit::hw::Status ttl_hw_units_restart(ttjit::hw::KernelThread *, const char *name, int32_t a,
                                       int32_t out);
/// Configures `unit`, a UnitFormat, for the format of a buffer.
void ttl_hw_units_format(ttjit::hw::KernelThread *, uint8_t unit, int32_t cb);
/// `program` is unitProgram() of an operation. For an uninit, `op` is the operation alone.
ttjit::hw::Status ttl_hw_units_init(ttjit::hw::KernelThread *, uint32_t program);
void ttl_hw_units_uninit(ttjit::hw::KernelThread *, uint32_t op);
/// Sets up the matrix engine only. Faults unless the unpackers are set up to read two tiles.
ttjit::hw::Status ttl_hw_units_init_math(ttjit::hw::KernelThread *, uint32_t program);
/// Faults unless the units are set up for the operation, SrcA for the format of `a`, and SrcB for
/// that of `b`. If `b` is -1, the operation does not use SrcB.
ttjit::hw::Status ttl_hw_units_use(ttjit::hw::KernelThread *, uint32_t program, int32_t a,
                                   int32_t b);
/// Faults unless the packer is configured for the format of the buffer.
ttjit::hw::Status ttl_hw_units_pack(ttjit::hw::KernelThread *, const char *name, int32_t cb);
/// sfpu_init sets the vector unit up with the init of this name. sfpu_use faults unless it is.
void ttl_hw_sfpu_init(ttjit::hw::KernelThread *, const char *init);
ttjit::hw::Status ttl_hw_sfpu_use(ttjit::hw::KernelThread *, const char *name, const char *init);

//===--------------------------------------------------------------------------===//
// Faults and steps
//===--------------------------------------------------------------------------===//

/// Reports a fault of the program at the thread's position. `message` may be
/// null; it is copied.
ttjit::hw::Status ttl_hw_program_fault(ttjit::hw::KernelThread *, int32_t programFault,
                                       const char *message);
/// Reports a failed assertion whose message is a format string with numbers: see
/// ttl_hw_dprint.
ttjit::hw::Status ttl_hw_text_fault(ttjit::hw::KernelThread *, const char *text, const char *kinds,
                                    const uint32_t *values);
/// Reports an OutOfBounds fault unless 0 <= index and index + size <= bound. `object` is what
/// has this dimension, and its extent, such as "tensor 'a', which has 4 tile rows".
ttjit::hw::Status ttl_hw_check_index(ttjit::hw::KernelThread *, int64_t index, int64_t size,
                                     int64_t bound, int32_t dim, const char *object);
/// Counts one loop back-edge. Reports a fault when the step budget is used up; may
/// switch to another thread.
ttjit::hw::Status ttl_hw_step(ttjit::hw::KernelThread *);
/// Leaves a thread whose call returned Fault or Cancelled. No object on its stack is
/// destroyed.
[[noreturn]] void ttl_hw_abandon(ttjit::hw::KernelThread *);

} // extern "C"

/// X(name) for every function above.
// clang-format off: it formats this list differently each time it runs.
#define HW_KERNEL_API(X)                                                                           \
  X(ttl_hw_get_arg_val) X(ttl_hw_get_common_arg_val) X(ttl_hw_my_logical_x)                        \
  X(ttl_hw_my_logical_y) X(ttl_hw_cb_reserve_back) X(ttl_hw_cb_push_back)                          \
  X(ttl_hw_cb_wait_front) X(ttl_hw_cb_pop_front) X(ttl_hw_cb_publish) X(ttl_hw_cb_reset)           \
  X(ttl_hw_get_write_ptr) X(ttl_hw_get_read_ptr)                                                   \
  X(ttl_hw_tensor_accessor) X(ttl_hw_noc_async_read_page) X(ttl_hw_noc_async_write_page)           \
  X(ttl_hw_noc_async_read_pages) X(ttl_hw_noc_async_write_pages)                                   \
  X(ttl_hw_noc_async_read_row) X(ttl_hw_noc_async_write_row)                                       \
  X(ttl_hw_noc_async_read_set_trid) X(ttl_hw_noc_async_write_set_trid)                             \
  X(ttl_hw_noc_async_read_barrier_with_trid) X(ttl_hw_noc_async_write_barrier_with_trid)           \
  X(ttl_hw_noc_async_read_barrier) X(ttl_hw_noc_async_write_barrier)                               \
  X(ttl_hw_noc_async_writes_flushed) X(ttl_hw_get_noc_addr) X(ttl_hw_get_noc_multicast_addr)       \
  X(ttl_hw_noc_async_read) X(ttl_hw_noc_async_write) X(ttl_hw_noc_async_write_multicast)           \
  X(ttl_hw_get_semaphore) X(ttl_hw_noc_semaphore_set) X(ttl_hw_noc_semaphore_wait)                 \
  X(ttl_hw_noc_semaphore_wait_min) X(ttl_hw_noc_semaphore_inc)                                     \
  X(ttl_hw_noc_semaphore_set_remote) X(ttl_hw_noc_semaphore_set_multicast)                         \
  X(ttl_hw_noc_semaphore_set_multicast_loopback_src)                                               \
  X(ttl_hw_noc_async_write_multicast_loopback_src) X(ttl_hw_noc_async_atomic_barrier)              \
  X(ttl_hw_load_from_l1) X(ttl_hw_convert_logical_x_to_translated)                                 \
  X(ttl_hw_convert_logical_y_to_translated) X(ttl_hw_tile_regs_acquire)                            \
  X(ttl_hw_tile_regs_commit) X(ttl_hw_tile_regs_wait) X(ttl_hw_tile_regs_release)                  \
  X(ttl_hw_copy_tile) X(ttl_hw_pack_tile) X(ttl_hw_pack_reconfig_l1_acc)                           \
  X(ttl_hw_copy_dest_values) X(ttl_hw_fill_tile) X(ttl_hw_matmul_tiles) X(ttl_hw_reduce_tile)      \
  X(ttl_hw_unary_bcast) X(ttl_hw_transpose_wh_tile) X(ttl_hw_sfpu_unary) X(ttl_hw_sfpu_binary)     \
  X(ttl_hw_sfpu_unary_param) X(ttl_hw_sfpu_unary_int) X(ttl_hw_sfpu_ternary)                       \
  X(ttl_hw_sfpu_mask) X(ttl_hw_program_fault) X(ttl_hw_pack_tile_block) X(ttl_hw_add_tiles)        \
  X(ttl_hw_sub_tiles) X(ttl_hw_mul_tiles) X(ttl_hw_check_index) X(ttl_hw_step)                     \
  X(ttl_hw_abandon) X(ttl_hw_text_fault) X(ttl_hw_dprint) X(ttl_hw_dprint_block)                   \
  X(ttl_hw_dprint_buffer) X(ttl_hw_dprint_tensor) X(ttl_hw_signpost) X(ttl_hw_load_element)        \
  X(ttl_hw_store_element) X(ttl_hw_call_host) X(ttl_hw_semaphore_wait_any)                         \
  X(ttl_hw_units_start) X(ttl_hw_units_restart) X(ttl_hw_units_format) X(ttl_hw_units_init)        \
  X(ttl_hw_units_init_math) X(ttl_hw_vector_constant) X(ttl_hw_vector_binary)                      \
  X(ttl_hw_units_uninit) X(ttl_hw_units_use) X(ttl_hw_units_pack) X(ttl_hw_sfpu_init)              \
  X(ttl_hw_sfpu_use) X(ttl_hw_page_noc_addr) X(ttl_hw_bank_noc_addr) X(ttl_hw_noc_set_state)       \
  X(ttl_hw_noc_state_address) X(ttl_hw_noc_state_bytes) X(ttl_hw_noc_inline_dw_write)              \
  X(ttl_hw_noc_post_writes) X(ttl_hw_noc_async_posted_writes_flushed)                              \
  X(ttl_hw_noc_semaphore_inc_multicast) X(ttl_hw_cb_fact) X(ttl_hw_dprint_field)                   \
  X(ttl_hw_dprint_slice) X(ttl_hw_fpu_bcast) X(ttl_hw_fpu_reuse) X(ttl_hw_sfpu_constant)           \
  X(ttl_hw_tilize_block)
// clang-format on

#endif // TTJIT_HW_ABI_KERNELAPI_H
