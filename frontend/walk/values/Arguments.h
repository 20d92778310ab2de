//===- Arguments.h - arguments of a call ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_ARGUMENTS_H
#define TTJIT_FRONTEND_WALK_VALUES_ARGUMENTS_H

#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

/// The evaluated arguments of one call. A handler of a function takes the arguments that it knows,
/// then calls checkNoMore.
class Arguments {
public:
  struct Item {
    std::string keyword; ///< the argument's name; empty for a positional argument
    Value value;
    py::handle node;
    bool used = false;
  };

  /// Without a name, messages call the function as the ast.Call `node` does.
  Arguments(py::handle node, const Diagnostics &diagnostics)
      : node(node), diagnostics(diagnostics) {}
  Arguments(py::handle node, std::string function, const Diagnostics &diagnostics)
      : node(node), name(std::move(function)), diagnostics(diagnostics) {}

  /// Returns the argument at `position` (counted from 0), or the one called `keyword`; null if the
  /// call has neither. Marks the argument as used.
  const Item *take(unsigned position, std::string_view keyword);
  const Item *takeKeyword(std::string_view keyword);
  /// Returns the same argument as take(); fails with a message if the call does not have it.
  const Item &require(unsigned position, std::string_view keyword);
  /// Fails if a keyword argument is probably the parameter `keyword`, misspelt.
  void refuseMisspelt(const std::string &keyword) const;
  /// Fails at the first argument that no call of take() or require() returned.
  void checkNoMore() const;
  bool allStatic() const;
  /// Returns whether every argument is known at compile time: a Python object or a function of the
  /// kernel.
  bool allKnown() const;

  /// Returns the called function's name for messages: "ttl.copy".
  std::string function() const;

  py::handle node; ///< the ast.Call; errors are reported here
  std::vector<Item> items;

private:
  std::string name; ///< of the function; empty if the call has it
  /// The names of the parameters that were asked for, in this order.
  std::vector<std::string> parameters;
  const Diagnostics &diagnostics;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_ARGUMENTS_H
