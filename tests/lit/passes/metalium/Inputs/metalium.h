//===- metalium.h - declarations to check emitted C++ against -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Declarations of the kernel API functions that emitted files call, so that a compiler
// can check names, numbers of arguments and types.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_LIT_EMIT_INPUTS_METALIUM_H
#define TTJIT_TESTS_LIT_EMIT_INPUTS_METALIUM_H

#include <cstdint>

constexpr uint32_t get_compile_time_arg_val(int index) { return index; }
template <typename T> T get_arg_val(int index);
template <typename T> T get_common_arg_val(int index);
uint8_t get_absolute_logical_x();
uint8_t get_absolute_logical_y();

void cb_reserve_back(int32_t cb, int32_t pages);
void cb_push_back(int32_t cb, int32_t pages);
void cb_wait_front(int32_t cb, int32_t pages);
void cb_pop_front(int32_t cb, int32_t pages);
uint32_t get_write_ptr(uint32_t cb);
uint32_t get_read_ptr(uint32_t cb);

template <uint32_t compileTimeOffset, uint32_t commonOffset = 0> struct TensorAccessorArgs {
  static constexpr uint32_t next_compile_time_args_offset() { return compileTimeOffset + 2; }
  static constexpr uint32_t next_common_runtime_args_offset() { return commonOffset; }
};
template <typename Args> struct TensorAccessor {
  TensorAccessor(const Args &, uint32_t base, uint32_t pageBytes);
  uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0) const;
};
template <typename Accessor>
void noc_async_read_page(uint32_t page, const Accessor &, uint32_t address);
template <typename Accessor>
void noc_async_write_page(uint32_t page, const Accessor &, uint32_t address);
void noc_async_read(uint64_t source, uint32_t address, uint32_t bytes);
void noc_async_write(uint32_t address, uint64_t destination, uint32_t bytes);
void noc_async_read_set_trid(uint32_t trid);
void noc_async_write_set_trid(uint32_t trid);
void noc_async_read_barrier_with_trid(uint32_t trid);
void noc_async_write_barrier_with_trid(uint32_t trid);
void noc_async_read_barrier();
void noc_async_write_barrier();
void noc_async_writes_flushed();

//===--- Printing, profiling -----------------------------------------------===//

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
  uint32_t fifo_size, fifo_page_size, fifo_rd_ptr, fifo_wr_ptr, fifo_wr_tile_ptr;
};
LocalCBInterface &get_local_cb_interface(uint32_t cb);
struct ProfilerZone {
  explicit ProfilerZone(const char *name);
  ~ProfilerZone();
};
#define DeviceZoneScopedN(name) ProfilerZone zone(name)

#define tt_l1_ptr
constexpr uint8_t noc_index = 0;
extern uint8_t worker_logical_col_to_virtual_col[], worker_logical_row_to_virtual_row[];
uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t noc = noc_index);
uint64_t get_noc_multicast_addr(uint32_t xStart, uint32_t yStart, uint32_t xEnd, uint32_t yEnd,
                                uint32_t address, uint8_t noc = noc_index);
void noc_async_read(uint64_t source, uint32_t address, uint32_t bytes);
void noc_async_write(uint32_t address, uint64_t destination, uint32_t bytes);
void noc_async_write_multicast(uint32_t address, uint64_t destination, uint32_t bytes,
                               uint32_t dests, bool linked = false);
void noc_async_write_multicast_loopback_src(uint32_t address, uint64_t destination, uint32_t bytes,
                                            uint32_t dests, bool linked = false);
uint32_t get_semaphore(uint32_t id);
void invalidate_l1_cache();
void noc_semaphore_set(volatile tt_l1_ptr uint32_t *word, uint32_t value);
void noc_semaphore_wait(volatile tt_l1_ptr uint32_t *word, uint32_t value);
void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t *word, uint32_t value);
void noc_semaphore_inc(uint64_t destination, uint32_t increment);
void noc_semaphore_set_remote(uint32_t address, uint64_t destination);
void noc_semaphore_set_multicast(uint32_t address, uint64_t destination, uint32_t dests,
                                 bool linked = false);
void noc_semaphore_set_multicast_loopback_src(uint32_t address, uint64_t destination,
                                              uint32_t dests, bool linked = false);
void noc_async_atomic_barrier();

