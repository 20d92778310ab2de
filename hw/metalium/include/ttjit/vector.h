//===- vector.h - functions of the vector unit ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the vector unit on one or two registers that emitted code does not call.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/compute.h"

namespace ttjit::metalium {
/// Computes DST[dst] = DST[dst] op constant, or with constantIsFirst constant op DST[dst].
inline void withConstant(const char *name, const char *init, TileOp op, uint32_t dst, uint32_t bits,
                         bool constantIsFirst = false) {
  useVectorUnit(name, init);
  check(ttl_hw_sfpu_constant(thread(), numberOf(op), static_cast<int32_t>(dst), bits,
                             constantIsFirst));
}
inline void withRegister(const char *name, const char *init, hw::VectorOp op, uint32_t a,
                         uint32_t b, uint32_t dst) {
  useVectorUnit(name, init);
  check(ttl_hw_vector_binary(thread(), static_cast<int32_t>(op), static_cast<int32_t>(a),
                             static_cast<int32_t>(b), static_cast<int32_t>(dst)));
}
template <DataFormat format> constexpr hw::VectorOp shiftRight() {
  static_assert(format == DataFormat::Int32 || format == DataFormat::UInt32,
                "the emulated device computes on Int32 and UInt32");
  return format == DataFormat::Int32 ? hw::VectorOp::ShiftRightSigned : hw::VectorOp::ShiftRight;
}
} // namespace ttjit::metalium

#define TTJIT_INIT(name)                                                                           \
  inline void name##_init() { ttl_hw_sfpu_init(ttjit::metalium::thread(), #name "_init"); }
