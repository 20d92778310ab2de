//===- tile_ops.h - the functions of the table of tile operations ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One function per row of hw/facts/TileOps.def, and functions whose template argument chooses the
// row. In host numerics, functions that approximate on the card are exact.
//===--------------------------------------------------------------------------===//

#pragma once

namespace ttjit::metalium {
inline constexpr int32_t numberOf(hw::TileOp op) { return static_cast<int32_t>(op); }
inline float floatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }

inline void unaryWithNumbers(hw::TileOp op, uint32_t dst, uint32_t a, uint32_t b = 0,
                             uint32_t c = 0) {
  check(ttl_hw_sfpu_unary_param(thread(), numberOf(op), static_cast<int32_t>(dst), floatOf(a),
                                floatOf(b), floatOf(c)));
}

/// where_tile selects integers with the row for integers: as floats, small ones are denormals.
inline constexpr hw::TileOp rowFor(hw::TileOp op, DataFormat format) {
  return op == hw::TileOp::Where && hw::isIntegerFormat(format) ? hw::TileOp::WhereInt : op;
}

/// Refuses INP_FLOAT32 in device numerics. The build of kernels for float32 tensors may define it;
/// then these functions use other polynomials on the card.
template <hw::TileOp op> inline void refuseWidePolynomial() {
#if defined(TTJIT_DEVICE_NUMERICS) && defined(INP_FLOAT32)
  using enum hw::TileOp;
  failIf(op == Erf || op == Softplus || op == Elu || op == Celu || op == Selu,
         "device numerics do not know erf, softplus, elu, celu and selu with INP_FLOAT32: do not "
         "define it, or --numerics=host");
#endif
}

/// The card masks where the mask is 0, the table's rows where it is 1. So the mask is inverted
/// before the call and again after it. Then it is 0 where it was 0, and 1 elsewhere.
inline void maskWhereZero(hw::TileOp op, uint32_t dst, uint32_t mask) {
  auto invert = [mask] {
    check(ttl_hw_sfpu_unary(thread(), numberOf(hw::TileOp::Eqz), static_cast<int32_t>(mask)));
  };
  invert();
  check(ttl_hw_sfpu_mask(thread(), numberOf(op), static_cast<int32_t>(dst),
                         static_cast<int32_t>(mask)));
  invert();
}
} // namespace ttjit::metalium

// The inits are only declared, because rows may share one and declarations may be repeated.
// jit/BindThread.cpp replaces calls of ttl_init_NAME by calls of ttl_hw_sfpu_init with NAME.
#define TTJIT_INIT(init) void init() __asm__("ttl_init_" #init);
#define TTJIT_USE(call, init) ttjit::metalium::useVectorUnit(#call, #init)

#define TILE_UNARY(Id, name, call, init, header)                                                   \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t dst) {                                                                 \
    TTJIT_USE(call, init);                                                                         \
    using namespace ttjit;                                                                         \
    metalium::refuseWidePolynomial<hw::TileOp::Id>();                                              \
    metalium::check(ttl_hw_sfpu_unary(metalium::thread(), metalium::numberOf(hw::TileOp::Id),      \
                                      static_cast<int32_t>(dst)));                                 \
  }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  TTJIT_INIT(init)                                                                                 \
  template <typename... Words> inline void call(uint32_t dst, Words... bits) {                     \
    TTJIT_USE(call, init);                                                                         \
    static_assert(sizeof...(bits) == params, "wrong number of parameters");                        \
    ttjit::metalium::refuseWidePolynomial<ttjit::hw::TileOp::Id>();                                \
    ttjit::metalium::unaryWithNumbers(ttjit::hw::TileOp::Id, dst, bits...);                        \
  }
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t dst, uint32_t number) {                                                \
    TTJIT_USE(call, init);                                                                         \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_unary_int(metalium::thread(), metalium::numberOf(hw::TileOp::Id),  \
                                          static_cast<int32_t>(dst),                               \
                                          static_cast<int32_t>(number)));                          \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t a, uint32_t b, uint32_t dst) {                                         \
    TTJIT_USE(call, init);                                                                         \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_binary(metalium::thread(), metalium::numberOf(hw::TileOp::Id),     \
                                       static_cast<int32_t>(a), static_cast<int32_t>(b),           \
                                       static_cast<int32_t>(dst)));                                \
  }
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  TTJIT_INIT(init)                                                                                 \
  template <DataFormat format>                                                                     \
  inline void call(uint32_t a, uint32_t b, uint32_t c, uint32_t dst) {                             \
    TTJIT_USE(call, init);                                                                         \
    using namespace ttjit;                                                                         \
    constexpr hw::TileOp op = metalium::rowFor(hw::TileOp::Id, format);                            \
    metalium::check(ttl_hw_sfpu_ternary(metalium::thread(), metalium::numberOf(op),                \
                                        static_cast<int32_t>(a), static_cast<int32_t>(b),          \
                                        static_cast<int32_t>(c), static_cast<int32_t>(dst)));      \
  }
