//===- compute.h - the compute API on the host ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All functions of the headers in api/compute. An init only notes what it sets up, and each
// operation checks that its own init was the last one (hw/device/UnitState.h).
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/debug.h"

#include "hw/facts/ReduceKind.h"
#include "hw/facts/TileOps.h"
#include "hw/facts/UnitOp.h"
#include "hw/facts/VectorOp.h"

enum class PoolType : uint8_t { SUM, AVG, MAX, MIN };
enum class ReduceDim : uint8_t { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum class BroadcastType : uint8_t { NONE, COL, ROW, SCALAR };

#define UNPACK(x) x
#define MATH(x) x
#define PACK(x) x

//===--------------------------------------------------------------------------===//
// Initialisation
//===--------------------------------------------------------------------------===//

namespace ttjit::metalium {
using hw::UnitFormat;
using hw::UnitOp;

inline constexpr uint32_t kUnpackToDest[] = {TTJIT_UNPACK_TO_DEST kFixedAddress};

/// Returns the number of a buffer that the unpacker reads, with kUnpackedToDst set in that mode.
inline int32_t sourceOf(uint32_t cb) {
  bool isToDst = isSecondId(cb);
  for (uint32_t id : kUnpackToDest)
    isToDst |= id == cb;
  return bufferOf(cb) | (isToDst ? hw::kUnpackedToDst : 0);
}

inline void start(const char *name, uint32_t a, uint32_t b, uint32_t out) {
  check(ttl_hw_units_start(thread(), name, sourceOf(a), sourceOf(b), bufferOf(out)));
}
inline void configure(UnitFormat unit, uint32_t cb) {
  bool isSource = unit != UnitFormat::Packer;
  ttl_hw_units_format(thread(), static_cast<uint8_t>(unit), isSource ? sourceOf(cb) : bufferOf(cb));
}
inline void initialise(UnitOp op, int32_t variant = 0) {
  check(ttl_hw_units_init(thread(), hw::unitProgram(op, variant)));
}
inline void uninitialise(UnitOp op) { ttl_hw_units_uninit(thread(), hw::unitProgram(op)); }

/// Notes an init of the matrix engine only.
inline void initialiseMath(UnitOp op) {
  check(ttl_hw_units_init_math(thread(), hw::unitProgram(op)));
}

/// Checks the init of an operation that reads one tile, through SrcA, or (below) two tiles.
inline void use(UnitOp op, int32_t variant, uint32_t a) {
  check(ttl_hw_units_use(thread(), hw::unitProgram(op, variant), sourceOf(a), -1));
}
inline void use(UnitOp op, int32_t variant, uint32_t a, uint32_t b) {
  check(ttl_hw_units_use(thread(), hw::unitProgram(op, variant), sourceOf(a), sourceOf(b)));
}
inline void usePacker(const char *name, uint32_t cb) {
  check(ttl_hw_units_pack(thread(), name, bufferOf(cb)));
}
inline void useVectorUnit(const char *name, const char *init) {
  check(ttl_hw_sfpu_use(thread(), name, init));
}

/// Returns the number of a ReduceKind. AVG is a sum, because the scaler has the factor.
template <PoolType type, ReduceDim dim> constexpr int32_t reduceKind() {
  static_assert(type != PoolType::MIN, "the emulated device reduces by SUM, AVG and MAX");
  return hw::ReduceKind{type == PoolType::MAX ? hw::Pool::Max : hw::Pool::Sum,
                        static_cast<hw::TileDims>(dim)}
      .number();
}
/// BroadcastType says what is repeated; TileDims says along which dimension.
template <BroadcastType type> constexpr int32_t broadcastDims() {
  static_assert(type != BroadcastType::NONE, "NONE broadcasts nothing: call copy_tile");
  return static_cast<int32_t>(type == BroadcastType::ROW   ? hw::TileDims::Col
                              : type == BroadcastType::COL ? hw::TileDims::Row
                                                           : hw::TileDims::Scalar);
}
} // namespace ttjit::metalium

// Functions that configure the hardware
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out) {
  ttjit::metalium::start("compute_kernel_hw_startup", a, b, out);
}
inline void compute_kernel_hw_startup(uint32_t in, uint32_t out) {
  compute_kernel_hw_startup(in, in, out);
}
inline void binary_op_init_common(uint32_t a, uint32_t b, uint32_t out = 16) {
  ttjit::metalium::start("binary_op_init_common", a, b, out);
}
inline void unary_op_init_common(uint32_t in, uint32_t out = 16) {
  ttjit::metalium::start("unary_op_init_common", in, in, out);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Copy);
}
inline void init_sfpu(uint32_t in, uint32_t out = 16) {
  ttjit::metalium::start("init_sfpu", in, in, out);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Copy);
}
namespace ttjit::metalium {
inline void refuseTransposed(uint32_t transpose) {
  failIf(transpose != 0, "the emulated device does not transpose the second operand of a product: "
                         "use transpose_wh_tile");
}
} // namespace ttjit::metalium

