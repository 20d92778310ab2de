//===- Names.h - C++ identifiers from the user's names --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_NAMES_H
#define TTJIT_PASSES_METALIUM_NAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace ttjit::tometalium {

/// Returns `text` with every character that C++ does not allow replaced by '_'. The
/// result is never empty, a keyword or a macro of tt-metal's kernel headers.
std::string toIdentifier(llvm::StringRef text);

/// Returns `text` in a form that can be part of a one-line comment.
std::string toComment(llvm::StringRef text);

/// The identifiers in use, by nested scope. A name is unique among the scopes open at
/// the same time; sibling scopes may use it again.
class NameScopes {
public:
  NameScopes() { open(); }
  /// Reserves a function's name in every scope.
  void reserve(llvm::StringRef name) { scopes.front().insert(name); }
  void open() { scopes.emplace_back(); }
  void close() { scopes.pop_back(); }
  /// Returns `wanted` as an identifier, with a number appended if the name is taken.
  std::string add(llvm::StringRef wanted);

private:
  bool isTaken(llvm::StringRef name) const;
  std::vector<llvm::StringSet<>> scopes;
};

/// Returns the user's name in `loc`; empty if there is none or it is Python's "_".
std::string userName(mlir::Location loc);
/// Returns the position in `loc` without names; the unknown location if there is none.
mlir::Location positionOf(mlir::Location loc);
/// Returns a location with the name of a C++ variable; only the position if the name is
/// empty.
mlir::Location namedLocation(llvm::StringRef name, mlir::Location position);
/// Returns the name that a value must have in C++; empty if the printer may choose it.
llvm::StringRef wantedName(mlir::Value value);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_NAMES_H
