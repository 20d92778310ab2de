//===- Strips.cpp - ops on blocks, tile by tile -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/Strips.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::interp;

namespace {
struct StripDetail : Detail {
  uint32_t count = 1;
  std::vector<std::pair<TileStep, Instruction>> steps;
};
} // namespace

static hw::Status runStrip(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const StripDetail &>(*inst.detail);
  for (uint32_t tile = 0; tile < detail.count; ++tile)
    for (const auto &[step, of] : detail.steps)
      if (hw::Status status = step(of, frame, tile); status != hw::Status::Ok)
        return status;
  return hw::Status::Ok;
}

// Returns the strip that was emitted last, if its ops have `count` tiles; otherwise null.
static StripDetail *lastStrip(uint32_t count, FunctionCompiler &compiler) {
  Instruction *last = compiler.lastInstruction();
  if (!last || last->run != runStrip)
    return nullptr;
  auto *strip = static_cast<StripDetail *>(last->detail.get());
  return strip->count == count ? strip : nullptr;
}

Instruction &interp::emitTileSteps(Operation *op, uint32_t count, TileStep step,
                                   ArrayRef<SlotNumber> operands, FunctionCompiler &compiler) {
  StripDetail *strip = lastStrip(count, compiler);
  if (!strip) {
    auto detail = std::make_unique<StripDetail>();
    detail->count = count;
    strip = detail.get();
    compiler.emit(op, runStrip, {}).detail = std::move(detail);
  }
  return strip->steps.emplace_back(step, compiler.instruction(op, nullptr, operands)).second;
}
