//===- DSTChoices.h - options of the DST assignment -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTCHOICES_H
#define TTJIT_PASSES_DST_DSTCHOICES_H

namespace ttjit {

/// Options of the assignment of DST registers. Each changes the algorithm that the head of
/// AssignDST.cpp describes; by default all are off.
struct DSTChoices {
  bool schedule = false;    ///< whether to order the operations for register pressure
  bool lazyLoads = false;   ///< whether to load tiles at their first use
  bool expireAtUse = false; ///< whether a result may use a register whose value is read last
  bool fpu = false;         ///< whether the matrix engine computes element-wise sums and products
  bool packBlocks = false;  ///< whether to pack consecutive registers with one call
};

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCHOICES_H
