//===- SourceLines.h - reads source lines ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_SOURCELINES_H
#define TTJIT_PASSES_METALIUM_SOURCELINES_H

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>

namespace ttjit {

/// Returns a line of the user's program if the file can be read. Lines count from 1.
using SourceLineReader = std::function<std::optional<std::string>(llvm::StringRef file, int line)>;

/// Returns a reader that reads each of the user's files once. A file that cannot be
/// read has no lines.
SourceLineReader readSourceLines();

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_SOURCELINES_H
