//===- CompileCpp.cpp - kernels in C++ to LLVM IR -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The only file that uses Clang. It is a library of its own, libttjit-clang.so, which
// jit/ClangLibrary.cpp loads when a kernel in C++ must be compiled: mapping libclang-cpp takes
// as long as the rest of the start. Sources and headers are in memory; files of the host are read
// only for a kernel that calls functions of the user's own headers.
//===--------------------------------------------------------------------------===//

#include "jit/CppSource.h"
#include "jit/clang/InlineAsm.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace ttjit::jit;

namespace {
// A header that kernels may include.
struct Header {
  const char *path; // as #include names it
  const char *text;
};
} // namespace

// hw/metalium/embed.py writes this list.
static constexpr Header kHeaders[] = {
#include "headers.inc"
};

static constexpr char kIncludeFolder[] = "/metalium/";

static IntrusiveRefCntPtr<vfs::FileSystem> makeFiles(const CppSource &source) {
  auto files = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const Header &header : kHeaders)
    files->addFile(Twine(kIncludeFolder) + header.path, 0,
                   MemoryBuffer::getMemBuffer(header.text, header.path));
  files->addFile("/" + source.file, 0, MemoryBuffer::getMemBuffer(source.text, source.file));
  if (!source.readsFiles)
    return files;
  auto all = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  all->pushOverlay(files);
  return all;
}

// Returns the arguments of clang -cc1. Clang optimises nothing, because bindThread() must work on
// its IR before that.
static std::vector<std::string> arguments(const CppSource &source) {
  std::vector<std::string> result = {"-triple",
                                     sys::getProcessTriple(),
                                     "-emit-llvm-only",
                                     "-x",
                                     "c++",
                                     "-std=c++17",
                                     "-nostdsysteminc",
                                     "-nobuiltininc",
                                     "-internal-isystem",
                                     kIncludeFolder,
                                     "-ffp-contract=off",
                                     "-ffreestanding",
                                     "-O1",
                                     "-disable-llvm-passes",
                                     "-debug-info-kind=standalone",
                                     "-dwarf-version=5",
                                     "-mrelocation-model",
                                     "pic",
                                     "-pic-level",
                                     "2",
                                     "-fsanitize=signed-integer-overflow,"
                                     "integer-divide-by-zero,shift-exponent",
                                     "-fno-strict-float-cast-overflow",
                                     "-fno-threadsafe-statics",
                                     "-Wno-int-to-pointer-cast"};
  for (const std::string &define : source.defines)
    result.push_back("-D" + define);
  for (const std::string &folder : source.includePaths)
    result.push_back("-I" + folder);
  for (const std::string &header : source.headers) {
    result.push_back("-include");
    result.push_back(kIncludeFolder + header);
  }
  result.push_back("/" + source.file);
  return result;
}

extern "C" __attribute__((visibility("default"))) void
ttjit_compile_cpp(const CppSource &source, LLVMContext &context, std::unique_ptr<Module> &module,
                  std::string &errors) {
  std::vector<std::string> texts = arguments(source);
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  raw_string_ostream stream(errors);
  IntrusiveRefCntPtr<vfs::FileSystem> files = makeFiles(source);
  clang::DiagnosticOptions options;
  options.ShowCarets = false;
  options.ShowPresumedLoc = true; // show the lines that #line gives
  auto printer = std::make_unique<clang::TextDiagnosticPrinter>(stream, options);
  auto diagnostics =
      clang::CompilerInstance::createDiagnostics(*files, options, printer.get(), false);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *diagnostics))
    return;
  invocation->getDiagnosticOpts().ShowCarets = false;
  clang::CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(printer.get(), /*ShouldOwnClient=*/false);
  clang::EmitLLVMOnlyAction action(&context);
  if (!compiler.ExecuteAction(action))
    return;
  module = action.takeModule();
  if (module && !removeAsm(*module, stream))
    module.reset();
}
