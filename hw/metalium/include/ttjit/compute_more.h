//===- compute_more.h - functions that other ones are made of -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the compute API that emitted code does not call. The generation "new" renames some
// functions: both names are here.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

//===--------------------------------------------------------------------------===//
// Tiles of buffers, formats
//===--------------------------------------------------------------------------===//

/// A byte address. The three processors of the emulated core are one thread.
inline uint32_t get_tile_address(uint32_t cb, uint32_t tile) {
  using namespace ttjit;
  hw::KernelThread *thread = metalium::thread();
  int32_t buffer = metalium::bufferOf(cb);
  auto bytes = static_cast<uint32_t>(ttl_hw_cb_fact(thread, buffer, hw::BufferFact::PageBytes));
  return ttl_hw_get_read_ptr(thread, buffer) + tile * bytes;
}
inline uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t element) {
  uintptr_t address = get_tile_address(cb, tile) + element * sizeof(uint32_t);
  return *reinterpret_cast<volatile uint32_t *>(address);
}

template <bool...> inline void reconfig_data_format_srca(uint32_t, uint32_t to) {
  reconfig_data_format_srca(to);
}
template <bool...> inline void reconfig_data_format_srcb(uint32_t, uint32_t to) {
  reconfig_data_format_srcb(to);
}
template <bool...>
inline void reconfig_data_format(uint32_t, uint32_t to_a, uint32_t, uint32_t to_b) {
  reconfig_data_format(to_a, to_b);
}
template <bool...> inline void pack_reconfig_data_format(uint32_t, uint32_t to) {
  pack_reconfig_data_format(to);
}
/// All tiles of the emulated device have 32x32 elements.
inline void reconfig_matmul_tile_dims(uint32_t, uint32_t) {}
/// The emulated packer keeps no program of its own.
inline void pack_init(uint32_t) {}
inline void pack_block(uint32_t dst, uint32_t cb, uint32_t count) {
  pack_tile_block(dst, cb, count);
}

enum class SrcOrder : uint8_t { Regular, Reverse };
/// Reverse: the first buffer is configured for SrcB, the second for SrcA.
template <SrcOrder order>
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out) {
  if constexpr (order == SrcOrder::Reverse)
    compute_kernel_hw_startup(b, a, out);
  else
    compute_kernel_hw_startup(a, b, out);
}

//===--------------------------------------------------------------------------===//
// Copies, transposes
//===--------------------------------------------------------------------------===//

inline void copy_tile_to_dst_init_short(uint32_t cb, uint32_t transpose = 0, bool = false) {
  ttjit::metalium::failIf(transpose != 0, "the emulated device does not transpose in copy_tile: "
                                          "use transpose_wh_tile");
  copy_tile_init(cb);
}
inline void copy_tile_to_dst_init_short_with_dt(uint32_t, uint32_t cb, uint32_t transpose = 0) {
  reconfig_data_format_srca(cb);
  copy_tile_to_dst_init_short(cb, transpose);
}
inline void copy_init(uint32_t cb) { copy_tile_init(cb); }
inline void copy_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    copy_tile(cb, tile + i, dst + i);
}
inline void copy_block_matmul_partials(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  copy_block(cb, tile, dst, count);
}
inline void transpose_init(uint32_t cb) { transpose_wh_init_short(cb); }
inline void transpose_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  transpose_wh_tile(cb, tile, dst);
}
inline void transpose_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    transpose_wh_tile(cb, tile + i, dst + i);
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

namespace ttjit::metalium {
inline void refuseTransposed(uint32_t transpose) {
  failIf(transpose != 0, "the emulated device does not transpose the second operand of a product: "
                         "use transpose_wh_tile");
}
} // namespace ttjit::metalium

