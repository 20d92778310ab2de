//===- Advice.h - what messages tell the user to do -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function returns the end of a message about a value that is used in a wrong way: ": do this"
// or "; do this". The text is empty if there is nothing to say about a value of this kind.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_ADVICE_H
#define TTJIT_FRONTEND_WALK_VALUES_ADVICE_H

#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

/// For a value that is a condition, or an operand of `and`, `or` or `not`.
std::string adviceOnCondition(const ValueKind &value);
/// For a value that a loop cannot carry to the next iteration. The text is what follows ": ".
std::string adviceOnCarrying(const Value &value);
/// For a value that is indexed: `value[i]`.
std::string adviceOnIndexing(const ValueKind &value);
/// For a value that lacks an attribute.
std::string adviceOnAttribute(const ValueKind &value);
/// For a value that lacks a method that is called.
std::string adviceOnMethod(const ValueKind &value, std::string_view method);
/// For a value that is an operand of an operator on numbers.
std::string adviceOnOperand(const Value &value);
/// For a value over which a `for` runs.
std::string adviceOnIteration(const Value &value);
/// For the ends of a ttl.copy() if both, or neither of them, are slices of tensors.
std::string adviceOnEnds(const Value &source, const Value &destination);

/// Returns "; did you mean 'x'?" if one of the names is similar to `name`, else nothing.
std::string suggestion(const std::string &name, const std::vector<std::string> &names);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_ADVICE_H
