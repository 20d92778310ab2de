//===- TextSink.h - where a library writes text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Libraries do not print. The caller of a library passes a function that gets the text.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_TEXTSINK_H
#define TTJIT_DIAGNOSTICS_TEXTSINK_H

#include <functional>
#include <string_view>

namespace ttjit::diagnostics {

/// Receives text: every call passes one or more whole lines.
using TextSink = std::function<void(std::string_view)>;

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_TEXTSINK_H
