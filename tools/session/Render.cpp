//===- Render.cpp - diagnostics and faults as text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Render.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

using namespace ttjit;
using namespace ttjit::session;

static std::optional<std::string> readLine(const std::string &file, int line) {
  std::ifstream stream(file);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(stream, text))
      return std::nullopt;
  return text;
}

/// Byte offset of a character, counted from 0; past the end: the size.
static size_t byteOffset(std::string_view line, int character) {
  size_t i = 0;
  auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  for (; i < line.size() && (character > 0 || isContinuation(line[i])); ++i)
    character -= !isContinuation(line[i]);
  return i;
}

/// The user's line and a caret under the range.
static std::string excerpt(std::string line, const hw::SourceLocation &location) {
  // Bytes that would move the caret or the terminal.
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  constexpr size_t kMaxLine = 400;
  int indent = std::min(line.find_first_not_of(' '), line.size());
  int start = location.column - 1;
  if (line.empty() || line.size() > kMaxLine || start < indent || byteOffset(line, start) > line.size())
    return "";
  int end = start + 1;
  if (location.endLine > location.line)
    end = std::ranges::count_if(line, [](unsigned char c) { return (c & 0xc0) != 0x80; });
  else if (location.endLine == location.line)
    end = location.endColumn - 1;
  return fmt::format("      {}\n      {:{}}^{:~<{}}\n", line.substr(indent), "", start - indent,
                     "", std::max(end - start, 1) - 1);
}

std::string session::renderMessage(std::string_view severity, std::string_view message,
                                   const hw::SourceLocation &location,
                                   std::optional<std::string> line) {
  std::string text(severity.empty() ? "" : fmt::format("{}: ", severity));
  text += fmt::format("{}\n", message);
  if (location.line < 1)
    return text;
  text += fmt::format("  at {}:{}:{}\n", location.file, location.line, location.column);
  if (!line)
    line = readLine(location.file, location.line);
  return line ? text + excerpt(std::move(*line), location) : text;
}

std::string session::renderNote(std::string_view message, const hw::SourceLocation &location) {
  if (location.line < 1)
    return fmt::format("  note: {}\n", message);
  return fmt::format("  note: {} at {}:{}:{}\n", message, location.file, location.line,
                     location.column);
}

static std::string_view severityName(CompileDiagnostic::Severity severity) {
  switch (severity) {
  case CompileDiagnostic::Severity::Error: return "error";
  case CompileDiagnostic::Severity::Warning: return "warning";
  case CompileDiagnostic::Severity::Remark: return "remark";
  }
  return "error";
}

std::string session::render(const CompileDiagnostic &diagnostic) {
  std::string text =
      renderMessage(severityName(diagnostic.severity), diagnostic.message, diagnostic.location);
  for (const DiagnosticNote &note : diagnostic.notes)
    text += renderNote(note.message, note.location);
  return text;
}

std::string session::render(const hw::Fault &fault) {
  std::string text = renderMessage("error", fault.message, fault.location);
  if (!fault.thread.empty())
    text += renderNote(fmt::format("in thread {} of node ({}, {})", fault.thread, fault.node.x,
                                   fault.node.y), {});
  for (const hw::FaultNote &note : fault.notes)
    text += renderNote(note.message, note.location);
  return text;
}
