//===- L1Addresses.cpp - addresses of L1 from circular buffers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/L1Addresses.h"

#include "ir/Locations/Locations.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Returns the operands of a NoC or semaphore call that are addresses in L1.
static SmallVector<OpOperand *> addressOperands(Operation *op) {
  using namespace ttkernel;
  auto pick = [&](std::initializer_list<unsigned> numbers) {
    return llvm::map_to_vector(numbers, [&](unsigned i) { return &op->getOpOperand(i); });
  };
  return CallSwitch<SmallVector<OpOperand *>>(op)
      .Case<GetNocAddrOp>([&](auto) { return pick({2}); })
      .Case<GetNocMulticastAddrOp>([&](auto) { return pick({4}); })
      .Case<LoadFromL1Op, NocSemaphoreSetOp, NocSemaphoreWaitOp, NocSemaphoreWaitMinOp,
            NocSemaphoreSetRemoteOp, NocSemaphoreSetMulticastOp,
            NocSemaphoreSetMulticastLoopbackSrcOp>([&](auto) { return pick({0}); })
      .Case<SemaphoreWaitAnyOp>([&](auto wait) {
        SmallVector<OpOperand *> all;
        for (OpOperand &operand : op->getOpOperands())
          if (llvm::is_contained(wait.getAddresses(), operand.get()))
            all.push_back(&operand);
        return all;
      })
      .Default({});
}

namespace {

class AddressRewriter {
public:
  AddressRewriter(func::FuncOp function, const DeviceProgram &program)
      : function(function), program(program) {}

  LogicalResult run() {
    replaceSemaphores();
    SmallVector<OpOperand *> operands;
    function.walk([&](Operation *op) { llvm::append_range(operands, addressOperands(op)); });
    for (OpOperand *operand : operands)
      if (failed(rewrite(*operand)))
        return failure();
    return success();
  }

private:
  // Follows sums and choices down to the constants. Other ops make addresses at run time.
  LogicalResult rewrite(OpOperand &operand) {
    Operation *made = operand.get().getDefiningOp();
    APInt number;
    if (matchPattern(operand.get(), m_ConstantInt(&number)))
      return rewriteConstant(operand, number.getZExtValue());
    if (auto sum = dyn_cast_or_null<arith::AddIOp>(made))
      return rewriteSum(sum);
    if (auto choice = dyn_cast_or_null<arith::SelectOp>(made))
      return success(succeeded(rewrite(choice->getOpOperand(1))) &&
                     succeeded(rewrite(choice->getOpOperand(2))));
    return success();
  }

  // Rewrites a sum: one of the two is the address, the other an offset, which no buffer contains.
  LogicalResult rewriteSum(arith::AddIOp sum) {
    for (OpOperand &operand : sum->getOpOperands()) {
      APInt number;
      bool isOffset =
          matchPattern(operand.get(), m_ConstantInt(&number)) && !bufferAt(number.getZExtValue());
      if (!isOffset && failed(rewrite(operand)))
        return failure();
    }
    return success();
  }

  const DeviceBuffer *bufferAt(uint64_t address) const {
    for (const DeviceBuffer &buffer : program.buffers)
      if (!buffer.tensor && !buffer.isOnCardOnly && buffer.address <= address &&
          address < buffer.address + static_cast<uint64_t>(buffer.totalBytes))
        return &buffer;
    return nullptr;
  }

  LogicalResult rewriteConstant(OpOperand &operand, uint64_t address) {
    const DeviceBuffer *buffer = bufferAt(address);
    if (!buffer)
      return operand.getOwner()->emitError("internal error: no circular buffer contains address ")
             << address << " of L1";
    Value value = baseOf(*buffer);
    if (uint64_t offset = address - buffer->address) {
      OpBuilder builder(operand.getOwner());
      Location loc = operand.getOwner()->getLoc();
      Value bytes = arith::ConstantIntOp::create(builder, loc, offset, 32);
      value = arith::AddIOp::create(builder, loc, value, bytes);
    }
    operand.set(value);
    return success();
  }

  Value baseOf(const DeviceBuffer &buffer);
  void replaceSemaphores();

  func::FuncOp function;
  const DeviceProgram &program;
  DenseMap<int, Value> bases;
};

} // namespace

static Location named(const std::string &name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

Value AddressRewriter::baseOf(const DeviceBuffer &buffer) {
  Value &base = bases[buffer.id];
  if (base)
    return base;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = UnknownLoc::get(function.getContext());
  auto type = ttkernel::CBType::get(function.getContext(), 1, builder.getI32Type());
  auto cb = ttkernel::createCall<ttkernel::GetCompileTimeArgValOp>(
      builder, named(buffer.name, loc), type, builder.getI32IntegerAttr(buffer.id));
  base = ttkernel::createCall<ttkernel::GetWritePtrOp>(builder, named(buffer.name, loc),
                                                       builder.getI32Type(), cb);
  return base;
}

// Replaces numbers of semaphores by words of the buffer in which other devices change them.
void AddressRewriter::replaceSemaphores() {
  auto words = llvm::find_if(program.buffers,
                             [](const DeviceBuffer &buffer) { return buffer.hasSemaphores; });
  if (words == program.buffers.end())
    return;
  SmallVector<Operation *> calls;
  function.walk([&](Operation *op) {
    if (ttkernel::isCall<ttkernel::GetSemaphoreOp>(op))
      calls.push_back(op);
  });
  for (Operation *op : calls) {
    Value base = baseOf(*words);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value line = arith::ConstantIntOp::create(builder, loc, program.arch.l1Alignment, 32);
    Value offset = builder.createOrFold<arith::MulIOp>(loc, op->getOperand(0), line);
    op->getResult(0).replaceAllUsesWith(
        arith::AddIOp::create(builder, loc, base, offset).getResult());
    op->erase();
  }
}

LogicalResult tometalium::useBufferAddresses(func::FuncOp function, const DeviceProgram &program) {
  return AddressRewriter(function, program).run();
}
