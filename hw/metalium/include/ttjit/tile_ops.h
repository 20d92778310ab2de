//===- tile_ops.h - the functions of the table of tile operations ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One function per row of hw/facts/TileOps.def that computes on floats. Template arguments choose
// between approximations on the card; the emulated device always computes the exact function.
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
} // namespace ttjit::metalium

// Rows may share an init, so there are only declarations, which may be repeated. All have the
// same symbol.
extern "C" inline __attribute__((used)) void ttl_nothing_to_initialise() {}
#define TTJIT_INIT(init) void init() __asm__("ttl_nothing_to_initialise");

#define TILE_UNARY(Id, name, call, init, header)                                                   \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t dst) {                                                                 \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_unary(metalium::thread(), metalium::numberOf(hw::TileOp::Id),      \
                                      static_cast<int32_t>(dst)));                                 \
  }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  TTJIT_INIT(init)                                                                                 \
  template <typename... Words> inline void call(uint32_t dst, Words... bits) {                     \
    static_assert(sizeof...(bits) == params, "wrong number of parameters");                        \
    ttjit::metalium::unaryWithNumbers(ttjit::hw::TileOp::Id, dst, bits...);                        \
  }
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t dst, uint32_t number) {                                                \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_unary_int(metalium::thread(), metalium::numberOf(hw::TileOp::Id),  \
                                          static_cast<int32_t>(dst),                               \
                                          static_cast<int32_t>(number)));                          \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  TTJIT_INIT(init)                                                                                 \
  inline void call(uint32_t a, uint32_t b, uint32_t dst) {                                         \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_binary(metalium::thread(), metalium::numberOf(hw::TileOp::Id),     \
                                       static_cast<int32_t>(a), static_cast<int32_t>(b),           \
                                       static_cast<int32_t>(dst)));                                \
  }
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  TTJIT_INIT(init)                                                                                 \
  template <DataFormat> inline void call(uint32_t a, uint32_t b, uint32_t c, uint32_t dst) {       \
    using namespace ttjit;                                                                         \
    metalium::check(ttl_hw_sfpu_ternary(metalium::thread(), metalium::numberOf(hw::TileOp::Id),    \
                                        static_cast<int32_t>(a), static_cast<int32_t>(b),          \
                                        static_cast<int32_t>(c), static_cast<int32_t>(dst)));      \
  }
#include "hw/facts/TileOps.def"
#undef TTJIT_INIT

// Functions whose template argument chooses an approximation.
#define TTJIT_FAST_OR_EXACT(name)                                                                  \
  template <bool> inline void name##_tile_init() {}                                                \
  template <bool> inline void name##_tile(uint32_t dst) { name##_tile(dst); }
TTJIT_FAST_OR_EXACT(exp)
TTJIT_FAST_OR_EXACT(gelu)
TTJIT_FAST_OR_EXACT(erf)
TTJIT_FAST_OR_EXACT(erfc)
#undef TTJIT_FAST_OR_EXACT
