//===- ObjectCache.h - compiled code on disk ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A folder of compressed files, one for each key. Several processes may use the folder
// at the same time, and a user may delete any file at any time. No function here
// reports an error: a file that cannot be read is no entry, and an entry that cannot be
// written is not kept. A folder that another user may write to has no entries, and gets none.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_OBJECTCACHE_H
#define TTJIT_JIT_OBJECTCACHE_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace ttjit::jit {

struct ObjectCacheLimits {
  uint64_t maxBytes = uint64_t(256) << 20; ///< of all files together
  /// The shortest time between two scans of the folder for files to delete.
  std::chrono::seconds scanInterval = std::chrono::seconds(60);
};

class ObjectCache {
public:
  /// Creates the folder when the first entry is stored.
  explicit ObjectCache(std::string folder, ObjectCacheLimits limits = {})
      : folder(std::move(folder)), limits(limits) {}

  /// Returns the bytes stored under `key`, and notes that the entry was used. Deletes an
  /// entry that is damaged.
  std::optional<std::string> find(llvm::StringRef key) const;

  /// Stores the bytes under `key`, a file name. If the folder has become too large,
  /// deletes the entries that were used least recently.
  void store(llvm::StringRef key, llvm::StringRef bytes) const;

private:
  std::string folder;
  ObjectCacheLimits limits;
};

/// Returns the folder for compiled code of this user: ttl-jit in $XDG_CACHE_HOME, else in
/// ~/.cache. Empty if the environment names neither.
std::string defaultCacheFolder();

} // namespace ttjit::jit

#endif // TTJIT_JIT_OBJECTCACHE_H
