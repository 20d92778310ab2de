//===- Render.cpp - diagnostics and faults as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/Render.h"

#include "diagnostics/UserFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

using namespace ttjit;
using namespace ttjit::diagnostics;

static std::optional<std::string> readLine(const std::string &file, int line) {
  if (whyNotAFile(file))
    return std::nullopt;
  std::ifstream stream(file);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(stream, text))
      return std::nullopt;
  return text;
}

// Returns the byte offset of a character, counted from 0; the size if it is past the
// end.
static size_t byteOffset(std::string_view line, int character) {
  size_t i = 0;
  auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  for (; i < line.size() && (character > 0 || isContinuation(line[i])); ++i)
    character -= !isContinuation(line[i]);
  return i;
}

// Returns the end of the word that begins at character `start`. If a range spans several lines,
// only this word of the first line is marked.
static int endOfWord(std::string_view line, int start) {
  int end = start;
  for (size_t i = byteOffset(line, start); i < line.size(); ++i, ++end)
    if (!std::isalnum(static_cast<unsigned char>(line[i])) && line[i] != '_')
      break;
  return end;
}

// Returns the user's line, and below it carets under the range.
static std::string excerpt(std::string line, const hw::SourceLocation &location) {
  // Tabs would move the caret, and control characters would change the terminal.
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  constexpr size_t kMaxLine = 400;
  int indent = std::min(line.find_first_not_of(' '), line.size());
  int start = location.column - 1;
  if (line.empty() || line.size() > kMaxLine || start < indent ||
      byteOffset(line, start) > line.size())
    return "";
  int end = location.endLine == location.line ? location.endColumn - 1 : endOfWord(line, start);
  return fmt::format("      {}\n      {:{}}^{:~<{}}\n", line.substr(indent), "", start - indent, "",
                     std::max(end - start, 1) - 1);
}

static std::string renderNote(std::string_view message, const hw::SourceLocation &location) {
  if (location.line < 1)
    return fmt::format("  note: {}\n", message);
  return fmt::format("  note: {} at {}:{}:{}\n", message, location.file, location.line,
                     location.column);
}

std::string diagnostics::render(const ErrorText &error) {
  const hw::SourceLocation &location = error.location;
  std::string text = error.severity.empty() ? "" : error.severity + ": ";
  text += error.message + "\n";
  if (location.line > 0) {
    text += fmt::format("  at {}:{}:{}\n", location.file, location.line, location.column);
    std::optional<std::string> line =
        error.line ? error.line : readLine(location.file, location.line);
    text += line ? excerpt(*line, location) : "";
  }
  if (!error.thread.empty())
    text += renderNote(
        fmt::format("in thread {} of {}node ({}, {})", error.thread,
                    error.node.device < 0 ? "" : fmt::format("device {} ", error.node.device),
                    error.node.x, error.node.y),
        {});
  for (const DiagnosticNote &note : error.notes)
    text += renderNote(note.message, note.location);
  return text;
}

static const char *severityName(CompileDiagnostic::Severity severity) {
  switch (severity) {
  case CompileDiagnostic::Severity::Error:
    return "error";
  case CompileDiagnostic::Severity::Warning:
    return "warning";
  case CompileDiagnostic::Severity::Remark:
    return "remark";
  }
  return "error";
}

std::string diagnostics::render(const CompileDiagnostic &diagnostic) {
  ErrorText error;
  error.severity = severityName(diagnostic.severity);
  error.message = diagnostic.message;
  error.location = diagnostic.location;
  error.notes = diagnostic.notes;
  return render(error);
}

static std::string renderAs(const char *severity, const hw::Fault &fault) {
  ErrorText error;
  error.severity = severity;
  error.message = fault.message;
  error.location = fault.location;
  error.thread = fault.thread;
  error.node = fault.node;
  for (const hw::FaultNote &note : fault.notes)
    error.notes.push_back({note.message, note.location});
  return render(error);
}

std::string diagnostics::render(const hw::Fault &fault) { return renderAs("error", fault); }
std::string diagnostics::renderWarning(const hw::Fault &fault) {
  return renderAs("warning", fault);
}

std::string diagnostics::renderError(std::string message, const hw::SourceLocation &location) {
  return render(CompileDiagnostic{
      CompileDiagnostic::Severity::Error, std::move(message), location, {}, WarningKind::Kernel});
}
