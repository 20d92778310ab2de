//===- TraceFile.cpp - a trace file that grows --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/trace/TraceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

using namespace ttjit;
using namespace ttjit::trace;

bool trace::isCompressedTrace(std::string_view path) {
  return path.ends_with(".zst") || path.ends_with(".ttltrace");
}

TraceFile::TraceFile(std::string name)
    : path(std::move(name)), isCompressed(isCompressedTrace(path)) {
  file = std::fopen(path.c_str(), "wb");
  if (!file) {
    fail();
    return;
  }
  begin();
  complete();
}

TraceFile::~TraceFile() {
  wait();
  if (file)
    std::fclose(file);
}

void TraceFile::begin() {
  text = fmt::format("[\n{{\"ph\":\"M\",\"name\":\"ttl_trace\",\"args\":{{\"version\":{}}}}}",
                     kTraceVersion);
}

void TraceFile::fail() {
  if (error.empty())
    error = fmt::format("cannot write the trace '{}': {}", path, std::strerror(errno));
}

void TraceFile::wait() {
  if (pending.valid())
    pending.get();
}

// Returns the chunk of a compressed trace that holds the text.
static std::string pack(std::string_view text) {
  llvm::StringRef bytes(text.data(), text.size());
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(bytes), packed,
                                    llvm::compression::zstd::DefaultCompression);
  ChunkHeader header;
  header.textBytes = text.size();
  header.packedBytes = packed.size();
  header.checksum = llvm::xxh3_64bits(bytes);
  std::string chunk(reinterpret_cast<const char *>(&header), sizeof(header));
  return chunk.append(reinterpret_cast<const char *>(packed.data()), packed.size());
}

void TraceFile::write(std::string_view chunk) {
  std::string packed = isCompressed ? pack(chunk) : std::string(chunk);
  if (std::fwrite(packed.data(), 1, packed.size(), file) != packed.size())
    fail();
}

void TraceFile::flush() {
  wait();
  if (!error.empty())
    return text.clear();
  pending = std::async(std::launch::async,
                       [this, chunk = std::exchange(text, std::string())] { write(chunk); });
}

void TraceFile::add(std::string_view line) {
  if (!error.empty())
    return;
  if (isComplete && std::fseek(file, end, SEEK_SET) != 0)
    fail();
  isComplete = false;
  text += ",\n";
  text += line;
  if (text.size() >= kChunkBytes)
    flush();
}

void TraceFile::complete() {
  if (isComplete)
    return;
  flush();
  wait();
  if (!error.empty())
    return;
  end = std::ftell(file);
  write("\n]\n");
  if (end < 0 || std::fflush(file) != 0)
    fail();
  isComplete = true;
}
