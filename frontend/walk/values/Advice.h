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

/// The value is a condition, or an operand of `and`, `or` or `not`.
std::string adviceOnCondition(const ValueKind &value);
/// A loop cannot carry the value from one iteration to the next. The text is what follows ": ".
std::string adviceOnCarrying(const Value &value);
/// The value is indexed: `value[i]`.
std::string adviceOnIndexing(const ValueKind &value);
/// The value lacks an attribute.
std::string adviceOnAttribute(const ValueKind &value);
/// The value lacks a method that is called.
std::string adviceOnMethod(const ValueKind &value, std::string_view method);
/// The value is an operand of an operator on numbers.
std::string adviceOnOperand(const Value &value);
/// A `for` runs over the value.
std::string adviceOnIteration(const Value &value);
/// ttl.copy() copies between these two, both or none of which are slices of tensors.
std::string adviceOnEnds(const Value &source, const Value &destination);

/// Returns "; did you mean 'x'?" if one of the names is similar to `name`, else nothing.
std::string suggestion(const std::string &name, const std::vector<std::string> &names);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_ADVICE_H
