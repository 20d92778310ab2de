//===- ParseModule.cpp - parses the text of a user's module -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/ParseModule.h"

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "diagnostics/TextGuard.h"
#include "diagnostics/UnknownDialects.h"
#include "ir/Messages/UnknownNames.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::diagnostics;

static CompileDiagnostic refusal(const TextProblem &problem, const std::string &path) {
  bool placed = problem.line > 0;
  return makeDiagnostic(CompileDiagnostic::Severity::Error,
                        placed ? problem.message : path + ": " + problem.message,
                        {path, problem.line, problem.column});
}

// Returns the error of a crashed parser, at the character of `text` whose address is on its stack.
static CompileDiagnostic crashError(const Crash &crash, llvm::StringRef text,
                                    const std::string &path) {
  hw::SourceLocation place{path, 1, 1};
  auto begin = reinterpret_cast<uintptr_t>(text.begin()), end = begin + text.size();
  auto found =
      llvm::find_if(crash.words, [&](uintptr_t word) { return word >= begin && word < end; });
  if (found != crash.words.end()) {
    llvm::StringRef before = text.take_front(*found - begin);
    place.line = 1 + static_cast<int>(before.count('\n'));
    place.column = 1 + static_cast<int>(before.size() - (before.rfind('\n') + 1));
  }
  return makeDiagnostic(CompileDiagnostic::Severity::Error,
                        crashMessage(crash, "while it parsed this line"), place);
}

// Replaces MLIR's message about an unknown op by one that also names similar ops of its dialect.
static void nameSimilarOp(CompileDiagnostic &diagnostic, MLIRContext &context) {
  llvm::StringRef message = diagnostic.message;
  bool isCustom = message.contains("' is unknown");
  if (!message.consume_front(isCustom ? "custom op '" : "unregistered operation '"))
    return;
  auto [dialect, name] = message.take_until([](char c) { return c == '\''; }).split('.');
  llvm::SmallVector<llvm::StringRef> names;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == dialect)
      names.push_back(op.stripDialect());
  if (!names.empty())
    diagnostic.message = describeUnknown(("operation of " + dialect).str(), name, names);
}

ParsedModule diagnostics::parseModule(std::string_view text, const std::string &path,
                                      MLIRContext &context) {
  ParsedModule result;
  if (std::optional<TextProblem> problem = findTextProblem(text)) {
    result.diagnostics.push_back(refusal(*problem, path));
    return result;
  }
  auto buffer =
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path);
  llvm::StringRef copy = buffer->getBuffer();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  std::optional<Crash> crash = runGuarded([&] {
    DiagnosticCollector collector(&context, result.diagnostics);
    result.module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  });
  for (CompileDiagnostic &diagnostic : result.diagnostics) {
    nameSimilarOp(diagnostic, context);
    explainUnknownDialect(diagnostic, copy);
  }
  if (crash) {
    result.crashed = true;
    result.diagnostics.push_back(crashError(*crash, copy, path));
  }
  return result;
}