#define TILE_MASK(Id, name, call, init, header)                                                    \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t dst, uint32_t mask, DataFormat = DataFormat::Float16_b) {              \
    TTJIT_USE(call, init);                                                                         \
    ttjit::metalium::maskWhereZero(ttjit::hw::TileOp::Id, dst, mask);                              \
  }
#include "hw/facts/TileOps.def"
#undef TTJIT_INIT
#undef TTJIT_USE

namespace ttjit::metalium {
/// In device numerics, refuses variants of functions whose bits on the card are not known.
template <bool isKnown> inline void refuseVariant([[maybe_unused]] const char *message) {
#ifdef TTJIT_DEVICE_NUMERICS
  failIf(!isKnown, message);
#endif
}
/// Computes DST[dst] = DST[dst] op word. `name` is the function's name for warnings.
inline void withWord(const char *name, const char *init, hw::VectorOp op, uint32_t dst,
                     uint32_t word = 0) {
  useVectorUnit(name, init);
  check(
      ttl_hw_vector_constant(thread(), static_cast<int32_t>(op), static_cast<int32_t>(dst), word));
}
} // namespace ttjit::metalium

/// The emulated device computes the exact function in host numerics. On the card, the approximation
/// has an init of its own.
enum class InputClamping : uint8_t { ClampToNegative, None };
template <bool approx, uint32_t scale = 0x3f800000,
          InputClamping clamping = InputClamping::ClampToNegative>
inline void exp_tile_init() {
  static_assert(scale == 0x3f800000, "the emulated device scales in exp_tile");
  ttl_hw_sfpu_init(ttjit::metalium::thread(), approx ? "exp_tile_init<true>" : "exp_tile_init");
}
template <bool approx, bool scale_en = false,
          InputClamping clamping = InputClamping::ClampToNegative, int iterations = 8>
inline void exp_tile(uint32_t dst, [[maybe_unused]] int vector_mode = 4,
                     [[maybe_unused]] uint16_t scale = 0x3f80) {
  using namespace ttjit::metalium;
  static_assert(iterations == 8, "the emulated device computes whole tiles");
  failIf(vector_mode != 4, "the emulated device computes whole tiles: the mode must be RC");
  refuseVariant<!approx || !scale_en>("device numerics do not know exp_tile<true, true>: multiply "
                                      "before, or --numerics=host");
  refuseVariant<clamping == InputClamping::ClampToNegative>(
      "device numerics do not know InputClamping::None: use exp_tile, or --numerics=host");
  constexpr const char *init = approx ? "exp_tile_init<true>" : "exp_tile_init";
  constexpr auto row = approx ? ttjit::hw::TileOp::ExpApprox : ttjit::hw::TileOp::Exp;
  const auto factor = static_cast<uint32_t>(scale) << 16;
  if constexpr (scale_en && !approx)
    return withWord("exp_tile", init, ttjit::hw::VectorOp::ExpScaled, dst, factor);
  useVectorUnit("exp_tile", init);
  if constexpr (scale_en)
    unaryWithNumbers(ttjit::hw::TileOp::MulUnary, dst, factor);
  check(ttl_hw_sfpu_unary(thread(), numberOf(row), static_cast<int32_t>(dst)));
}

