//===- TraceFile.h - a trace file that grows ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace is text: a JSON array with one element per line. A name that ends in .zst means
// that the file holds the text in chunks. A chunk is a skippable frame of zstd with a
// ChunkHeader, and a frame with the compressed text. `zstd -d` ignores the headers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TRACE_TRACEFILE_H
#define TTJIT_TOOLS_TRACE_TRACEFILE_H

#include "llvm/Support/Endian.h"

#include <cstdio>
#include <future>
#include <string>
#include <string_view>

namespace ttjit::trace {

/// Version of the format of the lines. The first line of a trace names it.
inline constexpr int kTraceVersion = 1;

/// The skippable frame before a compressed chunk.
struct ChunkHeader {
  llvm::support::ulittle32_t magic = llvm::support::ulittle32_t(0x184D2A57);
  llvm::support::ulittle32_t frameBytes = llvm::support::ulittle32_t(24);
  char mark[8] = {'t', 't', 'l', 't', 'r', 'a', 'c', '1'};
  llvm::support::ulittle32_t textBytes, packedBytes;
  llvm::support::ulittle64_t checksum; ///< xxh3 of the text
};
static_assert(sizeof(ChunkHeader) == 32);

/// A chunk is written once it has kChunkBytes of text. A reader refuses more than kMaxChunkBytes.
inline constexpr size_t kChunkBytes = 1 << 20;
inline constexpr size_t kMaxChunkBytes = 16 << 20;

/// Returns whether the name says that the file is compressed.
bool isCompressedTrace(std::string_view path);

/// Writes a trace. At most two chunks are in memory. Another host thread compresses and
/// writes, because the callers run on the small stacks of kernel threads.
class TraceFile {
public:
  explicit TraceFile(std::string path);
  ~TraceFile();

  /// Adds a line, which is an element of the array without a comma. Does nothing after an
  /// error.
  void add(std::string_view line);

  /// Writes all lines and the end of the array, so that the file is complete. A line that is added
  /// later replaces the end.
  void complete();

  /// Returns the error; empty: none.
  const std::string &mistake() const { return error; }

private:
  void begin();
  void flush();
  void wait();
  void write(std::string_view text);
  void fail();

  std::string path;
  bool isCompressed;
  FILE *file = nullptr;
  std::string text;          ///< lines of the next chunk
  std::future<void> pending; ///< the chunk that is being written
  bool isComplete = false;
  long end = 0; ///< position of the end of the array
  std::string error;
};

} // namespace ttjit::trace

#endif // TTJIT_TOOLS_TRACE_TRACEFILE_H