#define NAMESPACE compute
#define MAIN kernel_main()
void tile_regs_acquire();
void tile_regs_commit();
void tile_regs_wait();
void tile_regs_release();
void init_sfpu(uint32_t in, uint32_t out);
void mm_init(uint32_t in0, uint32_t in1, uint32_t out, uint32_t transpose = 0);
void mm_init_short(uint32_t in0, uint32_t in1, uint32_t transpose = 0);
void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst);
void copy_tile_init(uint32_t cb);
void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst);
template <bool outOfOrder = false> void pack_tile(uint32_t dst, uint32_t cb, uint32_t tile = 0);
void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count);
void binary_op_init_common(uint32_t in0, uint32_t in1, uint32_t out);
void add_tiles_init(uint32_t in0, uint32_t in1);
void sub_tiles_init(uint32_t in0, uint32_t in1);
void mul_tiles_init(uint32_t in0, uint32_t in1);
void add_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst);
void sub_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst);
void mul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst);
void pack_reconfig_l1_acc(uint32_t enable);
void pack_reconfig_data_format(uint32_t cb);
void reconfig_data_format(uint32_t a, uint32_t b);
void reconfig_data_format_srca(uint32_t cb);
void copy_dest_values_init();
void copy_dest_values(uint32_t to, uint32_t from);
void fill_tile_init();
void fill_tile(uint32_t dst, float value);
enum class DataFormat : uint8_t { Float32 = 0, Float16_b = 5, Int32 = 8, UInt32 = 24 };
template <DataFormat format> void fill_tile_int(uint32_t dst, uint32_t value);
template <uint32_t from, uint32_t to> void typecast_tile_init();
template <uint32_t from, uint32_t to> void typecast_tile(uint32_t dst);
#define INTEGER_FUNCTION(name)                                                                     \
  void name##_init();                                                                              \
  template <DataFormat format> void name(uint32_t a, uint32_t b, uint32_t out);
INTEGER_FUNCTION(add_int_tile)
INTEGER_FUNCTION(sub_int_tile)
template <DataFormat format> void mul_int_tile_init();
template <DataFormat format> void mul_int_tile(uint32_t a, uint32_t b, uint32_t out);
#define INT32_FUNCTION(name)                                                                       \
  void name##_init();                                                                              \
  void name(uint32_t a, uint32_t b, uint32_t out);
INT32_FUNCTION(div_int32_trunc_tile)
INT32_FUNCTION(div_int32_floor_tile)
INT32_FUNCTION(remainder_int32_tile)
INT32_FUNCTION(binary_max_int32_tile)
INT32_FUNCTION(binary_min_int32_tile)
INT32_FUNCTION(binary_max_uint32_tile)
INT32_FUNCTION(binary_min_uint32_tile)
INT32_FUNCTION(lt_int32_tile)
INT32_FUNCTION(le_int32_tile)
enum PoolType { SUM, AVG, MAX };
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum class BroadcastType { NONE, COL, ROW, SCALAR };
void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out);
template <PoolType type, ReduceDim dim>
void reduce_init(uint32_t in, uint32_t scaling, uint32_t out);
template <PoolType type, ReduceDim dim>
void reduce_tile(uint32_t in, uint32_t scaling, uint32_t tile, uint32_t scalingTile, uint32_t dst);
void reduce_uninit();
template <BroadcastType type> void unary_bcast_init(uint32_t in, uint32_t out);
template <BroadcastType type> void unary_bcast(uint32_t in, uint32_t tile, uint32_t dst);
template <BroadcastType type> void unary_bcast_uninit(uint32_t in);
void transpose_wh_init(uint32_t in, uint32_t out);
void transpose_wh_init_short(uint32_t in);
void transpose_wh_tile(uint32_t in, uint32_t tile, uint32_t dst);
// Calls of these rows take a format or a variant as template arguments, too.
template <bool fast = true> void gelu_tile_init();
template <bool fast = true> void gelu_tile(uint32_t dst);
template <bool fast = true> void erf_tile_init();
template <bool fast = true> void erf_tile(uint32_t dst);
template <bool fast = true> void erfc_tile_init();
template <bool fast = true> void erfc_tile(uint32_t dst);
template <DataFormat format> void where_tile(uint32_t c, uint32_t a, uint32_t b, uint32_t out);
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  void init();                                                                                     \
  void call(uint32_t dst);
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  void init();                                                                                     \
  void call(uint32_t dst, TILE_BITS_##params);
#define TILE_BITS_1 uint32_t
#define TILE_BITS_2 uint32_t, uint32_t
#define TILE_BITS_3 uint32_t, uint32_t, uint32_t
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  void init();                                                                                     \
  void call(uint32_t dst, int32_t n);
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  void init();                                                                                     \
  void call(uint32_t dst0, uint32_t dst1, uint32_t out);
#define TILE_TERNARY(Id, name, call, init, header) void init();
#define TILE_MASK(Id, name, call, init, header)                                                    \
  void init();                                                                                     \
  void call(uint32_t dst, uint32_t mask, DataFormat format = DataFormat::Float16_b);
#include "hw/facts/TileOps.def"

#endif // TTJIT_TESTS_LIT_EMIT_INPUTS_METALIUM_H
