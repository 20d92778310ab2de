//===- PrivateFolder.cpp - a folder that only its user writes -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Code from the folder runs in this process. Whoever can write a file there could run code as this
// user. So the folder and each file must belong to the user, and only the user may write to them.
//===--------------------------------------------------------------------------===//

#include "jit/PrivateFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace ttjit::jit;

static constexpr StringLiteral kKeyFile = "key";
// Prefix of unfinished files. pruneCache() deletes those that a dead process has left.
static constexpr StringLiteral kUnfinished = "llvmcache-new-";

// Returns why other users may have written the file or folder; empty if only this user may.
static std::string whyNotOwn(const struct stat &status, const std::string &path) {
  if (status.st_uid != geteuid())
    return fmt::format("it belongs to another user (number {})", status.st_uid);
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return fmt::format("other users may write to it; run chmod go-w '{}'", path);
  return {};
}

//===--------------------------------------------------------------------------===//
// The folder
//===--------------------------------------------------------------------------===//

std::optional<PrivateFolder> PrivateFolder::open(const std::string &path, bool create,
                                                 std::string &mistake) {
  if (create && sys::fs::create_directories(path, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return std::nullopt;
  int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  PrivateFolder folder(descriptor);
  struct stat status;
  if (fstat(descriptor, &status))
    return std::nullopt;
  mistake = whyNotOwn(status, path);
  if (!mistake.empty())
    return std::nullopt;
  return folder;
}

PrivateFolder::PrivateFolder(PrivateFolder &&other) noexcept : descriptor(other.descriptor) {
  other.descriptor = -1;
}

PrivateFolder::~PrivateFolder() {
  if (descriptor >= 0)
    close(descriptor);
}

std::string ttjit::jit::whyNotPrivate(const std::string &folder) {
  std::string mistake;
  (void)PrivateFolder::open(folder, /*create=*/false, mistake);
  return mistake;
}

//===--------------------------------------------------------------------------===//
// Files
//===--------------------------------------------------------------------------===//

std::unique_ptr<MemoryBuffer> PrivateFolder::read(StringRef name) const {
  // O_NONBLOCK: a pipe in the place of a file must not make this process wait.
  int file = openat(descriptor, name.str().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return nullptr;
  std::unique_ptr<MemoryBuffer> content;
  struct stat status;
  if (!fstat(file, &status) && S_ISREG(status.st_mode) && whyNotOwn(status, "").empty())
    if (auto buffer = MemoryBuffer::getOpenFile(file, name, status.st_size,
                                                /*RequiresNullTerminator=*/false,
                                                /*IsVolatile=*/true))
      content = std::move(*buffer);
  close(file);
  return content;
}

static std::string randomName() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    number = getpid();
  return fmt::format("{}{:016x}", kUnfinished.str(), number);
}

void PrivateFolder::write(StringRef name, StringRef content, bool replace) const {
  std::string unfinished = randomName();
  int file = openat(descriptor, unfinished.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0)
    return;
  raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << content;
  stream.close();
  bool isWritten = !stream.has_error();
  stream.clear_error();
  std::string path = name.str();
  if (isWritten && replace && !renameat(descriptor, unfinished.c_str(), descriptor, path.c_str()))
    return;
  if (isWritten && !replace)
    (void)!linkat(descriptor, unfinished.c_str(), descriptor, path.c_str(), 0);
  remove(unfinished);
}

void PrivateFolder::remove(StringRef name) const {
  (void)!unlinkat(descriptor, name.str().c_str(), 0);
}

void PrivateFolder::noteUse(StringRef name) const {
  (void)!utimensat(descriptor, name.str().c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

//===--------------------------------------------------------------------------===//
// The key
//===--------------------------------------------------------------------------===//

std::optional<PrivateFolder::Key> PrivateFolder::readKey() const {
  struct stat status;
  if (fstatat(descriptor, kKeyFile.data(), &status, AT_SYMLINK_NOFOLLOW))
    return std::nullopt;
  bool isSecret = !(status.st_mode & (S_IRWXG | S_IRWXO));
  std::unique_ptr<MemoryBuffer> file = isSecret ? read(kKeyFile) : nullptr;
  Key key;
  if (file && file->getBufferSize() == key.size()) {
    std::copy_n(file->getBufferStart(), key.size(), key.begin());
    return key;
  }
  // Delete a key that is damaged or that others may have read: no entry of the folder fits then.
  remove(kKeyFile);
  return std::nullopt;
}

std::optional<PrivateFolder::Key> PrivateFolder::key() const {
  if (std::optional<Key> found = readKey())
    return found;
  Key made;
  if (getrandom(made.data(), made.size(), 0) != ssize_t(made.size()))
    return std::nullopt;
  // Another process may make a key at the same time: keep the key that was written first.
  write(kKeyFile, StringRef(reinterpret_cast<const char *>(made.data()), made.size()),
        /*replace=*/false);
  return readKey();
}
