//===- TileProducts.h - the products of a block ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The description of DST sections that only multiply tiles, which compiled code passes to
// hw/calls/TileProducts.cpp. Each packed tile is a chain of products:
//
//   out = start + left[0] @ right[0] + ... + left[count - 1] @ right[count - 1]
//
// The JIT writes the facts as arrays of constants. Code passes the indices at run time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEPRODUCTS_H
#define TTJIT_HW_FACTS_TILEPRODUCTS_H

#include <cstdint>

namespace ttjit::hw {

/// Facts about a whole nest of such sections (passes/llvm/ProductNest.h), all its iterations
/// together.
struct ProductFacts {
  int32_t steps;      ///< number of calls of the kernel API and of back-edges of loops
  int32_t stepsAfter; ///< those after the last release
  int32_t registers;  ///< DST registers below this number are used
};

static_assert(sizeof(ProductFacts) == 3 * sizeof(int32_t), "the JIT writes three words");

/// The buffers of a chain.
struct ChainFacts {
  int32_t left, right;
  int32_t count; ///< number of products
  int32_t start; ///< negative: the chain starts from +0
  int32_t out;
};

static_assert(sizeof(ChainFacts) == 5 * sizeof(int32_t), "the JIT writes five words");

/// The tile indices that the calls of a chain get. Product i uses left + i * leftStep and right + i
/// * rightStep.
struct ChainIndices {
  int32_t left, leftStep, right, rightStep, start, out;
};

static_assert(sizeof(ChainIndices) == 6 * sizeof(int32_t), "the JIT writes six words");

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEPRODUCTS_H
