//===- Target.h - compiling tile arithmetic for several targets -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Macros for the inline functions of tile arithmetic. These functions are compiled once
// per instruction set level, and by Clang to bitcode for the JIT. Each such translation
// unit sets TTJIT_TILE_ISA, the name of an inline namespace that separates its functions
// from those of the other units. It must not include other headers that define inline
// functions.
//
// Required flags: -ffp-contract=off -fno-math-errno -fno-trapping-math. Never use
// -ffast-math or a part of it that changes bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TARGET_H
#define TTJIT_HW_TILE_TARGET_H

#include <cstdint>

#ifndef TTJIT_TILE_ISA
#define TTJIT_TILE_ISA common
#endif

/// Whether __builtin_fmaf is one instruction. Code whose target is chosen later
/// (bitcode) defines the macro itself.
#ifndef TTJIT_TILE_HAS_FMA
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define TTJIT_TILE_HAS_FMA 1
#else
#define TTJIT_TILE_HAS_FMA 0
#endif
#endif

#define TTJIT_TILE_INLINE [[gnu::always_inline]] inline
/// For functions of whole tiles that several templates call: a copy in each of them would only take
/// time to compile.
#define TTJIT_TILE_NOINLINE [[gnu::noinline]]

/// Put this before a loop whose iterations each access one index of every array. It lets the
/// compiler vectorise the loop; two arrays may be the same array.
#ifdef __clang__
#define TTJIT_TILE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TTJIT_TILE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace ttjit::hw::inline TTJIT_TILE_ISA {

TTJIT_TILE_INLINE uint32_t bitsOf(float x) { return __builtin_bit_cast(uint32_t, x); }
TTJIT_TILE_INLINE uint64_t bitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }
TTJIT_TILE_INLINE float floatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }
TTJIT_TILE_INLINE double doubleOf(uint64_t bits) { return __builtin_bit_cast(double, bits); }

} // namespace ttjit::hw::inline TTJIT_TILE_ISA

#endif // TTJIT_HW_TILE_TARGET_H
