//===- Releases.cpp - finds ops that end waits --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/Releases.h"

#include "diagnostics/Diagnostics.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::plan;

using Kind = hw::Release::Kind;

// Returns the object that an op releases: a buffer, or the address of a semaphore on
// some node.
static std::optional<std::pair<Kind, Value>> released(Operation *op) {
  using Result = std::optional<std::pair<Kind, Value>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ttkernel::CBPushBackOp op) { return Result({Kind::Push, op.getCb()}); })
      .Case([](ttkernel::CBPublishOp op) { return Result({Kind::Publish, op.getCb()}); })
      .Case([](ttl::CBPublishOp op) { return Result({Kind::Publish, op.getCb()}); })
      .Case([](ttkernel::CBPopFrontOp op) { return Result({Kind::Pop, op.getCb()}); })
      .Case([](ttl::CBPushOp op) { return Result({Kind::Push, op.getBlock()}); })
      .Case([](ttl::CBPopOp op) { return Result({Kind::Pop, op.getBlock()}); })
      .Case([](ttkernel::NocSemaphoreSetOp op) {
        return Result({Kind::SetSemaphore, op.getAddress()});
      })
      .Case<ttkernel::NocSemaphoreSetRemoteOp, ttkernel::NocSemaphoreSetMulticastOp,
            ttkernel::NocSemaphoreSetMulticastLoopbackSrcOp>(
          [](auto op) { return Result({Kind::SetSemaphore, op.getDestination()}); })
      .Case([](ttkernel::NocSemaphoreIncOp op) {
        return Result({Kind::IncrementSemaphore, op.getDestination()});
      })
      .Case([](ttl::SemaphoreSetOp op) { return Result({Kind::SetSemaphore, op.getSemaphore()}); })
      .Case([](ttl::SemaphoreIncOp op) {
        return Result({Kind::IncrementSemaphore, op.getSemaphore()});
      })
      .Default(Result());
}

// Returns the index of the buffer, or the L1 address of the semaphore, from which
// `value` was made. Follows addresses and blocks back to it.
static std::optional<uint32_t> objectOf(Value value, const interp::ThreadSource &source) {
  while (true) {
    for (const interp::ThreadSource::Resource &resource : source.resources)
      if (resource.value == value)
        return resource.number;
    Operation *op = value.getDefiningOp();
    APInt id;
    if (auto argument = dyn_cast_if_present<ttkernel::GetCompileTimeArgValOp>(op))
      return argument.getIndex();
    if (auto semaphore = dyn_cast_if_present<ttkernel::GetSemaphoreOp>(op))
      return matchPattern(semaphore.getId(), m_ConstantInt(&id))
                 ? std::optional(source.arch.semaphoreAddress(int(id.getSExtValue())))
                 : std::nullopt;
    if (auto address = dyn_cast_if_present<ttkernel::GetNocAddrOp>(op))
      value = address.getAddress();
    else if (auto address = dyn_cast_if_present<ttkernel::GetNocMulticastAddrOp>(op))
      value = address.getAddress();
    else if (isa_and_present<ttl::TTLDialect>(op ? op->getDialect() : nullptr) &&
             op->getNumOperands() != 0)
      value = op->getOperand(0); // from a block to its buffer; a remote semaphore to the local one
    else
      return std::nullopt;
  }
}

void plan::findReleases(LaunchPlan &plan) {
  std::set<hw::Release> found;
  for (auto [thread, source] : llvm::zip_equal(plan.program.threads, plan.sources))
    source.op->walk([&, processor = thread.processor, &source = source](Operation *op) {
      auto target = released(op);
      if (!target)
        return;
      if (std::optional<uint32_t> object = objectOf(target->second, source))
        found.insert({target->first, *object, processor, toSourceLocation(op->getLoc())});
    });
  plan.program.releases.emplace(found.begin(), found.end());
}
