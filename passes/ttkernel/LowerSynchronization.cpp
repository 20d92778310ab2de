//===- LowerSynchronization.cpp - ttl-lower-synchronization -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the device addresses buffers and nodes by number, and counts pages, not blocks.
//
// 1. Turn wait, pop, reserve and push of a block into calls with its number of pages;
//    waits and reserves add the pages of older blocks that are still held. Erase
//    ttl.block_at.
// 2. Compute the node's coordinates from its column and row in the compute grid,
//    according to the layout of ir/Nodes/GridLayout.h.
// 3. Turn semaphores and counters into words of L1 at one address on every node. A
//    remote one is written through the NoC (passes/ttkernel/SemaphoreLowering.cpp); at
//    its end the thread waits until these writes have arrived.
// 4. Turn prints, signposts and calls of the host into ops that name blocks by buffer and
//    page (passes/ttkernel/HostLowering.cpp).
//    Resets of buffers become calls that name them by number.
// 5. Replace the buffers and tensors that calls of C++ functions name
//    (passes/ttkernel/ExternalCallLowering.cpp).
// 6. Remove the function's arguments. It reads kernel arguments instead, and its node's
//    rows of the tables.
//
// Rejects blocks that other ops still use, and semaphores without id or address:
// earlier passes must lower those ops and place the semaphores.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "ir/Nodes/GridLayout.h"
#include "ir/TTKernel/TTKernelResetOps.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/common/Arithmetic.h"
#include "passes/common/StageChecks.h"
#include "passes/ttkernel/ExternalCallLowering.h"
#include "passes/ttkernel/HostLowering.h"
#include "passes/ttkernel/KernelArguments.h"
#include "passes/ttkernel/SemaphoreLowering.h"

#include "llvm/ADT/TypeSwitch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERSYNCHRONIZATION
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

constexpr StringRef kEarlier = "ttl-lower-compute and ttl-lower-data-movement";

class ThreadLowering {
public:
  explicit ThreadLowering(ThreadBinding binding)
      : binding(binding), arguments(binding), arithmetic(binding.function),
        semaphores(binding, arithmetic), host(arithmetic, arguments) {}

  // Fails if an op that is not lowered still uses a block or a resource of the thread.
  LogicalResult run();
  unsigned numLowered = 0;

private:
  template <typename KernelOpT> void lowerPages(Operation *op, Value buffer, int64_t blocks = 1);
  SmallVector<Value> coordinates(OpBuilder &builder, Location loc, int64_t dims);
  void lowerQuery(Operation *op, int64_t dims);
  void lowerGridSize(ttl::GridSizeOp op);
  void lowerReset(ttl::CBResetOp op);
  bool lower(Operation *op);
  LogicalResult eraseArguments();

  ThreadBinding binding;
  KernelArguments arguments;
  Arithmetic arithmetic;
  SemaphoreLowering semaphores;
  HostLowering host;
};

template <typename KernelOpT>
void ThreadLowering::lowerPages(Operation *op, Value buffer, int64_t blocks) {
  OpBuilder builder(op);
  auto type = cast<ttl::CircularBufferType>(buffer.getType());
  ttkernel::createCall<KernelOpT>(builder, op->getLoc(), arguments.buffer(buffer),
                                  arithmetic.i32(blocks * type.getPagesPerBlock()));
}

// Returns the node's coordinates. Flattening the highest dimensions keeps the node's row-major
// number, so all cases except the direct one compute that number first.
SmallVector<Value> ThreadLowering::coordinates(OpBuilder &builder, Location loc, int64_t dims) {
  ArrayRef<int64_t> grid = binding.program.getGrid().getShape();
  GridLayout layout = layoutGrid(grid, archOf(binding.program));
  Value x = ttkernel::createCall<ttkernel::MyLogicalXOp>(builder, loc, builder.getIndexType());
  Value y = ttkernel::createCall<ttkernel::MyLogicalYOp>(builder, loc, builder.getIndexType());
  SmallVector<Value> result;
  if (layout.direct && dims >= 2) {
    result = {x, y};
  } else {
    Value number = layout.direct
                       ? arithmetic.linearise(builder, loc, {x, y}, grid)
                       : arithmetic.linearise(builder, loc, {y, x}, {layout.rows, layout.columns});
    int64_t known = std::min<int64_t>(dims, grid.size());
    SmallVector<int64_t> shape = ttl::flattenGridDims(grid, known, 1);
    for (int64_t extent : llvm::reverse(ArrayRef(shape).drop_front())) {
      Value size = arithmetic.index(extent);
      result.push_back(arith::RemSIOp::create(builder, loc, number, size));
      number = arith::DivSIOp::create(builder, loc, number, size);
    }
    result.push_back(number);
    std::reverse(result.begin(), result.end());
  }
  result.resize(dims, arithmetic.index(0));
  return result;
}

