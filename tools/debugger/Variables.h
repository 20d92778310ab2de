//===- Variables.h - the variables that a debugger shows and sets ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DEBUGGER_VARIABLES_H
#define TTJIT_TOOLS_DEBUGGER_VARIABLES_H

#include "tools/debugger/Debugger.h"

namespace ttjit::debugger {

/// An array, row-major. Integers are exact.
struct ArrayValue {
  std::vector<int64_t> shape;
  std::vector<double> elements;
  bool isInteger = false;
};

/// One DST register of a thread.
struct RegisterValue {
  unsigned number = 0;
  bool isPacking = false; ///< whether it belongs to the section that the packer reads
  ArrayValue tile;
};

/// Returns the elements of a variable of kind Block or Tiles; nothing if its pages are not in L1.
std::optional<ArrayValue> arrayOf(const Debugger &debugger, hw::AgentId agent,
                                  const interp::Variable &variable);

/// Returns the written DST registers of a thread that has reached a statement.
std::vector<RegisterValue> registersOf(const Debugger &debugger, hw::AgentId agent);

/// Sets an element of a block by its row-major number in arrayOf(). Returns the error; empty: none.
std::string setElement(Debugger &debugger, hw::AgentId agent, const interp::Variable &variable,
                       uint64_t element, double value);

/// Sets an integer, a bool or a float. Returns why it cannot; empty if it did.
std::string setScalar(Debugger &debugger, hw::AgentId agent, const interp::Variable &variable,
                      double value);

} // namespace ttjit::debugger

#endif // TTJIT_TOOLS_DEBUGGER_VARIABLES_H
