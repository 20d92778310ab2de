//===- UserFile.cpp - files that a user names -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/diagnostics/UserFile.h"

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace ttjit;

std::optional<std::string> session::whyNotAFile(const std::string &path) {
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status))
    return std::nullopt;
  if (std::filesystem::is_directory(status))
    return "expected a file; found the directory " + path;
  if (std::filesystem::exists(status))
    return "expected a regular file; found " + path;
  if (error && error != std::errc::no_such_file_or_directory)
    return "cannot read " + path + ": " + error.message();
  return "no such file: " + path;
}

std::optional<std::string> session::readUserFile(const std::string &path, std::string &mistake) {
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
