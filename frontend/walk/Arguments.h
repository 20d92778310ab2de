//===- Arguments.h - arguments of a call ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_ARGUMENTS_H
#define TTJIT_FRONTEND_WALK_ARGUMENTS_H

#include "frontend/walk/Diagnostics.h"
#include "frontend/walk/Values.h"

namespace ttjit::frontend {

/// Evaluated arguments. A handler takes those it knows and then calls
/// checkNoMore.
class Arguments {
public:
  struct Item {
    std::string keyword; ///< empty for positional ones
    Value value;
    py::handle node;
    bool used = false;
  };

  /// Without a name, messages call the function as the ast.Call `node` does.
  Arguments(py::handle node, const Diagnostics &diagnostics)
      : node(node), diagnostics(diagnostics) {}
  Arguments(py::handle node, std::string function, const Diagnostics &diagnostics)
      : node(node), name(std::move(function)), diagnostics(diagnostics) {}

  /// The argument at `position` (from 0) or called `keyword`; null if absent.
  const Item *take(unsigned position, std::string_view keyword);
  const Item *takeKeyword(std::string_view keyword);
  /// As take; fails if absent.
  const Item &require(unsigned position, std::string_view keyword);
  /// Fails at the first argument that nobody took.
  void checkNoMore() const;
  bool allStatic() const;
  /// Whether all are Python objects, or functions of the kernel.
  bool allKnown() const;

  /// For messages: "ttl.copy".
  std::string function() const;

  py::handle node; ///< the call
  std::vector<Item> items;

private:
  std::string name; ///< of the function; empty if the call has it
  const Diagnostics &diagnostics;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_ARGUMENTS_H
