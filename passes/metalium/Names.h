//===- Names.h - C++ identifiers from the user's names ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_NAMES_H
#define TTJIT_PASSES_METALIUM_NAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace ttjit::emit {

/// `text` with every character C++ does not allow replaced by '_'; never empty,
/// never a keyword or a macro of tt-metal's kernel headers.
std::string toIdentifier(llvm::StringRef text);

/// `text` as part of a one-line comment.
std::string toComment(llvm::StringRef text);

/// Identifiers in use, by nested scope. A name is unique among the scopes open
/// at the time; sibling scopes may use it again.
class NameScopes {
public:
  NameScopes() { open(); }
  /// Reserves a function's name in every scope.
  void reserve(llvm::StringRef name) { scopes.front().insert(name); }
  void open() { scopes.emplace_back(); }
  void close() { scopes.pop_back(); }
  /// `wanted` as an identifier, with a number appended if it is taken.
  std::string add(llvm::StringRef wanted);

private:
  bool isTaken(llvm::StringRef name) const;
  std::vector<llvm::StringSet<>> scopes;
};

/// The user's name in `loc`, empty if there is none or it is Python's "_".
std::string userName(mlir::Location loc);
/// The position inside `loc`, without names; unknown if there is none.
mlir::Location positionOf(mlir::Location loc);
/// A location that carries the name of a C++ variable; just the position if the
/// name is empty.
mlir::Location namedLocation(llvm::StringRef name, mlir::Location position);
/// The name that a value must have in C++; empty if the printer may choose.
llvm::StringRef wantedName(mlir::Value value);

} // namespace ttjit::emit

#endif // TTJIT_PASSES_METALIUM_NAMES_H
