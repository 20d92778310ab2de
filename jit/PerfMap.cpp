//===- PerfMap.cpp - tells perf the names of compiled functions ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/PerfMap.h"

#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::orc;
using namespace ttjit;

namespace {
// Writes a line for each function of an object as soon as its address is known.
class PerfMapPlugin : public ObjectLinkingLayer::Plugin {
public:
  explicit PerfMapPlugin(std::unique_ptr<raw_fd_ostream> file) : file(std::move(file)) {}

  void modifyPassConfig(MaterializationResponsibility &, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &config) override {
    // Keep the symbols of functions that only their own object calls: the linker would drop them.
    config.PrePrunePasses.push_back([](jitlink::LinkGraph &graph) {
      for (jitlink::Symbol *symbol : graph.defined_symbols())
        if (symbol->isCallable())
          symbol->setLive(true);
      return Error::success();
    });
    config.PostFixupPasses.push_back([this](jitlink::LinkGraph &graph) {
      write(graph);
      return Error::success();
    });
  }

  Error notifyFailed(MaterializationResponsibility &) override { return Error::success(); }
  Error notifyRemovingResources(JITDylib &, ResourceKey) override { return Error::success(); }
  void notifyTransferringResources(JITDylib &, ResourceKey, ResourceKey) override {}

private:
  void write(jitlink::LinkGraph &graph) {
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->isCallable() && symbol->hasName())
        *file << formatv("{0:x-} {1:x-} {2}\n", symbol->getAddress().getValue(),
                         uint64_t(symbol->getSize()), *symbol->getName());
    file->flush();
  }

  std::unique_ptr<raw_fd_ostream> file;
};
} // namespace

Error jit::writePerfMap(LLJIT &lljit) {
  auto *layer = dyn_cast<ObjectLinkingLayer>(&lljit.getObjLinkingLayer());
  if (!layer)
    return createStringError("perf's map needs JITLink, which does not link code for this host");
  std::string path = formatv("/tmp/perf-{0}.map", sys::Process::getProcessId());
  std::error_code code;
  auto file = std::make_unique<raw_fd_ostream>(path, code, sys::fs::OF_Append);
  if (code)
    return createStringError(code, "cannot write " + path + ": " + code.message());
  layer->addPlugin(std::make_shared<PerfMapPlugin>(std::move(file)));
  return Error::success();
}
