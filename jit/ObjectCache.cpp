//===- ObjectCache.cpp - compiled code on disk --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A file has a header and the bytes, compressed by zstd. The header has a mark of the
// format, the size of the bytes, and a checksum of the file and of its name. The checksum needs
// a secret key of the folder: whoever does not know the key cannot make an entry, and cannot give
// an entry the name of another one.
//===--------------------------------------------------------------------------===//

#include "jit/ObjectCache.h"

#include "jit/PrivateFolder.h"

#include "llvm-c/blake3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace ttjit::jit;

namespace {
struct Header {
  char mark[8];
  support::ulittle64_t size;
  uint8_t checksum[LLVM_BLAKE3_OUT_LEN];
};
} // namespace

static constexpr StringLiteral kMark = "ttljit02";
// Largest entry. Without a limit, a damaged size would make this process reserve too much memory.
static constexpr uint64_t kMaxEntryBytes = uint64_t(1) << 30;
// Prefix of file names: LLVM's pruneCache deletes only files whose names begin with it.
static constexpr StringLiteral kPrefix = "llvmcache-";

//===--------------------------------------------------------------------------===//
// Contents of a file
//===--------------------------------------------------------------------------===//

// Writes the checksum of an entry into its header.
static void seal(Header &header, const PrivateFolder::Key &key, StringRef name, StringRef packed) {
  static_assert(sizeof(PrivateFolder::Key) == LLVM_BLAKE3_KEY_LEN);
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, key.data());
  support::ulittle64_t nameSize;
  nameSize = name.size();
  llvm_blake3_hasher_update(&hasher, &nameSize, sizeof(nameSize));
  llvm_blake3_hasher_update(&hasher, name.data(), name.size());
  llvm_blake3_hasher_update(&hasher, &header, offsetof(Header, checksum));
  llvm_blake3_hasher_update(&hasher, packed.data(), packed.size());
  llvm_blake3_hasher_finalize(&hasher, header.checksum, sizeof(header.checksum));
}

static bool isSealed(const Header &header, const PrivateFolder::Key &key, StringRef name,
                     StringRef packed) {
  Header expected = header;
  seal(expected, key, name, packed);
  unsigned difference = 0; // compare all bytes: the time must not tell how many are right
  for (size_t i = 0; i < sizeof(header.checksum); ++i)
    difference |= header.checksum[i] ^ expected.checksum[i];
  return difference == 0;
}

static std::optional<std::string> unpack(StringRef file, const PrivateFolder::Key &key,
                                         StringRef name) {
  if (file.size() < sizeof(Header))
    return std::nullopt;
  Header header;
  std::memcpy(&header, file.data(), sizeof(Header));
  StringRef packed = file.substr(sizeof(Header));
  if (StringRef(header.mark, sizeof(header.mark)) != kMark || header.size > kMaxEntryBytes ||
      !isSealed(header, key, name, packed))
    return std::nullopt;
  std::string bytes(header.size, '\0');
  size_t size = bytes.size();
  Error error = compression::zstd::decompress(arrayRefFromStringRef(packed),
                                              reinterpret_cast<uint8_t *>(bytes.data()), size);
  bool isWhole = !error && size == bytes.size();
  consumeError(std::move(error));
  return isWhole ? std::optional(std::move(bytes)) : std::nullopt;
}

static std::string pack(StringRef bytes, const PrivateFolder::Key &key, StringRef name) {
  Header header;
  std::memcpy(header.mark, kMark.data(), sizeof(header.mark));
  header.size = bytes.size();
  SmallVector<uint8_t, 0> packed;
  compression::zstd::compress(arrayRefFromStringRef(bytes), packed,
                              compression::zstd::BestSpeedCompression);
  seal(header, key, name, toStringRef(packed));
  std::string file(reinterpret_cast<const char *>(&header), sizeof(header));
  return file.append(toStringRef(packed));
}

//===--------------------------------------------------------------------------===//
// Files
//===--------------------------------------------------------------------------===//

std::optional<std::string> ObjectCache::find(StringRef key) const {
  std::string mistake, name = (kPrefix + key).str();
  std::optional<PrivateFolder> opened = PrivateFolder::open(folder, /*create=*/false, mistake);
  if (!opened || !compression::zstd::isAvailable())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> file = opened->read(name);
  std::optional<PrivateFolder::Key> secret = file ? opened->key() : std::nullopt;
  std::optional<std::string> bytes;
  if (secret)
    bytes = unpack(file->getBuffer(), *secret, name);
  if (bytes)
    opened->noteUse(name);
  else
    opened->remove(name);
  return bytes;
}

// Deletes the entries that were used least recently, if there are too many.
static void prune(StringRef folder, const ObjectCacheLimits &limits) {
  CachePruningPolicy policy;
  policy.Interval = limits.scanInterval;
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizePercentageOfAvailableSpace = 0;
  policy.MaxSizeBytes = limits.maxBytes;
  pruneCache(folder, policy);
}

void ObjectCache::store(StringRef key, StringRef bytes) const {
  if (!compression::zstd::isAvailable() || bytes.size() > kMaxEntryBytes)
    return;
  std::string mistake, name = (kPrefix + key).str();
  std::optional<PrivateFolder> opened = PrivateFolder::open(folder, /*create=*/true, mistake);
  std::optional<PrivateFolder::Key> secret = opened ? opened->key() : std::nullopt;
  if (!secret)
    return;
  opened->write(name, pack(bytes, *secret, name));
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
