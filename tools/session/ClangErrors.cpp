//===- ClangErrors.cpp - errors of Clang at the lines of a kernel -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/ClangErrors.h"

#include "ir/TTCpp/TTCpp.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::plan;
using namespace ttjit::session;

namespace {
// A line of Clang's output: "file:line:column: error: message".
struct Message {
  std::string file, text;
  unsigned line = 0, column = 0;
  bool isError = false;
};
} // namespace

static std::optional<Message> readLine(StringRef line) {
  for (auto [kind, isError] : {std::pair<StringRef, bool>{": fatal error: ", true},
                               {": error: ", true},
                               {": note: ", false}}) {
    auto [place, text] = line.split(kind);
    if (text.empty())
      continue;
    Message message{{}, text.str(), 0, 0, isError};
    auto [rest, column] = place.rsplit(':');
    auto [file, row] = rest.rsplit(':');
    if (row.getAsInteger(10, message.line) || column.getAsInteger(10, message.column))
      return std::nullopt;
    message.file = file.str();
    return message;
  }
  return std::nullopt;
}

static std::vector<Message> readMessages(StringRef errors) {
  std::vector<Message> messages;
  SmallVector<StringRef> lines;
  errors.split(lines, '\n');
  for (StringRef line : lines)
    if (std::optional<Message> message = readLine(line))
      messages.push_back(std::move(*message));
  return messages;
}

static bool isAt(ttcpp::CallOp call, const Message &message) {
  SourceRange range = getSourceRange(call.getLoc());
  return range.file == message.file && range.line == static_cast<int>(message.line);
}

// Returns the call at the error's line, else the first call into the header, else the first one.
static ttcpp::CallOp findCall(const LaunchPlan &plan, ArrayRef<size_t> chosen,
                              const Message &error) {
  ttcpp::CallOp first, ofHeader, atLine;
  for (size_t thread : chosen)
    plan.sources[thread].op->walk([&](ttcpp::CallOp call) {
      first = first ? first : call;
      if (!ofHeader && call.getHeader() == error.file)
        ofHeader = call;
      if (!atLine && isAt(call, error))
        atLine = call;
    });
  return atLine ? atLine : ofHeader ? ofHeader : first;
}

static Location locationOf(MLIRContext *context, const Message &message) {
  return FileLineColLoc::get(context, message.file, message.line, message.column);
}

static std::string placeOf(const Message &message) {
  return message.file + ":" + std::to_string(message.line) + ":" + std::to_string(message.column);
}

Refusal session::explainClangErrors(const LaunchPlan &plan, ArrayRef<size_t> chosen,
                                    const std::string &errors) {
  Refusal refusal{chosen.front(), errors};
  std::vector<Message> messages = readMessages(errors);
  auto error = llvm::find_if(messages, [](const Message &message) { return message.isError; });
  bool isFound = error != messages.end();
  ttcpp::CallOp call = findCall(plan, chosen, isFound ? *error : Message());
  if (!call)
    return refusal;
  if (isFound || errors.find(": the kernel ") != std::string::npos)
    refusal.op = call;
  if (!isFound)
    return refusal;
  MLIRContext *context = call.getContext();
  std::string name = llvm::sys::path::filename(call.getHeader()).str();
  if (isAt(call, *error)) {
    refusal.why =
        ("the call of '" + call.getCallee() + "' does not compile as C++: " + error->text +
         "; compare it with the function in " + name)
            .str();
  } else {
    refusal.why =
        "the header " + name + " does not compile: " + placeOf(*error) + ": " + error->text;
    refusal.notes.push_back({locationOf(context, *error), "Clang finds the error here"});
  }
  constexpr size_t kMostNotes = 5;
  for (auto it = std::next(error); it != messages.end() && refusal.notes.size() < kMostNotes; ++it)
    if (!isAt(call, *it))
      refusal.notes.push_back({locationOf(context, *it), it->text});
  return refusal;
}
