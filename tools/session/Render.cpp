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
  // Bytes that would move the caret or the terminal.
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

/// Columns that bytes [from, to) of a line take on the terminal: one for each
/// character that is not a continuation byte of UTF-8.
static int width(std::string_view line, size_t from, size_t to) {
  to = std::min(to, line.size());
  int result = 0;
  for (size_t i = from; i < to; ++i)
    result += (static_cast<unsigned char>(line[i]) & 0xc0) != 0x80;
  return result;
}

/// The user's line and a caret under the range. Columns are bytes from 1.
static std::string excerpt(const hw::SourceLocation &location) {
  std::optional<std::string> line = readLine(location.file, location.line);
  if (!line || location.column < 1 || line->size() > 400)
    return "";
  size_t indent = std::min(line->find_first_not_of(' '), line->size());
  size_t start = location.column - 1;
  if (indent == line->size() || start < indent || start > line->size())
    return "";
  size_t end = start + 1;
  if (location.endLine > location.line)
    end = line->size();
  else if (location.endLine == location.line && location.endColumn > location.column)
    end = location.endColumn - 1;
  int marked = std::max(width(*line, start, end), 1);
  return fmt::format("      {}\n      {:{}}^{:~<{}}\n", line->substr(indent), "",
                     width(*line, indent, start), "", marked - 1);
}

std::string session::renderMessage(std::string_view severity, std::string_view message,
                                   const hw::SourceLocation &location) {
  std::string text = fmt::format("{}: {}\n", severity, message);
  if (location.line < 1)
    return text;
  return text + fmt::format("  at {}:{}:{}\n", location.file, location.line, location.column) +
         excerpt(location);
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
