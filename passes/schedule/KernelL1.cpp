//===- KernelL1.cpp - L1 that a kernel's buffers need -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/KernelL1.h"

#include "ir/TTL/BufferPages.h"
#include "passes/buffers/BufferLayout.h"
#include "passes/threads/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static int64_t sideBySide(const KernelView &kernel, BlocksOf blocks) {
  int64_t bytes = 0;
  for (ttl::CreateCBOp buffer : kernel.getBuffers())
    if (!buffer.isTensorBacked())
      bytes += ttl::blockBytesOf(buffer) * blocks(buffer);
  return bytes;
}

// Lays out the buffers of a copy of the kernel. Returns nothing if its threads cannot
// be told apart yet.
static std::optional<int64_t> laidOut(const KernelView &kernel, BlocksOf blocks) {
  auto module = kernel.getOperation()->getParentOfType<ModuleOp>();
  if (!module)
    return std::nullopt;
  OwningOpRef<ModuleOp> copy = module.clone();
  StringAttr name = SymbolTable::getSymbolName(kernel.getOperation());
  std::optional<KernelView> copied = KernelView::around(SymbolTable::lookupSymbolIn(*copy, name));
  for (auto [buffer, own] : llvm::zip(copied->getBuffers(), kernel.getBuffers()))
    copied->setBlockCount(buffer, blocks(own));
  ScopedDiagnosticHandler silent(copy->getContext(), [](Diagnostic &) { return success(); });
  PassManager passes(copy->getContext());
  passes.addPass(createTTLExpandThreads());
  if (failed(passes.run(*copy)))
    return std::nullopt;
  auto program = cast<ttl::ProgramOp>(SymbolTable::lookupSymbolIn(*copy, name));
  layOutBuffers(program);
  return usedL1(program);
}

int64_t ttjit::bytesOfL1(const KernelView &kernel, BlocksOf blocks, int64_t limit) {
  int64_t bytes = sideBySide(kernel, blocks);
  return bytes <= limit ? bytes : laidOut(kernel, blocks).value_or(bytes);
}