inline void matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0) {
  ttjit::metalium::refuseTransposed(transpose);
  mm_init_short(in0, in1);
}
inline void mm_init_short_with_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t transpose = 0) {
  reconfig_data_format_srca(in1);
  matmul_init(in0, in1, transpose);
}
inline void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                         uint32_t transpose) {
  ttjit::metalium::refuseTransposed(transpose);
  matmul_tiles(in0, in1, tile0, tile1, dst);
}
namespace ttjit::metalium {
/// Blocks of one tile by one tile are products of tiles.
inline int32_t blockVariant(uint32_t ct, uint32_t rt, uint32_t kt) {
  failIf(ct == 0 || rt == 0 || kt == 0, "a product of blocks has a dimension of 0 tiles");
  return static_cast<int32_t>(((ct - 1) & 0xff) | ((rt - 1) & 0xff) << 8 | ((kt - 1) & 0xff) << 16);
}
} // namespace ttjit::metalium

inline void matmul_block_init(uint32_t, uint32_t, uint32_t transpose = 0, uint32_t ct = 1,
                              uint32_t rt = 1, uint32_t kt = 1) {
  using namespace ttjit::metalium;
  refuseTransposed(transpose);
  initialise(UnitOp::Matmul, blockVariant(ct, rt, kt));
}
inline void mm_block_init_short(uint32_t in0, uint32_t in1, uint32_t transpose = 0, uint32_t ct = 1,
                                uint32_t rt = 1, uint32_t kt = 1) {
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
inline void mm_block_init(uint32_t in0, uint32_t in1, uint32_t out, uint32_t transpose = 0,
                          uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  ttjit::metalium::start("mm_block_init", in1, in0, out);
  matmul_block_init(in0, in1, transpose, ct, rt, kt);
}
/// One step of k: row r of A is tile tile0 + r * kt, column c of B is tile tile1 + c.
inline void matmul_block(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                         uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t kt) {
  using namespace ttjit::metalium;
  refuseTransposed(transpose);
  use(UnitOp::Matmul, blockVariant(ct, rt, kt), in1, in0);
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c)
      productOfTiles(in0, in1, tile0 + r * kt, tile1 + c, dst + r * ct + c);
}

//===--------------------------------------------------------------------------===//
// Sums, differences and products of elements
//===--------------------------------------------------------------------------===//

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

/// Without `full_init` the unpackers stay as the init of another of these operations left them.
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
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "name the operand that DST is");
  ttjit::metalium::initialise(ttjit::metalium::unitOf<type>(), ttjit::metalium::kReuse);
}
/// DEST_TO_SRCA: DST is the first operand, DEST_TO_SRCB: the second. The other one is the tile.
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
inline void binary_dest_reuse_tiles(uint32_t cb, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "name the operand that DST is");
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
  inline void op##_bcast_rows_init_short(uint32_t, uint32_t) {                                     \
    bcast_init<ELW, BroadcastType::ROW>(0, 0);                                                     \
  }                                                                                                \
  inline void op##_bcast_cols_init_short(uint32_t, uint32_t) {                                     \
    bcast_init<ELW, BroadcastType::COL>(0, 0);                                                     \
  }

template <EltwiseBinaryType type, BroadcastType dims> inline void bcast_init(uint32_t, uint32_t) {
  using namespace ttjit::metalium;
  initialise(unitOf<type>(), binaryVariant<dims>());
}
template <EltwiseBinaryType type, BroadcastType dims>
inline void init_bcast(uint32_t a, uint32_t b, uint32_t out) {
  ttjit::metalium::start("init_bcast", a, b, out);
  bcast_init<type, dims>(a, b);
}
TTJIT_BINARY(add, ELWADD)
TTJIT_BINARY(sub, ELWSUB)
TTJIT_BINARY(mul, ELWMUL)
#undef TTJIT_BINARY
inline void add_bcast_scalar_init_short(uint32_t a, uint32_t b) {
  bcast_init<ELWADD, BroadcastType::SCALAR>(a, b);
}
inline void sub_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b) {
  bcast_init<ELWSUB, BroadcastType::SCALAR>(a, b);
}
inline void mul_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b) {
  bcast_init<ELWMUL, BroadcastType::SCALAR>(a, b);
}

