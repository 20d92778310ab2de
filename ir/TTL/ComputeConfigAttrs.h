//===- ComputeConfigAttrs.h - what a kernel leaves open -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_COMPUTECONFIGATTRS_H
#define TTJIT_IR_TTL_COMPUTECONFIGATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt::ttl {

/// On a ttl.kernel with a compute_config: the program does not say how wide DST is, so
/// `fp32_dest_acc_en` is only the choice for host numerics.
inline constexpr llvm::StringLiteral kOpenDSTWidthAttr = "ttl.open_dst_width";

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_COMPUTECONFIGATTRS_H
