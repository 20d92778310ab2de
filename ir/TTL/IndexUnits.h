//===- IndexUnits.h - what the index of a tensor or block counts ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text for faults about an index that is out of range.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_INDEXUNITS_H
#define TTJIT_IR_TTL_INDEXUNITS_H

#include "ir/TTL/TTL.h"

namespace mlir::tt::ttl {

/// Returns what an index of dimension `dim` of a stored shape counts: "tile rows", "columns".
StringRef indexUnit(size_t dim, size_t rank, bool isTiled);
StringRef indexUnit(size_t dim, TensorSliceType part);

/// Sets the attribute of the check.
void setIndexUnit(CheckIndexOp check, StringRef unit);

/// Returns "tensor 'a', which has 4 tile rows; ..." with the indices at which a part of `size` may
/// start.
std::string describeIndexed(const Twine &object, int64_t size, int64_t bound, StringRef unit);
std::string describeIndexed(CheckIndexOp check);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_INDEXUNITS_H
