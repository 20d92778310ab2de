//===- UserFile.h - files that a user names -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_USERFILE_H
#define TTJIT_DIAGNOSTICS_USERFILE_H

#include <optional>
#include <string>

namespace ttjit::diagnostics {

/// Returns why the file at `path` cannot be read; nothing if it can. Only regular files
/// can be read: reading a device or a pipe might never end.
std::optional<std::string> whyNotAFile(const std::string &path);

/// Returns the bytes of the file. On failure returns nothing and sets `mistake` to the
/// reason.
std::optional<std::string> readUserFile(const std::string &path, std::string &mistake);

/// Returns why a run that is about to begin could not write a file at `path`, or files
/// into a directory at `path`, which need not exist yet; nothing if it could.
std::optional<std::string> whyNotWritable(const std::string &path);
std::optional<std::string> whyNoDirectory(const std::string &path);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_USERFILE_H