/// The first operand goes to SrcB, the second to SrcA.
inline void mm_init(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t out = 16, uint32_t transpose = 0) {
  ttjit::metalium::refuseTransposed(transpose);
  ttjit::metalium::start("mm_init", in1, in0, out);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Matmul);
}
inline void transpose_wh_init(uint32_t in, uint32_t out = 16) {
  ttjit::metalium::start("transpose_wh_init", in, in, out);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Transpose);
}
template <BroadcastType type> inline void unary_bcast_init(uint32_t in, uint32_t out) {
  using namespace ttjit::metalium;
  check(ttl_hw_units_restart(thread(), "unary_bcast_init", sourceOf(in), bufferOf(out)));
  initialise(UnitOp::Broadcast, broadcastDims<type>());
}

// Formats
template <bool...> inline void reconfig_data_format_srca(uint32_t cb) {
  ttjit::metalium::configure(ttjit::hw::UnitFormat::SrcA, cb);
}
template <bool...> inline void reconfig_data_format_srcb(uint32_t cb) {
  ttjit::metalium::configure(ttjit::hw::UnitFormat::SrcB, cb);
}
template <bool...> inline void reconfig_data_format(uint32_t a, uint32_t b) {
  reconfig_data_format_srca(a);
  reconfig_data_format_srcb(b);
}
template <bool...> inline void pack_reconfig_data_format(uint32_t cb) {
  ttjit::metalium::configure(ttjit::hw::UnitFormat::Packer, cb);
}

namespace ttjit::metalium {
inline void refuseAccumulation(bool acc_to_dest) {
  failIf(acc_to_dest, "the emulated device does not add the result to the register of DST: add it "
                      "with add_binary_tile");
}
} // namespace ttjit::metalium

// Inits of operations
#define TTJIT_INIT(name, op, ...)                                                                  \
  inline void name(__VA_ARGS__) { ttjit::metalium::initialise(ttjit::hw::UnitOp::op); }
TTJIT_INIT(copy_tile_init, Copy, uint32_t = 0)
/// mul_tiles_init ignores `acc_to_dest`: mul_tiles adds to DST in both cases.
TTJIT_INIT(mul_tiles_init, Mul, uint32_t = 0, uint32_t = 1, uint32_t = 0)
TTJIT_INIT(transpose_wh_init_short, Transpose, uint32_t)
#undef TTJIT_INIT
inline void mm_init_short(uint32_t = 0, uint32_t = 1, uint32_t transpose = 0) {
  ttjit::metalium::refuseTransposed(transpose);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Matmul);
}
inline void add_tiles_init(uint32_t = 0, uint32_t = 1, bool acc_to_dest = false) {
  ttjit::metalium::refuseAccumulation(acc_to_dest);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Add);
}
inline void sub_tiles_init(uint32_t = 0, uint32_t = 1, bool acc_to_dest = false) {
  ttjit::metalium::refuseAccumulation(acc_to_dest);
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Sub);
}
// The build of a kernel that reduces defines the defaults.
#if defined(REDUCE_OP) && defined(REDUCE_DIM)
#define TTJIT_REDUCTION PoolType type = REDUCE_OP, ReduceDim dim = REDUCE_DIM
#else
#define TTJIT_REDUCTION PoolType type, ReduceDim dim
#endif
template <TTJIT_REDUCTION, bool = false> inline void reduce_init(uint32_t, uint32_t, uint32_t) {
  ttjit::metalium::initialise(ttjit::hw::UnitOp::Reduce, ttjit::metalium::reduceKind<type, dim>());
}
template <bool = false> inline void reduce_uninit(uint32_t = 0) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::Reduce);
}
template <BroadcastType> inline void unary_bcast_uninit(uint32_t) {
  ttjit::metalium::uninitialise(ttjit::hw::UnitOp::Broadcast);
}
inline void fill_tile_init() { ttl_hw_sfpu_init(ttjit::metalium::thread(), "fill_tile_init"); }
inline void copy_dest_values_init() {
  ttl_hw_sfpu_init(ttjit::metalium::thread(), "copy_dest_values_init");
}

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

namespace ttjit::metalium {
/// Returns whether, in device numerics, the tiles of a buffer reach an fp32 DST through a source
/// register, as TF32. TTJIT_NARROW_SOURCES is then defined for kernels with an fp32 DST.
inline constexpr bool passesSource([[maybe_unused]] uint32_t cb) {
#ifdef TTJIT_NARROW_SOURCES
  return formatOf(cb) == DataFormat::Float32 && !(sourceOf(cb) & hw::kUnpackedToDst);
#else
  return false;
#endif
}
inline void refuseNarrowSource(uint32_t cb) {
  failIf(passesSource(cb),
         "in device numerics a broadcast or transpose of a Float32 buffer is known "
         "only with UnpackToDestFp32: set unpack_to_dest_mode of the buffer");
}
/// Copies a tile in the way of the card, which adds the tile to zero.
inline void copyThroughSource(uint32_t cb, uint32_t tile, uint32_t dst) {
  auto reg = static_cast<int32_t>(dst);
  check(ttl_hw_fill_tile(thread(), reg, 0));
  check(ttl_hw_fpu_reuse(thread(), static_cast<int32_t>(hw::TileOp::Add), bufferOf(cb),
                         static_cast<int32_t>(tile), reg, 0));
}
} // namespace ttjit::metalium

