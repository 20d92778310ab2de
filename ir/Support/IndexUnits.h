//===- IndexUnits.h - what the index of a tensor or block counts ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text for faults about an index that is out of range.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_INDEXUNITS_H
#define TTJIT_IR_SUPPORT_INDEXUNITS_H

#include "ir/TTL/TTL.h"

namespace ttjit {

/// Attribute of ttl.check_index: what the index counts, such as "tile rows".
inline constexpr llvm::StringLiteral kIndexUnitAttr = "unit";

/// Returns what an index of dimension `dim` of a stored shape counts: "tile rows", "columns".
llvm::StringRef indexUnit(size_t dim, size_t rank, bool isTiled);
llvm::StringRef indexUnit(size_t dim, mlir::tt::ttl::TensorSliceType part);

/// Sets the attribute of the check.
void setIndexUnit(mlir::tt::ttl::CheckIndexOp check, llvm::StringRef unit);

/// Returns "tensor 'a', which has 4 tile rows; ..." with the indices at which a part of `size` may
/// start.
std::string describeIndexed(const llvm::Twine &object, int64_t size, int64_t bound,
                            llvm::StringRef unit);
std::string describeIndexed(mlir::tt::ttl::CheckIndexOp check);

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_INDEXUNITS_H
