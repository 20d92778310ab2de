//===- elements.h - sums, differences, products of elements ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that emitted code does not call. The generation "new" of tt-metal renames some of them:
// this file has both names.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

enum class EltwiseBinaryType : uint8_t { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class EltwiseBinaryReuseDestType : uint8_t { NONE, DEST_TO_SRCA, DEST_TO_SRCB };
inline constexpr EltwiseBinaryType ELWMUL = EltwiseBinaryType::ELWMUL,
                                   ELWADD = EltwiseBinaryType::ELWADD,
                                   ELWSUB = EltwiseBinaryType::ELWSUB;

namespace ttjit::metalium {
using hw::BinaryVariant;
using hw::TileOp;

template <EltwiseBinaryType type> constexpr UnitOp unitOf() {
  static_assert(type == ELWADD || type == ELWSUB || type == ELWMUL,
                "the matrix engine adds, subtracts and multiplies elements");
  return type == ELWADD ? UnitOp::Add : type == ELWSUB ? UnitOp::Sub : UnitOp::Mul;
}
template <EltwiseBinaryType type> constexpr int32_t tileOpOf() {
  return static_cast<int32_t>(type == ELWADD   ? TileOp::Add
                              : type == ELWSUB ? TileOp::Sub
                                               : TileOp::Mul);
}
template <BroadcastType type> constexpr int32_t binaryVariant() {
  return static_cast<int32_t>(type == BroadcastType::COL   ? BinaryVariant::BroadcastCol
                              : type == BroadcastType::ROW ? BinaryVariant::BroadcastRow
                                                           : BinaryVariant::BroadcastScalar);
}
inline constexpr int32_t kReuse = static_cast<int32_t>(BinaryVariant::ReuseDst);

template <EltwiseBinaryType type, BroadcastType dims>
inline void binaryBcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                        uint32_t row = 0) {
  failIf(row != 0, "the emulated device repeats row 0 of a tile only");
  use(unitOf<type>(), binaryVariant<dims>(), a, b);
  check(ttl_hw_fpu_bcast(thread(), tileOpOf<type>(), broadcastDims<dims>(), bufferOf(a),
                         bufferOf(b), static_cast<int32_t>(tile_a), static_cast<int32_t>(tile_b),
                         static_cast<int32_t>(dst)));
}
} // namespace ttjit::metalium

/// Without `full_init`, the unpackers stay set up by the last init of another of these operations.
template <bool full_init, EltwiseBinaryType type>
inline void binary_tiles_init(uint32_t, uint32_t, bool acc_to_dest = false) {
  using namespace ttjit::metalium;
  refuseAccumulation(acc_to_dest && type != ELWMUL);
  if constexpr (full_init)
    initialise(unitOf<type>());
  else
    initialiseMath(unitOf<type>());
}
inline void add_init(uint32_t a, uint32_t b, bool acc_to_dest = false) {
  add_tiles_init(a, b, acc_to_dest);
}
inline void sub_init(uint32_t a, uint32_t b, bool acc_to_dest = false) {
  sub_tiles_init(a, b, acc_to_dest);
}
inline void mul_init(uint32_t a, uint32_t b, bool acc_to_dest = false) {
  mul_tiles_init(a, b, acc_to_dest);
}

template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
inline void binary_dest_reuse_tiles_init(uint32_t) {
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "choose DEST_TO_SRCA or DEST_TO_SRCB");
  ttjit::metalium::initialise(ttjit::metalium::unitOf<type>(), ttjit::metalium::kReuse);
}
/// DEST_TO_SRCA: DST is the first operand. DEST_TO_SRCB: DST is the second. The tile is the other.
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
inline void binary_dest_reuse_tiles(uint32_t cb, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "choose DEST_TO_SRCA or DEST_TO_SRCB");
  constexpr bool isSecond = reuse == EltwiseBinaryReuseDestType::DEST_TO_SRCB;
  if constexpr (isSecond)
    use(unitOf<type>(), kReuse, cb);
  else
    use(unitOf<type>(), kReuse, -1u, cb);
  check(ttl_hw_fpu_reuse(thread(), tileOpOf<type>(), bufferOf(cb), static_cast<int32_t>(tile),
                         static_cast<int32_t>(dst), isSecond));
}

