//===- DSTChoices.h - options of the DST assignment -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTCHOICES_H
#define TTJIT_PASSES_DST_DSTCHOICES_H

namespace ttjit {

/// Options of the assignment of DST registers. Each departs from the published
/// algorithm; by default all are off.
struct DSTChoices {
  bool schedule = false;    ///< order the operations for register pressure
  bool lazyLoads = false;   ///< load at the first use
  bool expireAtUse = false; ///< reuse a register where its value is read last
  bool fpu = false;         ///< element-wise sums and products on the matrix engine
  bool packBlocks = false;  ///< pack registers that follow each other by one call
};

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCHOICES_H
