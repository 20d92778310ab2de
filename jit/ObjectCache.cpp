//===- ObjectCache.cpp - compiled code on disk ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A file has a header and the bytes, compressed by zstd. The header has a mark of the
// format, the size of the bytes and their checksum. A new file gets a temporary name
// until it is complete.
//===--------------------------------------------------------------------------===//

#include "jit/ObjectCache.h"

#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>

using namespace llvm;
using namespace ttjit::jit;

namespace {
struct Header {
  char mark[8];
  support::ulittle64_t size, checksum;
};
} // namespace

static constexpr StringLiteral kMark = "ttljit01";
/// Largest entry. A damaged size must not make this process reserve more memory.
static constexpr uint64_t kMaxEntryBytes = uint64_t(1) << 30;
/// pruneCache deletes only files whose names begin so.
static constexpr StringLiteral kPrefix = "llvmcache-";

//===--------------------------------------------------------------------------===//
// Contents of a file
//===--------------------------------------------------------------------------===//

static std::optional<std::string> unpack(StringRef file) {
  if (file.size() < sizeof(Header))
    return std::nullopt;
  Header header;
  std::memcpy(&header, file.data(), sizeof(Header));
  if (StringRef(header.mark, sizeof(header.mark)) != kMark || header.size > kMaxEntryBytes)
    return std::nullopt;
  std::string bytes(header.size, '\0');
  size_t size = bytes.size();
  Error error = compression::zstd::decompress(arrayRefFromStringRef(file.substr(sizeof(Header))),
                                              reinterpret_cast<uint8_t *>(bytes.data()), size);
  bool isWhole = !error && size == bytes.size() && xxh3_64bits(StringRef(bytes)) == header.checksum;
  consumeError(std::move(error));
  return isWhole ? std::optional(std::move(bytes)) : std::nullopt;
}

static void writePacked(raw_ostream &stream, StringRef bytes) {
  Header header;
  std::memcpy(header.mark, kMark.data(), sizeof(header.mark));
  header.size = bytes.size();
  header.checksum = xxh3_64bits(bytes);
  SmallVector<uint8_t, 0> packed;
  compression::zstd::compress(arrayRefFromStringRef(bytes), packed,
                              compression::zstd::BestSpeedCompression);
  stream.write(reinterpret_cast<const char *>(&header), sizeof(header));
  stream << toStringRef(packed);
}

//===--------------------------------------------------------------------------===//
// Files
//===--------------------------------------------------------------------------===//

std::string ObjectCache::pathOf(StringRef key) const {
  SmallString<128> path(folder);
  sys::path::append(path, kPrefix + key);
  return path.str().str();
}

std::optional<std::string> ObjectCache::find(StringRef key) const {
  if (!compression::zstd::isAvailable())
    return std::nullopt;
  std::string path = pathOf(key);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                            /*IsVolatile=*/true);
  if (!file)
    return std::nullopt;
  std::optional<std::string> bytes = unpack((*file)->getBuffer());
  if (bytes)
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  else
    sys::fs::remove(path);
  return bytes;
}

/// Deletes the entries that were used least recently, if there are too many.
static void prune(StringRef folder, const ObjectCacheLimits &limits) {
  CachePruningPolicy policy;
  policy.Interval = limits.scanInterval;
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizePercentageOfAvailableSpace = 0;
  policy.MaxSizeBytes = limits.maxBytes;
  pruneCache(folder, policy);
}

void ObjectCache::store(StringRef key, StringRef bytes) const {
  if (!compression::zstd::isAvailable() || bytes.size() > kMaxEntryBytes ||
      sys::fs::create_directories(folder, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return;
  int descriptor = -1;
  SmallString<128> temporary;
  if (sys::fs::createUniqueFile(pathOf("new-%%%%%%%%%%%%"), descriptor, temporary))
    return;
  bool isWritten = false;
  {
    raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    writePacked(stream, bytes);
    stream.close();
    isWritten = !stream.has_error();
    stream.clear_error();
  }
  if (!isWritten || sys::fs::rename(temporary, pathOf(key)))
    sys::fs::remove(temporary);
  prune(folder, limits);
}

std::string ttjit::jit::defaultCacheFolder() {
  auto folderIn = [](const char *parent, const Twine &rest) {
    SmallString<128> path(parent);
    sys::path::append(path, rest);
    return path.str().str();
  };
  // The specification of XDG_CACHE_HOME says to ignore relative paths.
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && sys::path::is_absolute(cache))
    return folderIn(cache, "ttl-jit");
  if (const char *home = std::getenv("HOME"); home && sys::path::is_absolute(home))
    return folderIn(home, ".cache/ttl-jit");
  return "";
}
