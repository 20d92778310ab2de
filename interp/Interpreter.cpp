//===- Interpreter.cpp - the interpreter --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/Interpreter.h"

#include "interp/FunctionCompiler.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::interp;

// Frames of up to this many slots are on the kernel stack. A thread that ends in a host fault is
// abandoned without destructors, so a frame on the heap would leak.
static constexpr size_t kStackSlots = 512;

[[gnu::noinline]] static hw::Status runOnStack(const Code &code, hw::KernelThread &thread) {
  Slot slots[kStackSlots];
  std::copy(code.image.begin(), code.image.end(), slots);
  Frame frame{thread, slots};
  return runInstructions(code.body, frame);
}

[[gnu::noinline]] static hw::Status runOnHeap(const Code &code, hw::KernelThread &thread) {
  std::vector<Slot> slots = code.image;
  size_t elements = static_cast<size_t>(code.numTiles) * hw::kDstTileElements;
  auto tiles = std::make_unique_for_overwrite<float[]>(elements);
  std::vector<uint8_t> written(code.numTiles, 1);
  Frame frame{thread, slots.data(), tiles.get(), written.data(), code.numTiles};
  return runInstructions(code.body, frame);
}

hw::Status interp::run(const Code &code, hw::KernelThread &thread) {
  bool small = code.image.size() <= kStackSlots && code.numTiles == 0;
  return small ? runOnStack(code, thread) : runOnHeap(code, thread);
}

llvm::Expected<hw::ThreadEntry> interp::compileThread(const ThreadSource &thread,
                                                      LocationTable &locations) {
  FunctionCompiler compiler(opTable(), locations, thread);
  llvm::Expected<std::shared_ptr<const Code>> code = compiler.compile();
  if (!code)
    return code.takeError();
  return hw::ThreadEntry([code = std::move(*code)](hw::KernelThread &kernelThread) {
    return run(*code, kernelThread);
  });
}
