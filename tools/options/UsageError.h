//===- UsageError.h - mistakes in options ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_USAGEERROR_H
#define TTJIT_TOOLS_OPTIONS_USAGEERROR_H

#include <optional>
#include <string>

namespace ttjit::options {

/// The message of a usage error; nothing if the value is valid.
using UsageError = std::optional<std::string>;

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_USAGEERROR_H
