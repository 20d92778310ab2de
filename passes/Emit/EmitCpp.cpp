//===- EmitCpp.cpp - kernels as Metalium C++ ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Emit/EmitCpp.h"

#include "passes/Emit/CppPrinter.h"
#include "passes/Emit/Helpers.h"

#include "ir/Support/Locations.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>
#include <memory>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::emit;

//===--------------------------------------------------------------------------===//
// The user's lines
//===--------------------------------------------------------------------------===//

static std::vector<std::string> readLines(StringRef path) {
  std::vector<std::string> lines;
  if (!llvm::sys::fs::is_regular_file(path)) // a position may name a device or a pipe
    return lines;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (buffer)
    for (llvm::line_iterator at(**buffer, /*SkipBlanks=*/false); !at.is_at_eof(); ++at)
      lines.push_back(at->str());
  return lines;
}

SourceLineReader ttjit::readSourceLines() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](StringRef file, int line) -> std::optional<std::string> {
    auto [entry, isNew] = files->try_emplace(file.str());
    if (isNew)
      entry->second = readLines(file);
    const std::vector<std::string> &lines = entry->second;
    if (line < 1 || static_cast<size_t>(line) > lines.size())
      return std::nullopt;
    return lines[line - 1];
  };
}

//===--------------------------------------------------------------------------===//
// One file per thread
//===--------------------------------------------------------------------------===//

namespace {
struct ThreadFile {
  std::string kernel, thread;
  /// Symbols may hold any character.
  std::string name() const {
    std::string text = kernel + "_" + thread;
    for (char &c : text)
      if (!llvm::isAlnum(c) && c != '_' && c != '-' && c != '.')
        c = '_';
    return text + ".cpp";
  }
};
} // namespace

// Thread functions are called <kernel>__<thread>.
static ThreadFile describe(emitc::FuncOp function) {
  StringRef name = function.getName();
  size_t at = name.rfind("__");
  if (at == StringRef::npos)
    return {name.str(), "thread"};
  return {name.take_front(at).str(), name.drop_front(at + 2).str()};
}

static void printOpening(llvm::raw_ostream &stream, emitc::FuncOp function,
                         const std::set<std::string> &callees, bool isCompute,
                         const MetaliumVersion &version) {
  ThreadFile file = describe(function);
  stream << "// Thread '" << toComment(file.thread) << "' of kernel '" << toComment(file.kernel)
         << "'";
  if (SourceRange range = getSourceRange(function.getLoc()); range.line != 0)
    stream << ", " << toComment(llvm::sys::path::filename(range.file)) << ":" << range.line;
  stream << ".\n// Made by ttl-jit.\n\n#include <cstdint>\n\n";
  for (const std::string &header : headersFor(callees, isCompute, version))
    stream << "#include \"" << header << "\"\n";
  stream << "\n";
  for (const std::string &callee : callees)
    if (StringRef helper = helperFunction(callee); !helper.empty())
      stream << helper << "\n";
}

static LogicalResult printFile(llvm::raw_ostream &stream, emitc::FuncOp function,
                               const EmitOptions &options) {
  auto kind = function->getAttrOfType<ttkernel::ThreadTypeAttr>(ttkernel::kThreadAttrName);
  bool isCompute = kind && kind.getValue() == ttkernel::ThreadType::Compute;
  std::set<std::string> callees;
  function.walk([&](emitc::CallOpaqueOp call) { callees.insert(call.getCallee().str()); });
  printOpening(stream, function, callees, isCompute, options.version);
  stream << (isCompute ? "namespace NAMESPACE {\n\nvoid MAIN {\n" : "void kernel_main() {\n");
  CppPrinter printer(stream, options.sourceLine, /*indentation=*/1);
  if (failed(printer.printBody(function)))
    return failure();
  stream << (isCompute ? "}\n\n} // namespace NAMESPACE\n" : "}\n");
  return success();
}

FailureOr<std::vector<EmittedFile>> ttjit::emitMetaliumCpp(ModuleOp ttkernelModule,
                                                           const EmitOptions &options) {
  OwningOpRef<ModuleOp> module = ttkernelModule.clone();
  PassManager passes(module->getContext());
  passes.addPass(createTTKernelToEmitCPass(options.version));
  if (failed(passes.run(*module)))
    return failure();
  std::vector<EmittedFile> files;
  for (auto function : module->getOps<emitc::FuncOp>()) {
    EmittedFile file{describe(function).name(), {}};
    llvm::raw_string_ostream stream(file.text);
    if (failed(printFile(stream, function, options)))
      return failure();
    files.push_back(std::move(file));
  }
  return files;
}
