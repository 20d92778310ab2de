//===- PageBlock.h - pages that loops transfer ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The description of the transfers of a loop nest that compiled code passes to
// hw/calls/BlockTransfers.cpp. The JIT writes it as an array of constants.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_PAGEBLOCK_H
#define TTJIT_HW_FACTS_PAGEBLOCK_H

#include <cstdint>

namespace ttjit::hw {

/// `runs` runs of `inRun` pages of a tensor each. In L1 all these pages follow each other.
struct PageBlock {
  int32_t runs, inRun;
  int32_t stride;     ///< pages of the tensor from the begin of a run to the begin of the next
  int32_t pageBytes;  ///< distance of the pages in L1
  int32_t steps;      ///< number of calls of the kernel API and of back-edges in the loops
  int32_t stepsAfter; ///< how many of them come after the last transfer
};

static_assert(sizeof(PageBlock) == 6 * sizeof(int32_t), "the JIT writes six words");

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_PAGEBLOCK_H