// Functions whose first template argument chooses a variant. `byDefault` is its value in a call
// without template arguments, which computes the row of TileOps.def; `other` is the other variant.
#define TTJIT_VARIANTS(name, byDefault, other)                                                     \
  template <bool, bool...> inline void name##_tile_init() { name##_tile_init(); }                  \
  template <bool variant, bool...> inline void name##_tile(uint32_t dst) {                         \
    ttjit::metalium::refuseVariant<variant == byDefault>("device numerics do not know " #name      \
                                                         "_tile<" #other ">: use " #name           \
                                                         "_tile, or --numerics=host");             \
    name##_tile(dst);                                                                              \
  }
TTJIT_VARIANTS(exp2, variant, true) // on the card, both variants run the same steps
TTJIT_VARIANTS(expm1, variant, true)
TTJIT_VARIANTS(erfc, variant, false)
TTJIT_VARIANTS(log, false, true)
TTJIT_VARIANTS(log1p, false, true)
TTJIT_VARIANTS(rsqrt, false, true)
TTJIT_VARIANTS(sqrt, false, true)
TTJIT_VARIANTS(tanh, false, true)
#undef TTJIT_VARIANTS

/// Without template arguments, the call runs the fast variant.
#define TTJIT_ACCURATE(name, Row)                                                                  \
  template <bool, bool...> inline void name##_tile_init() { name##_tile_init(); }                  \
  template <bool fast, bool...> inline void name##_tile(uint32_t dst) {                            \
    using namespace ttjit;                                                                         \
    metalium::refuseWidePolynomial<hw::TileOp::Row>();                                             \
    if constexpr (fast)                                                                            \
      name##_tile(dst);                                                                            \
    else                                                                                           \
      metalium::withWord(#name "_tile<false>", #name "_tile_init", hw::VectorOp::Accurate##Row,    \
                         dst);                                                                     \
  }
TTJIT_ACCURATE(erf, Erf)
TTJIT_ACCURATE(gelu, Gelu)
#undef TTJIT_ACCURATE

/// The part of a tile that a function computes. The emulated device always computes all of it, RC.
namespace ttjit::metalium {
enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6 };
inline void refusePart(int mode) {
  failIf(mode != VectorMode::RC, "the emulated device computes whole tiles: the mode must be RC");
}
} // namespace ttjit::metalium
using VectorMode = ttjit::metalium::VectorMode;

