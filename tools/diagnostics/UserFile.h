//===- UserFile.h - files that a user names -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_USERFILE_H
#define TTJIT_TOOLS_DIAGNOSTICS_USERFILE_H

#include <optional>
#include <string>

namespace ttjit::session {

/// Why there is no file to read at `path`; nothing if there is one. Only regular
/// files are: a device or a pipe may never end.
std::optional<std::string> whyNotAFile(const std::string &path);

/// The whole file, byte for byte. Nothing, and why in `mistake`, if it cannot be
/// read.
std::optional<std::string> readUserFile(const std::string &path, std::string &mistake);

/// Why a run that is about to begin could not write a file at `path`, or files into a
/// directory at `path`, which need not exist yet; nothing if it could.
std::optional<std::string> whyNotWritable(const std::string &path);
std::optional<std::string> whyNoDirectory(const std::string &path);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_USERFILE_H
