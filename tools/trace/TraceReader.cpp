//===- TraceReader.cpp - reads a trace file -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/trace/TraceReader.h"

#include "tools/trace/TraceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

using namespace ttjit;
using namespace ttjit::trace;

// Returns the text of the chunk; nothing if the chunk is damaged.
static std::optional<std::string> unpack(const ChunkHeader &header, const std::string &packed) {
  std::string text(header.textBytes, '\0');
  size_t size = text.size();
  llvm::Error error = llvm::compression::zstd::decompress(
      llvm::arrayRefFromStringRef(packed), reinterpret_cast<uint8_t *>(text.data()), size);
  bool isWhole =
      !error && size == text.size() && llvm::xxh3_64bits(llvm::StringRef(text)) == header.checksum;
  llvm::consumeError(std::move(error));
  return isWhole ? std::optional(std::move(text)) : std::nullopt;
}

// Most bytes of text per compressed byte. Elements of a trace seldom compress to less than a
// hundredth. A file with a higher rate was made to fill memory.
static constexpr uint64_t kMaxRate = 2000;

static bool isHeader(const ChunkHeader &header) {
  ChunkHeader expected;
  return header.magic == expected.magic && header.frameBytes == expected.frameBytes &&
         std::memcmp(header.mark, expected.mark, sizeof(header.mark)) == 0 &&
         header.textBytes <= kMaxChunkBytes && header.packedBytes <= kMaxChunkBytes &&
         header.textBytes <= kMaxRate * header.packedBytes;
}

// Reads the next chunk. Returns nothing if it is damaged or cut off.
static std::optional<std::string> readChunk(std::istream &file) {
  ChunkHeader header;
  if (!file.read(reinterpret_cast<char *>(&header), sizeof(header)) || !isHeader(header))
    return std::nullopt;
  std::string packed(header.packedBytes, '\0');
  if (!file.read(packed.data(), static_cast<std::streamsize>(packed.size())))
    return std::nullopt;
  return unpack(header, packed);
}

static bool startsWithChunk(std::istream &file) {
  char first = 0;
  file.get(first);
  file.seekg(0);
  return first == 'W'; // the first byte of ChunkHeader::magic in a file
}

static void readText(std::istream &file, const std::function<void(std::string_view)> &sink) {
  std::string piece(kChunkBytes, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount())
    sink(std::string_view(piece.data(), static_cast<size_t>(file.gcount())));
}

std::string trace::readTrace(const std::string &path,
                             const std::function<void(std::string_view)> &sink) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fmt::format("cannot read '{}': {}", path, std::strerror(errno));
  if (file.peek() == std::ifstream::traits_type::eof())
    return fmt::format("'{}' is empty or no file; expected one that --trace wrote", path);
  if (!startsWithChunk(file)) {
    readText(file, sink);
    return {};
  }
  while (file.peek() != std::ifstream::traits_type::eof()) {
    auto offset = static_cast<long long>(file.tellg());
    std::optional<std::string> text = readChunk(file);
    if (!text)
      return fmt::format("'{}' is damaged at byte {}: expected a chunk of a trace", path, offset);
    sink(*text);
  }
  return {};
}
