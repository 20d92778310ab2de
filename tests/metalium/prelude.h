//===- prelude.h - types of Metalium's kernel API for checks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Types, constants and macros that the functions of hw/facts/MetaliumApi.def use, and the calls
// that are no functions of that table. headers.py writes the functions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_METALIUM_PRELUDE_H
#define TTJIT_TESTS_METALIUM_PRELUDE_H

#include <stddef.h>
#include <stdint.h>

#define tt_l1_ptr
#define NOC_MAX_BURST_SIZE 8192

enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Float16_b = 5,
  Int32 = 8,
  UInt16 = 9,
  UInt32 = 24,
  UInt8 = 30
};
enum PoolType { SUM, AVG, MAX };
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum class BroadcastType { NONE, COL, ROW, SCALAR };
enum class SrcOrder { Regular, Reverse };

// Not constant, as in the real headers, where each data movement processor is one build.
extern const uint8_t noc_index;
extern uint8_t worker_logical_col_to_virtual_col[], worker_logical_row_to_virtual_row[];

//===--- Pointers of circular buffers -----------------------------------------===//

constexpr uint32_t cb_addr_shift = 4;
volatile uint32_t *get_cb_tiles_received_ptr(int cb), *get_cb_tiles_acked_ptr(int cb);
void noc_async_full_barrier();
namespace ckernel {
void tensix_sync();
namespace p_stall {
constexpr uint32_t STALL_TDMA = 1, UNPACK = 2, PACK = 4;
}
} // namespace ckernel
#define TTI_STALLWAIT(unit, condition) (void)((unit) + (condition))

//===--- Printing, profiling --------------------------------------------------===//

/// As in a build without the watcher.
#define ASSERT(condition, ...)

struct Printer {
  template <typename T> Printer &operator<<(const T &) { return *this; }
};
extern Printer DPRINT;
struct Manipulator {};
Manipulator ENDL(), FIXED(), DEFAULTFLOAT(), HEX(), OCT(), DEC();
Manipulator SETW(int width), SETPRECISION(int digits);
#define DPRINT_UNPACK(x) x
#define DPRINT_MATH(x) x
#define DPRINT_PACK(x) x
struct SliceRange {
  static SliceRange hw0_32_8();
};
enum TileSliceBuffer { TSLICE_INPUT_CB, TSLICE_OUTPUT_CB };
enum TileSlicePointer { TSLICE_RD_PTR, TSLICE_WR_PTR };
struct TSLICE {
  TSLICE(uint32_t cb, int tile, const SliceRange &);
  TSLICE(uint32_t cb, int tile, const SliceRange &, TileSliceBuffer, TileSlicePointer);
};
struct LocalCBInterface {
  uint32_t fifo_size, fifo_limit, fifo_page_size, fifo_rd_ptr, fifo_wr_ptr, fifo_wr_tile_ptr;
  uint32_t tiles_acked_received_init;
};
LocalCBInterface &get_local_cb_interface(uint32_t cb);
struct ProfilerZone {
  explicit ProfilerZone(const char *name);
  ~ProfilerZone();
};
#define DeviceZoneScopedN(name) ProfilerZone zone(name)

#endif // TTJIT_TESTS_METALIUM_PRELUDE_H
