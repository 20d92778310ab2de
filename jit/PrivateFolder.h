//===- PrivateFolder.h - a folder that only its user writes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_PRIVATEFOLDER_H
#define TTJIT_JIT_PRIVATEFOLDER_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace ttjit::jit {

/// An open folder that belongs to the user of this process and that nobody else may write to. All
/// files are opened through the folder's descriptor, so that no other folder can take its place.
class PrivateFolder {
public:
  /// Returns nothing if there is no such folder, or if another user may write to it; then `mistake`
  /// says so. If `create` is true, makes the folder.
  static std::optional<PrivateFolder> open(const std::string &path, bool create,
                                           std::string &mistake);
  PrivateFolder(PrivateFolder &&other) noexcept;
  ~PrivateFolder();

  /// Returns a file's content; null if it does not exist or others may have written it.
  std::unique_ptr<llvm::MemoryBuffer> read(llvm::StringRef name) const;

  /// Writes a file as a whole: readers see all of it or none. If `replace` is false, keeps a file
  /// that exists. Reports no error if the file cannot be written.
  void write(llvm::StringRef name, llvm::StringRef content, bool replace = true) const;
  void remove(llvm::StringRef name) const;
  void noteUse(llvm::StringRef name) const; ///< sets the file's time of last use to now

  using Key = std::array<uint8_t, 32>;
  /// Returns the folder's secret key. The first call makes the key.
  std::optional<Key> key() const;

private:
  explicit PrivateFolder(int descriptor) : descriptor(descriptor) {}
  std::optional<Key> readKey() const;

  int descriptor;
};

/// Returns why a folder that exists must not be used; empty if it may be used.
std::string whyNotPrivate(const std::string &folder);

} // namespace ttjit::jit

#endif // TTJIT_JIT_PRIVATEFOLDER_H
