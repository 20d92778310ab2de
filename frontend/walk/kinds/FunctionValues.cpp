//===- FunctionValues.cpp - functions and methods as values -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

Value Function::call(Walker &walker, Arguments &arguments) const {
  return walker.calls.inlineCall(*this, arguments);
}

// The parts of a function are its default values.
std::vector<Value> Function::parts() const {
  std::vector<Value> values = info->defaults;
  for (const auto &[name, value] : info->keywordDefaults)
    values.push_back(value);
  return values;
}

Value Function::withParts(std::vector<Value> parts) const {
  auto changed = std::make_shared<FunctionInfo>(*info);
  auto first = parts.begin() + changed->defaults.size();
  std::copy(parts.begin(), first, changed->defaults.begin());
  for (auto &[name, value] : changed->keywordDefaults)
    value = *first++;
  return Function{changed};
}

bool Function::isLike(const ValueKind &other) const {
  auto *function = dynamic_cast<const Function *>(&other);
  return function && function->info->node.is(info->node) && function->info->scope == info->scope &&
         function->info->function.is(info->function);
}

Value Method::call(Walker &walker, Arguments &arguments) const {
  return self->callMethod(walker, self, name, arguments);
}

Value Method::withParts(std::vector<Value> parts) const { return Method{parts.front(), name}; }

bool Method::isLike(const ValueKind &other) const {
  auto *method = dynamic_cast<const Method *>(&other);
  return method && method->name == name;
}

} // namespace ttjit::frontend
