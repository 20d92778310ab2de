//===- TraceReader.h - reads a trace file ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TRACE_TRACEREADER_H
#define TTJIT_TOOLS_TRACE_TRACEREADER_H

#include <functional>
#include <string>
#include <string_view>

namespace ttjit::trace {

/// Passes the text of the trace to `sink`, piece by piece. Returns what is wrong with the file;
/// empty: nothing. Pieces before damage have already been passed to `sink`.
std::string readTrace(const std::string &path, const std::function<void(std::string_view)> &sink);

} // namespace ttjit::trace

#endif // TTJIT_TOOLS_TRACE_TRACEREADER_H
