//===- RunTimeNumbers.h - numbers that a kernel reads when it runs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_RUNTIMENUMBERS_H
#define TTJIT_FRONTEND_RUNTIMENUMBERS_H

#include "mlir/IR/Value.h"

#include <cstdint>

namespace ttjit::frontend {

/// The values that a number may have, both ends included.
struct NumberRange {
  int64_t low = INT32_MIN, high = INT32_MAX;
};

/// Returns whether a kernel that reads this number when it runs computes the same as a kernel in
/// which it is a constant, for each value of the range. `table` is the ttl.node_table that holds
/// the number. A constant is computed with by Python, whose integers have no limit and whose floats
/// have 64 bits; a number that is read at run time has 32 bits. So the number, and what is computed
/// from it and from constants alone, must stay within 32 bits, and it may not become a float that
/// is computed with.
bool computesAsConstant(mlir::Value table, NumberRange range);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_RUNTIMENUMBERS_H
