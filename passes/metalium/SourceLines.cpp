//===- SourceLines.cpp - reads source lines -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/SourceLines.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <memory>
#include <vector>

using namespace ttjit;

static std::vector<std::string> readLines(llvm::StringRef path) {
  std::vector<std::string> lines;
  if (!llvm::sys::fs::is_regular_file(path)) // a position may name a device or a pipe
    return lines;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (buffer)
    for (llvm::line_iterator at(**buffer, /*SkipBlanks=*/false); !at.is_at_eof(); ++at)
      lines.push_back(at->str());
  return lines;
}

SourceLineReader ttjit::readSourceLines() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](llvm::StringRef file, int line) -> std::optional<std::string> {
    auto [entry, isNew] = files->try_emplace(file.str());
    if (isNew)
      entry->second = readLines(file);
    const std::vector<std::string> &lines = entry->second;
    if (line < 1 || static_cast<size_t>(line) > lines.size())
      return std::nullopt;
    return lines[line - 1];
  };
}
