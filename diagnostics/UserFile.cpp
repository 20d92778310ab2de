//===- UserFile.cpp - files that a user names ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/UserFile.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace ttjit;

std::optional<std::string> diagnostics::whyNotAFile(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status))
    return std::nullopt;
  if (fs::is_directory(status))
    return "expected a file; found the directory " + path;
  if (fs::exists(status))
    return "expected a regular file; found " + path;
  if (error && error != std::errc::no_such_file_or_directory)
    return "cannot read " + path + ": " + error.message();
  return "no such file: " + path;
}

std::optional<std::string> diagnostics::readUserFile(const std::string &path,
                                                     std::string &mistake) {
  if (std::optional<std::string> why = whyNotAFile(path)) {
    mistake = std::move(*why);
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream)
    return text;
  mistake = "cannot read " + path;
  return std::nullopt;
}

// Returns the directory that contains `path`.
static fs::path parentOf(const fs::path &path) {
  fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// Tries to make a file without a name in the directory. If the file system has no such files, makes
// and removes a directory. access() is not enough: /proc takes no files, whatever its rights say.
static bool canWriteInto(const fs::path &directory) {
  int file = open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) {
    close(file);
    return true;
  }
  if (errno != EOPNOTSUPP && errno != EISDIR)
    return false;
  std::string probe = directory / "ttl-jit-XXXXXX";
  return mkdtemp(probe.data()) && rmdir(probe.c_str()) == 0;
}

static std::optional<std::string> whyNotWritableDirectory(const fs::path &directory) {
  if (!fs::is_directory(directory))
    return directory.string() + " is not a directory";
  if (access(directory.c_str(), W_OK | X_OK) != 0 || !canWriteInto(directory))
    return "cannot write into directory " + directory.string();
  return std::nullopt;
}

std::optional<std::string> diagnostics::whyNotWritable(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    return "expected a file; found the directory " + path;
  if (!fs::exists(status))
    return whyNotWritableDirectory(parentOf(path));
  if (access(path.c_str(), W_OK) != 0)
    return "cannot write " + path;
  return std::nullopt;
}

std::optional<std::string> diagnostics::whyNoDirectory(const std::string &path) {
  std::error_code error;
  fs::path existing = path;
  while (!fs::exists(existing, error) && parentOf(existing) != existing)
    existing = parentOf(existing);
  return whyNotWritableDirectory(existing);
}
