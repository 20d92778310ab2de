//===- AnyValue.cpp - what a value does unless its kind says otherwise --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"
#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Value ValueKind::attribute(Walker &, py::handle, const Value &self, const std::string &name) const {
  return Method{self, name};
}

Value ValueKind::callMethod(Walker &walker, const Value &, const std::string &name,
                            Arguments &arguments) const {
  walker.diagnostics.fail(arguments.node, fmt::format("{} has no method {}(){}", describe(), name,
                                                      adviceOnMethod(*this, name)));
}

Value ValueKind::call(Walker &walker, Arguments &arguments) const {
  walker.diagnostics.fail(arguments.node,
                          describe() + " cannot be called: leave the parentheses out");
}

Value ValueKind::subscript(Walker &walker, py::handle node, const Value &) const {
  walker.diagnostics.fail(node, describe() + " cannot be indexed" + adviceOnIndexing(*this));
}

std::optional<std::vector<Value>> ValueKind::items(Walker &) const { return std::nullopt; }

std::variant<bool, mlir::Value> ValueKind::truth(Walker &walker, py::handle node) const {
  walker.diagnostics.fail(node, "a condition must be a number or a bool, found " + describe() +
                                    adviceOnCondition(*this));
}

mlir::Type ValueKind::carriedType(const Walker &) const { return {}; }

std::vector<Value> ValueKind::parts() const { return {}; }

Value ValueKind::withParts(std::vector<Value>) const {
  llvm_unreachable("only a value with parts gets others");
}

} // namespace ttjit::frontend