inline void recip_tile(uint32_t dst, int vector_mode) {
  ttjit::metalium::refusePart(vector_mode);
  recip_tile(dst);
}
template <bool legacy_compat> inline void recip_tile_init() { recip_tile_init(); }
template <bool legacy_compat> inline void recip_tile(uint32_t dst, int vector_mode = 4) {
  ttjit::metalium::refusePart(vector_mode);
  if constexpr (legacy_compat)
    recip_tile(dst);
  else
    ttjit::metalium::withWord("recip_tile<false>", "recip_tile_init",
                              ttjit::hw::VectorOp::AccurateRecip, dst);
}
template <bool fast> inline void sigmoid_tile_init() { sigmoid_tile_init(); }
template <int vector_mode, bool fast = false> inline void sigmoid_tile(uint32_t dst) {
  ttjit::metalium::refusePart(vector_mode);
  ttjit::metalium::refuseVariant<!fast>("device numerics do not know sigmoid_tile<RC, true>: use "
                                        "sigmoid_tile, or --numerics=host");
  sigmoid_tile(dst);
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

/// The format says how the card multiplies and adds; the bits of the results are the same for all.
#define TTJIT_INTEGERS(name)                                                                       \
  template <DataFormat> inline void name##_init() { name##_init(); }                               \
  template <DataFormat format> inline void name(uint32_t a, uint32_t b, uint32_t dst) {            \
    static_assert(format == DataFormat::Int32 || format == DataFormat::UInt32,                     \
                  "the emulated device computes on Int32 and UInt32");                             \
    name(a, b, dst);                                                                               \
  }
TTJIT_INTEGERS(add_int_tile)
TTJIT_INTEGERS(sub_int_tile)
TTJIT_INTEGERS(mul_int_tile)
#undef TTJIT_INTEGERS

template <DataFormat format> inline void fill_tile_int(uint32_t dst, uint32_t value) {
  static_assert(format == DataFormat::Int32 || format == DataFormat::UInt32,
                "the emulated device computes on Int32 and UInt32");
  ttjit::metalium::useVectorUnit("fill_tile_int", "fill_tile_init");
  ttjit::metalium::check(ttl_hw_fill_tile(ttjit::metalium::thread(), static_cast<int32_t>(dst),
                                          ttjit::metalium::floatOf(value)));
}

template <uint32_t from, uint32_t to> inline void typecast_tile_init() {
  ttl_hw_sfpu_init(ttjit::metalium::thread(), "typecast_tile_init");
}

namespace ttjit::metalium {
struct Typecast {
  DataFormat from, to;
  hw::TileOp op;
};
inline constexpr Typecast kTypecasts[] = {
    {DataFormat::Float32, DataFormat::Float16_b, hw::TileOp::ToBFloat16},
    {DataFormat::Float32, DataFormat::Int32, hw::TileOp::FloatToInt32},
    {DataFormat::Float32, DataFormat::UInt32, hw::TileOp::FloatToUInt32},
    {DataFormat::Int32, DataFormat::Float32, hw::TileOp::Int32ToFloat},
    {DataFormat::UInt32, DataFormat::Float32, hw::TileOp::UInt32ToFloat},
    {DataFormat::UInt16, DataFormat::UInt32, hw::TileOp::ToUInt16},
    {DataFormat::UInt16, DataFormat::Int32, hw::TileOp::ToUInt16},
    {DataFormat::UInt16, DataFormat::Float32, hw::TileOp::UInt32ToFloat},
    {DataFormat::UInt8, DataFormat::UInt32, hw::TileOp::ToUInt8},
    {DataFormat::UInt8, DataFormat::Int32, hw::TileOp::ToUInt8},
    {DataFormat::UInt8, DataFormat::UInt16, hw::TileOp::ToUInt8},
    {DataFormat::UInt8, DataFormat::Float32, hw::TileOp::UInt32ToFloat},
    {DataFormat::UInt32, DataFormat::UInt8, hw::TileOp::ToUInt8},
    {DataFormat::Int32, DataFormat::UInt8, hw::TileOp::ToUInt8},
    {DataFormat::UInt16, DataFormat::UInt8, hw::TileOp::ToUInt8},
};
inline constexpr int32_t typecastRow(DataFormat from, DataFormat to) {
  for (const Typecast &each : kTypecasts)
    if (each.from == from && each.to == to)
      return numberOf(each.op);
  return -1;
}
/// Returns the number of the VectorOp that converts; -1 if there is none.
inline constexpr int32_t typecastOp(DataFormat from, DataFormat to) {
  bool isFloat = from == DataFormat::Float32 || from == DataFormat::Float16_b;
  if (isFloat && to == DataFormat::UInt16)
    return static_cast<int32_t>(hw::VectorOp::FloatToUInt16);
  if (isFloat && to == DataFormat::UInt8)
    return static_cast<int32_t>(hw::VectorOp::FloatToUInt8);
  if (from == DataFormat::Int32 && to == DataFormat::UInt16)
    return static_cast<int32_t>(hw::VectorOp::Int32ToUInt16);
  return -1;
}
} // namespace ttjit::metalium

/// Integers of 32 bits that do not fit into uint16 become 65535, as on the card.
template <uint32_t from, uint32_t to> inline void typecast_tile(uint32_t dst) {
  using namespace ttjit::metalium;
  constexpr auto input = static_cast<DataFormat>(from), output = static_cast<DataFormat>(to);
  constexpr int32_t row = typecastRow(input, output), op = typecastOp(input, output);
  constexpr bool saturates = output == DataFormat::UInt16 && input == DataFormat::UInt32;
  static_assert(row >= 0 || op >= 0 || saturates,
                "the emulated device converts in registers between Float32 and Float16_b, Int32, "
                "UInt32, between UInt32, Int32, UInt16 and UInt8, and from Float32 and Float16_b "
                "to UInt16 and UInt8");
  useVectorUnit("typecast_tile", "typecast_tile_init");
  if constexpr (op >= 0)
    check(ttl_hw_vector_constant(thread(), op, static_cast<int32_t>(dst), 0));
  else if constexpr (saturates)
    check(ttl_hw_sfpu_constant(thread(), numberOf(ttjit::hw::TileOp::MinUInt32),
                               static_cast<int32_t>(dst), 0xffff, false));
  else
    check(ttl_hw_sfpu_unary(thread(), row, static_cast<int32_t>(dst)));
}