#define TTJIT_BINARY(op, ELW)                                                                      \
  template <EltwiseBinaryReuseDestType reuse> inline void op##_reuse_dest_init(uint32_t cb) {      \
    binary_dest_reuse_tiles_init<ELW, reuse>(cb);                                                  \
  }                                                                                                \
  template <EltwiseBinaryReuseDestType reuse>                                                      \
  inline void op##_reuse_dest_tiles(uint32_t cb, uint32_t tile, uint32_t dst) {                    \
    binary_dest_reuse_tiles<ELW, reuse>(cb, tile, dst);                                            \
  }                                                                                                \
  template <BroadcastType dims>                                                                    \
  inline void op##_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,           \
                               uint32_t dst, uint32_t row = 0) {                                   \
    ttjit::metalium::binaryBcast<ELW, dims>(a, b, tile_a, tile_b, dst, row);                       \
  }                                                                                                \
  inline void op##_tiles_bcast_rows(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,      \
                                    uint32_t dst, uint32_t row = 0) {                              \
    op##_tiles_bcast<BroadcastType::ROW>(a, b, tile_a, tile_b, dst, row);                          \
  }                                                                                                \
  inline void op##_tiles_bcast_cols(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,      \
                                    uint32_t dst) {                                                \
    op##_tiles_bcast<BroadcastType::COL>(a, b, tile_a, tile_b, dst);                               \
  }                                                                                                \
  inline void op##_tiles_bcast_scalar(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,    \
                                      uint32_t dst) {                                              \
    op##_tiles_bcast<BroadcastType::SCALAR>(a, b, tile_a, tile_b, dst);                            \
  }                                                                                                \
  inline void op##_bcast_rows_init_short(uint32_t = 0, uint32_t = 1) {                             \
    bcast_init<ELW, BroadcastType::ROW>(0, 0);                                                     \
  }                                                                                                \
  inline void op##_bcast_cols_init_short(uint32_t = 0, uint32_t = 1) {                             \
    bcast_init<ELW, BroadcastType::COL>(0, 0);                                                     \
  }

template <EltwiseBinaryType type, BroadcastType dims> inline void bcast_init(uint32_t, uint32_t) {
  using namespace ttjit::metalium;
  initialise(unitOf<type>(), binaryVariant<dims>());
}
template <EltwiseBinaryType type, BroadcastType dims>
inline void init_bcast(uint32_t a, uint32_t b, uint32_t out = 16) {
  ttjit::metalium::start("init_bcast", a, b, out);
  bcast_init<type, dims>(a, b);
}
TTJIT_BINARY(add, ELWADD)
TTJIT_BINARY(sub, ELWSUB)
TTJIT_BINARY(mul, ELWMUL)
#undef TTJIT_BINARY
template <EltwiseBinaryType type, BroadcastType dims>
inline void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                            uint32_t dst) {
  ttjit::metalium::binaryBcast<type, dims>(a, b, tile_a, tile_b, dst);
}
inline void add_bcast_scalar_init_short(uint32_t a = 0, uint32_t b = 1) {
  bcast_init<ELWADD, BroadcastType::SCALAR>(a, b);
}
inline void sub_tiles_bcast_scalar_init_short(uint32_t a = 0, uint32_t b = 1) {
  bcast_init<ELWSUB, BroadcastType::SCALAR>(a, b);
}
inline void mul_tiles_bcast_scalar_init_short(uint32_t a = 0, uint32_t b = 1) {
  bcast_init<ELWMUL, BroadcastType::SCALAR>(a, b);
}

/// The form of the generation "new" of tt-metal, which does not configure the hardware.
template <BroadcastType type> inline void unary_bcast_init(uint32_t) {
  using namespace ttjit::metalium;
  initialise(UnitOp::Broadcast, broadcastDims<type>());
}
template <BroadcastType, BroadcastType type>
inline void reconfigure_unary_bcast(uint32_t, uint32_t in, uint32_t, uint32_t out) {
  using namespace ttjit::metalium;
  reconfig_data_format(in, in);
  pack_reconfig_data_format(out);
  uninitialise(UnitOp::Broadcast);
  unary_bcast_init<type>(in);
}
