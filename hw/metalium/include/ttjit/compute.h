//===- compute.h - the compute API on the host ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All functions of the headers in api/compute. The emulated device keeps no state of the units
// between calls, so the functions that initialise a unit do nothing.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

#include "hw/facts/ReduceKind.h"
#include "hw/facts/TileOps.h"

enum class PoolType : uint8_t { SUM, AVG, MAX, MIN };
enum class ReduceDim : uint8_t { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum class BroadcastType : uint8_t { NONE, COL, ROW, SCALAR };

#define UNPACK(x) x
#define MATH(x) x
#define PACK(x) x

//===--------------------------------------------------------------------------===//
// Initialisation
//===--------------------------------------------------------------------------===//

#define TTJIT_INIT(name)                                                                           \
  template <typename... Arguments> inline void name(Arguments...) {}
TTJIT_INIT(init_sfpu)
TTJIT_INIT(unary_op_init_common)
TTJIT_INIT(binary_op_init_common)
TTJIT_INIT(compute_kernel_hw_startup)
TTJIT_INIT(copy_tile_init)
TTJIT_INIT(copy_dest_values_init)
TTJIT_INIT(mm_init)
TTJIT_INIT(mm_init_short)
TTJIT_INIT(add_tiles_init)
TTJIT_INIT(sub_tiles_init)
TTJIT_INIT(mul_tiles_init)
TTJIT_INIT(transpose_wh_init)
TTJIT_INIT(transpose_wh_init_short)
TTJIT_INIT(fill_tile_init)
#undef TTJIT_INIT

template <bool...> inline void reconfig_data_format(uint32_t, uint32_t) {}
template <bool...> inline void reconfig_data_format_srca(uint32_t) {}
template <bool...> inline void pack_reconfig_data_format(uint32_t) {}
template <PoolType, ReduceDim, bool = false>
inline void reduce_init(uint32_t, uint32_t, uint32_t) {}
template <bool = false> inline void reduce_uninit(uint32_t = 0) {}
template <BroadcastType> inline void unary_bcast_init(uint32_t, uint32_t) {}
template <BroadcastType> inline void unary_bcast_uninit(uint32_t) {}

//===--------------------------------------------------------------------------===//
// DST
//===--------------------------------------------------------------------------===//

#define TTJIT_CALL(name)                                                                           \
  inline void name() { ttjit::metalium::check(ttl_hw_##name(ttjit::metalium::thread())); }
TTJIT_CALL(tile_regs_acquire)
TTJIT_CALL(tile_regs_commit)
TTJIT_CALL(tile_regs_wait)
TTJIT_CALL(tile_regs_release)
#undef TTJIT_CALL

inline void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  check(ttl_hw_copy_tile(thread(), bufferOf(cb), static_cast<int32_t>(tile),
                         static_cast<int32_t>(dst)));
}
/// Without `out_of_order_output` the card ignores `tile` and packs one tile after the other.
template <bool out_of_order_output = false>
inline void pack_tile(uint32_t dst, uint32_t cb, [[maybe_unused]] uint32_t tile = 0) {
  using namespace ttjit::metalium;
  if constexpr (out_of_order_output)
    check(ttl_hw_pack_tile(thread(), static_cast<int32_t>(dst), bufferOf(cb),
                           static_cast<int32_t>(tile)));
  else
    check(ttl_hw_pack_tile_block(thread(), static_cast<int32_t>(dst), bufferOf(cb), 1));
}
inline void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count) {
  using namespace ttjit::metalium;
  check(ttl_hw_pack_tile_block(thread(), static_cast<int32_t>(dst), bufferOf(cb),
                               static_cast<int32_t>(count)));
}
inline void pack_reconfig_l1_acc(uint32_t enable) {
  ttjit::metalium::check(
      ttl_hw_pack_reconfig_l1_acc(ttjit::metalium::thread(), static_cast<int32_t>(enable)));
}
enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  UInt32 = 24,
  UInt8 = 30,
};

template <DataFormat> inline void copy_dest_values(uint32_t from, uint32_t to) {
  ttjit::metalium::check(ttl_hw_copy_dest_values(
      ttjit::metalium::thread(), static_cast<int32_t>(to), static_cast<int32_t>(from)));
}
inline void fill_tile(uint32_t dst, float value) {
  ttjit::metalium::check(
      ttl_hw_fill_tile(ttjit::metalium::thread(), static_cast<int32_t>(dst), value));
}

//===--------------------------------------------------------------------------===//
// Matrix engine
//===--------------------------------------------------------------------------===//

#define TTJIT_TWO_TILES(name)                                                                      \
  inline void name(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {       \
    using namespace ttjit::metalium;                                                               \
    check(ttl_hw_##name(thread(), bufferOf(a), bufferOf(b), static_cast<int32_t>(tile_a),          \
                        static_cast<int32_t>(tile_b), static_cast<int32_t>(dst)));                 \
  }
TTJIT_TWO_TILES(matmul_tiles)
TTJIT_TWO_TILES(add_tiles)
TTJIT_TWO_TILES(sub_tiles)
TTJIT_TWO_TILES(mul_tiles)
#undef TTJIT_TWO_TILES

/// REDUCE_ROW reduces each row to its first element, REDUCE_COL each column.
template <PoolType type, ReduceDim dim, bool = false>
inline void reduce_tile(uint32_t in, uint32_t scaler, uint32_t tile, uint32_t scaler_tile,
                        uint32_t dst) {
  using namespace ttjit;
  static_assert(type == PoolType::SUM || type == PoolType::MAX,
                "the emulated device reduces by SUM and MAX; multiply the scaler for AVG");
  constexpr hw::ReduceKind kind{type == PoolType::MAX ? hw::Pool::Max : hw::Pool::Sum,
                                static_cast<hw::TileDims>(dim)};
  metalium::check(ttl_hw_reduce_tile(metalium::thread(), metalium::bufferOf(in),
                                     metalium::bufferOf(scaler), static_cast<int32_t>(tile),
                                     static_cast<int32_t>(scaler_tile), static_cast<int32_t>(dst),
                                     kind.number()));
}

template <BroadcastType type> inline void unary_bcast(uint32_t in, uint32_t tile, uint32_t dst) {
  using namespace ttjit;
  static_assert(type != BroadcastType::NONE, "copy_tile copies a tile as it is");
  // BroadcastType names what is repeated, TileDims the dimension along which it is.
  constexpr hw::TileDims dims = type == BroadcastType::ROW   ? hw::TileDims::Col
                                : type == BroadcastType::COL ? hw::TileDims::Row
                                                             : hw::TileDims::Scalar;
  metalium::check(ttl_hw_unary_bcast(metalium::thread(), metalium::bufferOf(in),
                                     static_cast<int32_t>(tile), static_cast<int32_t>(dst),
                                     static_cast<int32_t>(dims)));
}

inline void transpose_wh_tile(uint32_t in, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  check(ttl_hw_transpose_wh_tile(thread(), bufferOf(in), static_cast<int32_t>(tile),
                                 static_cast<int32_t>(dst)));
}

#include "ttjit/tile_ops.h"
