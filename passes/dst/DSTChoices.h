//===- DSTChoices.h - ways to assign DST registers ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTCHOICES_H
#define TTJIT_PASSES_DST_DSTCHOICES_H

namespace ttjit {

/// How DST registers are assigned where a program leaves it open: the published
/// algorithm unless one of these says otherwise.
struct DSTChoices {
  bool schedule = false;    ///< order the operations for register pressure
  bool lazyLoads = false;   ///< load at the first use
  bool expireAtUse = false; ///< reuse a register where its value is read last
  bool fpu = false;         ///< element-wise sums and products on the matrix engine
  bool packBlocks = false;  ///< pack registers that follow each other by one call
};

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCHOICES_H