#define TTJIT_CONSTANT(name, init, op, isFirst)                                                    \
  inline void name(uint32_t dst, uint32_t bits) {                                                  \
    ttjit::metalium::withConstant(#name, #init, ttjit::hw::TileOp::op, dst, bits, isFirst);        \
  }
#define TTJIT_WORD(name, init, op)                                                                 \
  inline void name(uint32_t dst, uint32_t word) {                                                  \
    ttjit::metalium::withWord(#name, #init, ttjit::hw::VectorOp::op, dst, word);                   \
  }
#define TTJIT_PLAIN(name, init, op)                                                                \
  inline void name(uint32_t dst) {                                                                 \
    ttjit::metalium::withWord(#name, #init, ttjit::hw::VectorOp::op, dst);                         \
  }
#define TTJIT_FIXED(name, init, op, bits, isFirst)                                                 \
  inline void name(uint32_t dst) {                                                                 \
    ttjit::metalium::withConstant(#name, #init, ttjit::hw::TileOp::op, dst, bits, isFirst);        \
  }

TTJIT_INIT(rsub_binary_tile)
inline void rsub_binary_tile(uint32_t a, uint32_t b, uint32_t dst) {
  using namespace ttjit::metalium;
  useVectorUnit("rsub_binary_tile", "rsub_binary_tile_init");
  check(ttl_hw_sfpu_binary(thread(), numberOf(TileOp::Sub), static_cast<int32_t>(b),
                           static_cast<int32_t>(a), static_cast<int32_t>(dst)));
}

TTJIT_INIT(log_with_base_tile)
/// Computes the logarithm times a number, which is 1 / log(base).
TTJIT_WORD(log_with_base_tile, log_with_base_tile_init, LogWithBase)

TTJIT_INIT(prelu_tile)
inline void prelu_tile(uint32_t dst, uint32_t weight) {
  using namespace ttjit::metalium;
  useVectorUnit("prelu_tile", "prelu_tile_init");
  unaryWithNumbers(TileOp::LeakyRelu, dst, weight);
}
TTJIT_INIT(hardtanh_tile)
inline void hardtanh_tile(uint32_t dst, uint32_t low, uint32_t high) {
  using namespace ttjit::metalium;
  useVectorUnit("hardtanh_tile", "hardtanh_tile_init");
#ifdef TTJIT_DEVICE_NUMERICS // the card stores between both steps
  unaryWithNumbers(TileOp::MaxUnary, dst, low);
  unaryWithNumbers(TileOp::MinUnary, dst, high);
#else
  unaryWithNumbers(TileOp::Clamp, dst, low, high);
#endif
}

TTJIT_INIT(rsub_tile)
inline void rsub_tile(uint32_t dst, uint32_t bits) {
  using namespace ttjit::metalium;
  useVectorUnit("rsub_tile", "rsub_tile_init");
  unaryWithNumbers(TileOp::RsubUnary, dst, bits);
}
enum class RoundingMode : uint8_t { None, Trunc, Floor };
TTJIT_INIT(rdiv_tile)
template <RoundingMode mode = RoundingMode::None>
inline void rdiv_tile(uint32_t dst, uint32_t bits) {
  using ttjit::hw::VectorOp;
  constexpr VectorOp op = mode == RoundingMode::None    ? VectorOp::RDiv
                          : mode == RoundingMode::Trunc ? VectorOp::RDivTrunc
                                                        : VectorOp::RDivFloor;
  ttjit::metalium::withWord("rdiv_tile", "rdiv_tile_init", op, dst, bits);
}
TTJIT_INIT(rpow_tile)
TTJIT_CONSTANT(rpow_tile, rpow_tile_init, Pow, true)

TTJIT_INIT(isposinf_tile)
TTJIT_PLAIN(isposinf_tile, isposinf_tile_init, IsPosInf)
TTJIT_INIT(isneginf_tile)
TTJIT_PLAIN(isneginf_tile, isneginf_tile_init, IsNegInf)
TTJIT_INIT(isfinite_tile)
TTJIT_PLAIN(isfinite_tile, isfinite_tile_init, IsFinite)

TTJIT_INIT(logical_not_tile)
template <DataFormat format> inline void logical_not_tile(uint32_t dst) {
  using namespace ttjit::metalium;
  static_assert(!ttjit::hw::isIntegerFormat(format),
                "the emulated device negates floats; use eqz_tile_int32");
  withWord("logical_not_tile", "logical_not_tile_init", ttjit::hw::VectorOp::LogicalNot, dst);
}
TTJIT_INIT(identity_tile)
TTJIT_PLAIN(identity_tile, identity_tile_init, Identity)
inline void fill_tile_bitcast(uint32_t dst, uint32_t bits) {
  fill_tile(dst, __builtin_bit_cast(float, bits));
}

// Integers of 32 bits
TTJIT_CONSTANT(add_unary_tile_int32, binop_with_scalar_tile_init, AddInt, false)
TTJIT_CONSTANT(sub_unary_tile_int32, binop_with_scalar_tile_init, SubInt, false)
TTJIT_CONSTANT(rsub_unary_int32_tile, rsub_tile_init, SubInt, true)
TTJIT_INIT(unary_max_int32_tile)
TTJIT_CONSTANT(unary_max_int32_tile, unary_max_int32_tile_init, MaxInt32, false)
TTJIT_INIT(unary_min_int32_tile)
TTJIT_CONSTANT(unary_min_int32_tile, unary_min_int32_tile_init, MinInt32, false)
TTJIT_INIT(unary_max_uint32_tile)
TTJIT_CONSTANT(unary_max_uint32_tile, unary_max_uint32_tile_init, MaxUInt32, false)
TTJIT_INIT(unary_min_uint32_tile)
TTJIT_CONSTANT(unary_min_uint32_tile, unary_min_uint32_tile_init, MinUInt32, false)
TTJIT_FIXED(relu_tile_int32, relu_tile_init, MaxInt32, 0, false)
TTJIT_FIXED(negative_tile_int32, negative_tile_init, SubInt, 0, true)
TTJIT_INIT(signbit_tile_int32)
TTJIT_FIXED(signbit_tile_int32, signbit_tile_int32_init, LtInt32, 0, false)
inline void clamp_tile_int32(uint32_t dst, uint32_t low, uint32_t high) {
  using namespace ttjit::metalium;
  withConstant("clamp_tile_int32", "clamp_tile_init", TileOp::MaxInt32, dst, low);
  withConstant("clamp_tile_int32", "clamp_tile_init", TileOp::MinInt32, dst, high);
}
#define TTJIT_COMPARE(name, op, isFirst)                                                           \
  TTJIT_CONSTANT(unary_##name##_tile_int32, unary_##name##_tile_init, op, isFirst)
TTJIT_COMPARE(lt, LtInt32, false)
TTJIT_COMPARE(le, LeInt32, false)
TTJIT_COMPARE(gt, LtInt32, true)
TTJIT_COMPARE(ge, LeInt32, true)
#undef TTJIT_COMPARE
TTJIT_WORD(unary_eq_tile_int32, unary_eq_tile_init, EqInt)
TTJIT_WORD(unary_ne_tile_int32, unary_ne_tile_init, NeInt)
inline void eqz_tile_int32(uint32_t dst) {
  using namespace ttjit::metalium;
  withWord("eqz_tile_int32", "eqz_tile_init", ttjit::hw::VectorOp::EqInt, dst, 0);
}
inline void nez_tile_int32(uint32_t dst) {
  using namespace ttjit::metalium;
  withWord("nez_tile_int32", "nez_tile_init", ttjit::hw::VectorOp::NeInt, dst, 0);
}
TTJIT_PLAIN(ltz_tile_int32, ltz_tile_init, LtzInt)
TTJIT_PLAIN(lez_tile_int32, lez_tile_init, LezInt)
TTJIT_PLAIN(gtz_tile_int32, gtz_tile_init, GtzInt)
TTJIT_PLAIN(gez_tile_int32, gez_tile_init, GezInt)

// Bits
#define TTJIT_BITS(name, op)                                                                       \
  TTJIT_INIT(bitwise_##name##_tile)                                                                \
  TTJIT_WORD(bitwise_##name##_tile, bitwise_##name##_tile_init, op)                                \
  template <DataFormat>                                                                            \
  TTJIT_WORD(bitwise_##name##_tile, bitwise_##name##_tile_init, op)                                \
  inline void bitwise_##name##_binary_tile(uint32_t a, uint32_t b, uint32_t dst) {                 \
    ttjit::metalium::withRegister("bitwise_" #name "_binary_tile", "binary_bitwise_tile_init",     \
                                  ttjit::hw::VectorOp::op, a, b, dst);                             \
  }                                                                                                \
  template <DataFormat>                                                                            \
  inline void bitwise_##name##_binary_tile(uint32_t a, uint32_t b, uint32_t dst) {                 \
    bitwise_##name##_binary_tile(a, b, dst);                                                       \
  }
TTJIT_INIT(binary_bitwise_tile)
TTJIT_BITS(and, And)
TTJIT_BITS(or, Or)
TTJIT_BITS(xor, Xor)
#undef TTJIT_BITS
TTJIT_INIT(bitwise_not_tile)
inline void bitwise_not_tile(uint32_t dst) {
  using namespace ttjit::metalium;
  withWord("bitwise_not_tile", "bitwise_not_tile_init", ttjit::hw::VectorOp::Xor, dst, ~0u);
}
TTJIT_INIT(left_shift_tile)
inline void left_shift_tile(uint32_t dst, uint32_t distance) {
  using namespace ttjit::metalium;
  withWord(distance < 32 ? "left_shift_tile" : "left_shift_tile by more than 31",
           "left_shift_tile_init", ttjit::hw::VectorOp::ShiftLeft, dst, distance);
}
template <DataFormat> inline void left_shift_tile(uint32_t dst, uint32_t distance) {
  left_shift_tile(dst, distance);
}
TTJIT_INIT(right_shift_tile)
inline void right_shift_tile(uint32_t dst, uint32_t distance) {
  using namespace ttjit::metalium;
  using ttjit::hw::VectorOp;
  if (distance < 32)
    withWord("right_shift_tile", "right_shift_tile_init", VectorOp::ShiftRightSignedByWord, dst,
             distance);
  else
    withWord("right_shift_tile by more than 31", "right_shift_tile_init",
             VectorOp::ShiftRightSigned, dst, 31);
}
template <DataFormat format> inline void right_shift_tile(uint32_t dst, uint32_t distance) {
  using namespace ttjit::metalium;
  if constexpr (shiftRight<format>() == ttjit::hw::VectorOp::ShiftRightSigned)
    right_shift_tile(dst, distance);
  else
    withWord("right_shift_tile<DataFormat::UInt32>", "right_shift_tile_init",
             ttjit::hw::VectorOp::ShiftRight, dst, distance);
}
TTJIT_INIT(binary_shift_tile)
template <DataFormat> inline void binary_left_shift_tile(uint32_t a, uint32_t b, uint32_t dst) {
  using namespace ttjit::metalium;
  withRegister("binary_left_shift_tile", "binary_shift_tile_init", ttjit::hw::VectorOp::ShiftLeft,
               a, b, dst);
}
template <DataFormat format>
inline void binary_right_shift_tile(uint32_t a, uint32_t b, uint32_t dst) {
  using namespace ttjit::metalium;
  withRegister("binary_right_shift_tile", "binary_shift_tile_init", shiftRight<format>(), a, b,
               dst);
}
TTJIT_PLAIN(abs_tile_int32, abs_tile_init, AbsInt)

// Floats
TTJIT_INIT(heaviside_tile)
TTJIT_WORD(heaviside_tile, heaviside_tile_init, Heaviside)
TTJIT_INIT(softshrink_tile)
TTJIT_WORD(softshrink_tile, softshrink_tile_init, SoftShrink)
TTJIT_INIT(hardshrink_tile)
TTJIT_WORD(hardshrink_tile, hardshrink_tile_init, HardShrink)
inline void div_no_nan_binary_tile(uint32_t a, uint32_t b, uint32_t dst) {
  using namespace ttjit::metalium;
  withRegister("div_no_nan_binary_tile", "div_binary_tile_init", ttjit::hw::VectorOp::DivNoNan, a,
               b, dst);
}

// Remainders. If the init gets the divisor and its reciprocal, the function has no numbers.
#define TTJIT_REMAINDER(name, op)                                                                  \
  TTJIT_INIT(name##_tile)                                                                          \
  inline void name##_tile_init(uint32_t divisor, uint32_t) {                                       \
    ttl_hw_vector_number(ttjit::metalium::thread(), divisor);                                      \
    name##_tile_init();                                                                            \
  }                                                                                                \
  inline void name##_tile(uint32_t dst, uint32_t divisor, uint32_t) {                              \
    ttjit::metalium::withWord(#name "_tile", #name "_tile_init", ttjit::hw::VectorOp::op, dst,     \
                              divisor);                                                            \
  }                                                                                                \
  inline void name##_tile(uint32_t dst) {                                                          \
    name##_tile(dst, ttl_hw_vector_number_of(ttjit::metalium::thread()), 0);                       \
  }                                                                                                \
  TTJIT_INIT(name##_binary_tile)                                                                   \
  inline void name##_binary_tile(uint32_t a, uint32_t b, uint32_t dst) {                           \
    ttjit::metalium::withRegister(#name "_binary_tile", #name "_binary_tile_init",                 \
                                  ttjit::hw::VectorOp::op, a, b, dst);                             \
  }
TTJIT_REMAINDER(fmod, Fmod)
TTJIT_REMAINDER(remainder, Remainder)
#undef TTJIT_REMAINDER

// Sums down the columns of tiles
TTJIT_INIT(cumsum_tile)
inline void cumsum_tile(uint32_t dst, bool first = true) {
  using namespace ttjit::metalium;
  useVectorUnit("cumsum_tile", "cumsum_tile_init");
  check(ttl_hw_cumsum(thread(), static_cast<int32_t>(dst), first));
}

// Reductions of integers. Elements outside of the result are undefined on the card. Here their bits
// are inverted, so that a kernel that uses them gets wrong results.
namespace ttjit::metalium {
template <PoolType type, DataFormat format> constexpr hw::Pool integerPool() {
  static_assert(format == DataFormat::Int32 || format == DataFormat::UInt32,
                "the emulated device reduces Int32 and UInt32 in DST; reduce_tile reduces floats");
  static_assert(type == PoolType::SUM || type == PoolType::MAX,
                "the emulated device reduces integers by SUM and MAX");
  return hw::integerPool(type == PoolType::MAX ? hw::Pool::Max : hw::Pool::Sum,
                         format == DataFormat::Int32);
}
} // namespace ttjit::metalium
template <PoolType type, DataFormat format> inline void sfpu_reduce_init() {
  [[maybe_unused]] constexpr auto pool = ttjit::metalium::integerPool<type, format>();
  ttl_hw_sfpu_init(ttjit::metalium::thread(), "sfpu_reduce_init");
}
template <PoolType type, DataFormat format, ReduceDim dim = ReduceDim::REDUCE_COL>
inline void sfpu_reduce(uint32_t dst, uint32_t ct_dim = 1, uint32_t rt_dim = 1) {
  using namespace ttjit::metalium;
  static_assert(dim != ReduceDim::REDUCE_SCALAR, "reduce the columns, then row 0");
  failIf(ct_dim != 1 || rt_dim != 1, "the emulated device reduces one tile of DST at a time");
  useVectorUnit("sfpu_reduce", "sfpu_reduce_init");
  check(ttl_hw_sfpu_reduce(thread(), static_cast<int32_t>(dst),
                           static_cast<int32_t>(integerPool<type, format>()),
                           static_cast<int32_t>(dim)));
}

// Exchanges the rows and columns of a tile of DST. Without `is_32bit` the card moves 16 bits.
namespace ttjit::metalium {
#ifdef TTJIT_NARROW_SOURCES // defined in device numerics for kernels with an fp32 DST
inline constexpr bool hasKnownWideDst = true;
#else
inline constexpr bool hasKnownWideDst = false;
#endif
} // namespace ttjit::metalium
template <bool is_32bit = false> inline void transpose_wh_dest_init_short() {
  ttjit::metalium::initialise(ttjit::hw::UnitOp::TransposeDst, is_32bit);
}
template <bool is_32bit = false> inline void transpose_wh_dest(uint32_t dst) {
  using namespace ttjit::metalium;
  use(UnitOp::TransposeDst, is_32bit, -1u);
  constexpr bool isKnown = is_32bit == hasKnownWideDst;
  check(ttl_hw_transpose_dst(thread(), static_cast<int32_t>(dst),
                             isKnown ? nullptr : "transpose_wh_dest"));
}
template <bool is_32bit = false> inline void transpose_dest_init() {
  transpose_wh_dest_init_short<is_32bit>();
}
template <bool is_32bit = false> inline void transpose_dest(uint32_t dst) {
  transpose_wh_dest<is_32bit>(dst);
}

// Random numbers. They differ from the card's, but are always the same for the same seed.
inline void rand_tile_init(uint32_t seed = 0) {
  ttl_hw_sfpu_init(ttjit::metalium::thread(), "rand_tile_init");
  ttl_hw_rand_seed(ttjit::metalium::thread(), seed);
}
inline void rand_tile(uint32_t dst, uint32_t from, uint32_t scale) {
  using namespace ttjit::metalium;
  useVectorUnit("rand_tile", "rand_tile_init");
  check(ttl_hw_rand(thread(), static_cast<int32_t>(dst), floatOf(from), floatOf(scale)));
}

// Integers: other functions with the operands in the other order, and other names of functions
#define TTJIT_SWAPPED(name, op)                                                                    \
  TTJIT_INIT(name)                                                                                 \
  inline void name(uint32_t a, uint32_t b, uint32_t dst) {                                         \
    using namespace ttjit::metalium;                                                               \
    useVectorUnit(#name, #name "_init");                                                           \
    check(ttl_hw_sfpu_binary(thread(), numberOf(TileOp::op), static_cast<int32_t>(b),              \
                             static_cast<int32_t>(a), static_cast<int32_t>(dst)));                 \
  }
TTJIT_SWAPPED(gt_int32_tile, LtInt32)
TTJIT_SWAPPED(ge_int32_tile, LeInt32)
TTJIT_SWAPPED(rsub_int_tile, SubInt)
#undef TTJIT_SWAPPED
template <DataFormat>
inline void binary_logical_right_shift_tile(uint32_t a, uint32_t b, uint32_t dst) {
  using namespace ttjit::metalium;
  withRegister("binary_logical_right_shift_tile", "binary_shift_tile_init",
               ttjit::hw::VectorOp::ShiftRight, a, b, dst);
}
inline void rsub_unary_int32_tile_init() { rsub_tile_init(); }
TTJIT_FIXED(eqz_tile_uint32, eqz_tile_init, EqInt, 0, false)
TTJIT_FIXED(nez_tile_uint32, nez_tile_init, NeInt, 0, false)
TTJIT_INIT(logical_not_unary_tile)
TTJIT_PLAIN(logical_not_unary_tile, logical_not_unary_tile_init, LogicalNot)
TTJIT_FIXED(logical_not_unary_tile_int32, logical_not_unary_tile_init, EqInt, 0, false)
TTJIT_FIXED(logical_not_unary_tile_uint32, logical_not_unary_tile_init, EqInt, 0, false)
#undef TTJIT_WORD
#undef TTJIT_PLAIN
#undef TTJIT_INIT
#undef TTJIT_CONSTANT
#undef TTJIT_FIXED
