//===- ConstantTensors.cpp - tensors that a kernel does not write -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/ConstantTensors.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::plan;

// Returns the number of the common argument with the base address of the accessor's tensor.
static std::optional<size_t> argumentOf(Value accessor) {
  auto op = accessor.getDefiningOp<ttkernel::TensorAccessorOp>();
  auto base = op ? op.getBase().getDefiningOp<ttkernel::GetCommonArgValOp>() : nullptr;
  APInt number;
  if (!base || !matchPattern(base->getOperand(0), m_ConstantInt(&number)))
    return std::nullopt;
  return number.getZExtValue();
}

static bool onlyReads(Operation *op) {
  return isa<ttkernel::NocAsyncReadPageOp, ttkernel::NocAsyncReadPagesOp,
             ttkernel::NocAsyncReadRowOp, ttkernel::DPrintTensorOp>(op);
}

// Returns whether the thread calls a C++ function of the user, which may write any tensor.
static bool callsExternal(Operation *thread) {
  auto isCall = [](ttcpp::CallOp) { return WalkResult::interrupt(); };
  return thread->walk(isCall).wasInterrupted();
}

namespace {

// The kernel's arguments that threads use. A use counts as a write unless it is known to read only.
struct TensorUses {
  std::set<unsigned> used, written;
  bool complete = true; // whether the tensor of every accessor is known

  void add(Operation *op, ArrayRef<unsigned> arguments) {
    for (Value operand : op->getOperands()) {
      if (!isa<ttkernel::TensorAccessorType>(operand.getType()))
        continue;
      std::optional<size_t> number = argumentOf(operand);
      if (!number || *number >= arguments.size()) {
        complete = false;
        continue;
      }
      used.insert(arguments[*number]);
      if (!onlyReads(op))
        written.insert(arguments[*number]);
    }
  }
};

} // namespace

// Returns whether the thread may send to other cores. For threads of earlier stages, assumes so.
static bool reachesOtherCores(const interp::ThreadSource &source) {
  return !source.resources.empty() || callsExternal(source.op) ||
         source.op
             ->walk([](Operation *op) {
               return WalkResult(success(!llvm::any_of(op->getOperandTypes(), [](Type type) {
                 return isa<ttkernel::NocAddrType>(type);
               })));
             })
             .wasInterrupted();
}

// Returns whether the thread prints. For threads of earlier stages, assumes so.
static bool prints(const interp::ThreadSource &source) {
  auto isPrint = [](Operation *op) {
    return WalkResult(
        success(!isa<ttkernel::DPrintOp, ttkernel::DPrintBlockOp, ttkernel::DPrintBufferOp,
                     ttkernel::DPrintTensorOp, ttl::PrintOp, ttcpp::CallOp>(op)));
  };
  return !source.resources.empty() || source.op->walk(isPrint).wasInterrupted();
}

void plan::findConstantArguments(LaunchPlan &plan) {
  TensorUses uses;
  for (auto [source, arguments] : llvm::zip_equal(plan.sources, plan.tensorArguments)) {
    // In threads of earlier stages, tensors are resources, whose uses are not examined.
    uses.complete &= source.resources.empty() && !callsExternal(source.op);
    source.op->walk([&, &arguments = arguments](Operation *op) { uses.add(op, arguments); });
  }
  plan.program.reachesOtherCores = llvm::any_of(plan.sources, reachesOtherCores);
  plan.program.prints = llvm::any_of(plan.sources, prints);
  plan.constantArguments.clear();
  if (uses.complete)
    std::ranges::set_difference(uses.used, uses.written,
                                std::back_inserter(plan.constantArguments));
}

void plan::bindConstantTensors(LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors) {
  plan.program.constantTensors.clear();
  plan.program.tensorBytes = 0;
  for (const hw::TensorAllocation &tensor : tensors)
    plan.program.tensorBytes += uint64_t(tensor.pageBytes) * tensor.numPages;
  auto isConstant = [&](unsigned argument) {
    return std::ranges::binary_search(plan.constantArguments, argument);
  };
  for (unsigned argument : plan.constantArguments) {
    const hw::TensorAllocation &tensor = tensors[argument];
    bool inDram = tensor.type == hw::BufferType::DRAM, isWritten = false;
    for (unsigned other = 0; other < tensors.size(); ++other)
      isWritten |= !isConstant(other) && tensors[other].type == tensor.type &&
                   tensors[other].base == tensor.base;
    if (inDram && !isWritten)
      plan.program.constantTensors.push_back(tensor.base);
  }
}