void ThreadLowering::lowerQuery(Operation *op, int64_t dims) {
  OpBuilder builder(op);
  op->replaceAllUsesWith(coordinates(builder, op->getLoc(), dims));
}

void ThreadLowering::lowerGridSize(ttl::GridSizeOp op) {
  SmallVector<Value> sizes;
  for (int64_t size : ttl::flattenGridDims(binding.program.getGrid().getShape(), op.getDims(), 1))
    sizes.push_back(arithmetic.index(size));
  op->replaceAllUsesWith(sizes);
}

void ThreadLowering::lowerReset(ttl::CBResetOp op) {
  OpBuilder builder(op);
  SmallVector<Value> buffers =
      llvm::map_to_vector(op.getBuffers(), [&](Value buffer) { return arguments.buffer(buffer); });
  int64_t words = 0;
  if (Value line = op.getWords())
    words =
        cast<ttl::CreateCountersOp>(binding.boundTo(line).getDefiningOp()).getAddress().value_or(0);
  ttkernel::createCall<ttkernel::CBResetOp>(builder, op.getLoc(), op.getReset(), op.getCall(),
                                            arithmetic.i32(words), buffers);
}

// Returns whether `op` was lowered and can be erased.
bool ThreadLowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ttl::CBWaitOp wait) {
        lowerPages<ttkernel::CBWaitFrontOp>(op, wait.getCb(), wait.getOutstanding().value_or(1));
        return true;
      })
      .Case([&](ttl::CBReserveOp reserve) {
        lowerPages<ttkernel::CBReserveBackOp>(op, reserve.getCb(),
                                              reserve.getOutstanding().value_or(1));
        return true;
      })
      .Case([&](ttl::CBPopOp pop) {
        lowerPages<ttkernel::CBPopFrontOp>(op, bufferValueOf(pop.getBlock()));
        return true;
      })
      .Case([&](ttl::CBPushOp push) {
        lowerPages<ttkernel::CBPushBackOp>(op, bufferValueOf(push.getBlock()));
        return true;
      })
      .Case([&](ttl::CBPublishOp publish) {
        lowerPages<ttkernel::CBPublishOp>(op, publish.getCb(),
                                          publish.getCb().getType().getBufferFactor());
        return true;
      })
      .Case([&](ttl::CBResetOp reset) {
        lowerReset(reset);
        return true;
      })
      .Case([&](ttl::BlockAtOp) { return true; })
      .Case([&](ttl::HeldBlockOp) { return true; })
      .Case([&](ttl::CoreOp core) {
        lowerQuery(op, core.getDims());
        return true;
      })
      .Case([&](ttl::CoreLinearOp) {
        lowerQuery(op, 1);
        return true;
      })
      .Case([&](ttl::GridSizeOp size) {
        lowerGridSize(size);
        return true;
      })
      .Default(false);
}

LogicalResult ThreadLowering::eraseArguments() {
  func::FuncOp function = binding.function;
  for (BlockArgument argument : function.getArguments())
    if (!argument.use_empty())
      return notReady(*argument.user_begin(), "still uses a resource of its thread", kEarlier);
  llvm::BitVector all(function.getNumArguments(), true);
  return function.eraseArguments(all);
}

LogicalResult ThreadLowering::run() {
  SmallVector<Operation *> old;
  binding.function.walk([&](Operation *op) {
    if (lower(op) || semaphores.lower(op) || host.lower(op))
      old.push_back(op);
  });
  ExternalCallLowering external(arithmetic, arguments);
  binding.function.walk([&](ttcpp::CallOp call) { external.lower(call); });
  semaphores.finish();
  numLowered = old.size();
  if (failed(eraseLowered(old, kEarlier)))
    return failure();
  return eraseArguments();
}

struct LowerSynchronization : ttjit::impl::TTLLowerSynchronizationBase<LowerSynchronization> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding)
      return;
    if (failed(requireBufferIndices(binding->program)) || failed(requireAcquires(getOperation())) ||
        failed(checkSemaphores(*binding)) || failed(ttkernel::verifyCalls(getOperation())))
      return signalPassFailure();
    ThreadLowering lowering(*binding);
    if (failed(lowering.run()))
      return signalPassFailure();
    numLowered += lowering.numLowered;
  }
};

} // namespace