inline void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  use(UnitOp::Copy, 0, cb);
  if (passesSource(cb))
    return copyThroughSource(cb, tile, dst);
  check(ttl_hw_copy_tile(thread(), bufferOf(cb), static_cast<int32_t>(tile),
                         static_cast<int32_t>(dst)));
}
/// Without `out_of_order_output` the card ignores `tile` and packs into the slots one by one.
template <bool out_of_order_output = false>
inline void pack_tile(uint32_t dst, uint32_t cb, [[maybe_unused]] uint32_t tile = 0) {
  using namespace ttjit::metalium;
  usePacker("pack_tile", cb);
  if constexpr (out_of_order_output)
    check(ttl_hw_pack_tile(thread(), static_cast<int32_t>(dst), bufferOf(cb),
                           static_cast<int32_t>(tile)));
  else
    check(ttl_hw_pack_tile_block(thread(), static_cast<int32_t>(dst), bufferOf(cb), 1));
}
inline void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count) {
  using namespace ttjit::metalium;
  usePacker("pack_tile_block", cb);
  check(ttl_hw_pack_tile_block(thread(), static_cast<int32_t>(dst), bufferOf(cb),
                               static_cast<int32_t>(count)));
}
inline void pack_reconfig_l1_acc(uint32_t enable) {
  ttjit::metalium::check(
      ttl_hw_pack_reconfig_l1_acc(ttjit::metalium::thread(), static_cast<int32_t>(enable)));
}

template <DataFormat> inline void copy_dest_values(uint32_t from, uint32_t to) {
  ttjit::metalium::useVectorUnit("copy_dest_values", "copy_dest_values_init");
  ttjit::metalium::check(ttl_hw_copy_dest_values(
      ttjit::metalium::thread(), static_cast<int32_t>(to), static_cast<int32_t>(from)));
}
inline void fill_tile(uint32_t dst, float value) {
  ttjit::metalium::useVectorUnit("fill_tile", "fill_tile_init");
  ttjit::metalium::check(
      ttl_hw_fill_tile(ttjit::metalium::thread(), static_cast<int32_t>(dst), value));
}

//===--------------------------------------------------------------------------===//
// Matrix engine
//===--------------------------------------------------------------------------===//

#define TTJIT_TWO_TILES(name, op)                                                                  \
  inline void name(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {       \
    using namespace ttjit::metalium;                                                               \
    use(UnitOp::op, 0, a, b);                                                                      \
    check(ttl_hw_##name(thread(), bufferOf(a), bufferOf(b), static_cast<int32_t>(tile_a),          \
                        static_cast<int32_t>(tile_b), static_cast<int32_t>(dst)));                 \
  }
TTJIT_TWO_TILES(add_tiles, Add)
TTJIT_TWO_TILES(sub_tiles, Sub)
TTJIT_TWO_TILES(mul_tiles, Mul)
#undef TTJIT_TWO_TILES

namespace ttjit::metalium {
inline void productOfTiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  check(ttl_hw_matmul_tiles(thread(), bufferOf(a), bufferOf(b), static_cast<int32_t>(tile_a),
                            static_cast<int32_t>(tile_b), static_cast<int32_t>(dst)));
}
} // namespace ttjit::metalium

inline void matmul_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  ttjit::metalium::use(ttjit::hw::UnitOp::Matmul, 0, b, a);
  ttjit::metalium::productOfTiles(a, b, tile_a, tile_b, dst);
}

/// REDUCE_ROW reduces each row to its first element, REDUCE_COL each column.
template <TTJIT_REDUCTION, bool = false>
inline void reduce_tile(uint32_t in, uint32_t scaler, uint32_t tile, uint32_t scaler_tile,
                        uint32_t dst) {
  using namespace ttjit::metalium;
  use(UnitOp::Reduce, reduceKind<type, dim>(), in, scaler);
  check(ttl_hw_reduce_tile(thread(), bufferOf(in), bufferOf(scaler), static_cast<int32_t>(tile),
                           static_cast<int32_t>(scaler_tile), static_cast<int32_t>(dst),
                           reduceKind<type, dim>()));
}

template <BroadcastType type> inline void unary_bcast(uint32_t in, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  use(UnitOp::Broadcast, broadcastDims<type>(), in);
  refuseNarrowSource(in);
  check(ttl_hw_unary_bcast(thread(), bufferOf(in), static_cast<int32_t>(tile),
                           static_cast<int32_t>(dst), broadcastDims<type>()));
}

inline void transpose_wh_tile(uint32_t in, uint32_t tile, uint32_t dst) {
  using namespace ttjit::metalium;
  use(UnitOp::Transpose, 0, in);
  refuseNarrowSource(in);
  check(ttl_hw_transpose_wh_tile(thread(), bufferOf(in), static_cast<int32_t>(tile),
                                 static_cast<int32_t>(dst)));
}

#include "ttjit/tile_ops.h"