/// Of the generation "new": does not configure the hardware.
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

//===--------------------------------------------------------------------------===//
// Row-major and tiled pages
//===--------------------------------------------------------------------------===//

namespace ttjit::metalium {
inline void moveTiles(const char *name, UnitOp op, uint32_t block, uint32_t in, uint32_t count,
                      uint32_t out, uint32_t first_in = 0, uint32_t first_out = 0) {
  use(op, static_cast<int32_t>(block), in);
  usePacker(name, out);
  bool tilizes = op == UnitOp::Tilize || op == UnitOp::FastTilize;
  check(ttl_hw_tilize_block(thread(), name, bufferOf(in), static_cast<int32_t>(count),
                            bufferOf(out), static_cast<int32_t>(first_in),
                            static_cast<int32_t>(first_out), tilizes));
}
} // namespace ttjit::metalium

// The blocks of tilize_block make `block` tiles of 32 rows, which are `block` tiles wide.
#define TTJIT_TILIZE(name, op)                                                                     \
  inline void name##_init(uint32_t, uint32_t block, uint32_t) {                                    \
    ttjit::metalium::initialise(ttjit::hw::UnitOp::op, static_cast<int32_t>(block));               \
  }                                                                                                \
  inline void name##_uninit(uint32_t, uint32_t) {                                                  \
    ttjit::metalium::uninitialise(ttjit::hw::UnitOp::op);                                          \
  }                                                                                                \
  inline void name##_block(uint32_t in, uint32_t block, uint32_t out, uint32_t first_in = 0,       \
                           uint32_t first_out = 0) {                                               \
    ttjit::metalium::moveTiles(#name "_block", ttjit::hw::UnitOp::op, block, in, block, out,       \
                               first_in, first_out);                                               \
  }
TTJIT_TILIZE(tilize, Tilize)
TTJIT_TILIZE(fast_tilize, FastTilize)
#undef TTJIT_TILIZE
inline void tilize_init_short_with_dt(uint32_t, uint32_t in, uint32_t block, uint32_t out) {
  reconfig_data_format_srca(in);
  tilize_init(in, block, out);
}
inline void tilize_uninit_with_dt(uint32_t in, uint32_t next, uint32_t out) {
  tilize_uninit(in, out);
  reconfig_data_format_srca(next);
}

inline void untilize_init(uint32_t) { ttjit::metalium::initialise(ttjit::hw::UnitOp::Untilize); }
inline void untilize_uninit(uint32_t) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::Untilize);
}
template <uint32_t block_ct_dim = 1>
inline void untilize_block(uint32_t in, uint32_t full_ct_dim, uint32_t out) {
  using namespace ttjit::metalium;
  moveTiles("untilize_block", UnitOp::Untilize, 0, in, full_ct_dim, out);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_init(uint32_t, uint32_t) {
  static_assert(block_ct_dim == full_ct_dim, "the emulated device untilizes whole rows of tiles");
  ttjit::metalium::initialise(ttjit::hw::UnitOp::PackUntilize, block_ct_dim);
}
template <uint32_t block_ct_dim = 8, uint32_t full_ct_dim = block_ct_dim>
inline void pack_untilize_block(uint32_t in, uint32_t block_rt_dim, uint32_t out,
                                uint32_t block_c_index = 0) {
  using namespace ttjit::metalium;
  static_assert(block_ct_dim == full_ct_dim, "the emulated device untilizes whole rows of tiles");
  failIf(block_c_index != 0, "the emulated device untilizes whole rows of tiles");
  for (uint32_t row = 0; row < block_rt_dim; ++row)
    moveTiles("pack_untilize_block", UnitOp::PackUntilize, block_ct_dim, in, block_ct_dim, out,
              row * block_ct_dim, row * block_ct_dim);
}
inline void pack_untilize_uninit(uint32_t) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::PackUntilize);
}

#include "ttjit/vector.h"
