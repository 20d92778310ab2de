//===- PipeCalls.cpp - rules for other nodes and semaphores -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules for calls about other nodes and semaphores. An op without a rule here becomes a
// call of the function with its name.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/Fabric.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/TTKernel.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// Calls the function of that name (EmittedFunctions.h).
static LogicalResult callHelper(Operation *op, ThreadConverter &converter, StringRef helper,
                                StringRef name = "") {
  auto call = converter.call(op, helper, converter.lookup(op->getOperands()),
                             converter.convertType(ttkernel::typeOf(op->getResult(0))), name);
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

static LogicalResult translatedX(Operation *op, ThreadConverter &converter) {
  if (converter.names.mesh)
    return emitColumnOnNoc(op, converter);
  return callHelper(op, converter, "ttl_virtual_x");
}
static LogicalResult translatedY(Operation *op, ThreadConverter &converter) {
  return callHelper(op, converter, "ttl_virtual_y");
}
static LogicalResult multicastAddress(Operation *op, ThreadConverter &converter) {
  return callHelper(op, converter, "ttl_multicast_addr");
}
static LogicalResult loadWord(Operation *op, ThreadConverter &converter) {
  return callHelper(op, converter, "load_l1_word", "count");
}

// Emits a variable for the address of a semaphore. The variable has the name of the
// user's semaphore or of the pipe's counter.
static LogicalResult semaphoreAddress(Operation *op, ThreadConverter &converter) {
  std::string name = userName(op->getLoc());
  auto call = converter.call(op, "get_semaphore", converter.lookup(op->getOperands()),
                             converter.builder.getIntegerType(32, /*isSigned=*/false),
                             name.empty() ? "semaphore" : name);
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

// Emits a call whose function takes a pointer to this node's word instead of an address.
static LogicalResult wordCall(Operation *op, ThreadConverter &converter) {
  SmallVector<Value> operands = converter.lookup(op->getOperands());
  auto pointer = emitc::OpaqueType::get(op->getContext(), "volatile tt_l1_ptr uint32_t *");
  operands[0] = converter.call(op, "ttl_l1_word", operands[0], pointer, "").getResult(0);
  converter.call(op, ttkernel::calleeOf(op), operands, Type(), "");
  return success();
}

// Emits a transfer to a node, which may be on another device.
static LogicalResult toNode(Operation *op, ThreadConverter &converter) {
  if (std::optional<LogicalResult> result = emitOverFabric(op, converter))
    return *result;
  converter.call(op, ttkernel::calleeOf(op), converter.lookup(op->getOperands()), Type(), "");
  return success();
}

// Emits a call of a helper that polls the words: Metalium has no such function. The host waits for
// them. The arguments after `start` are the address and the value of each word.
static LogicalResult waitAny(ttkernel::CallOf<ttkernel::SemaphoreWaitAnyOp> op,
                             ThreadConverter &converter) {
  SmallVector<Value> arguments{converter.lookup(op.getStart())};
  for (auto [address, value] : llvm::zip(op.getAddresses(), op.getValues()))
    arguments.append({converter.lookup(address), converter.lookup(value)});
  StringRef callee = converter.isForHost ? "ttjit::metalium::waitAny" : "ttl_wait_any";
  auto call =
      converter.call(op, callee, arguments, converter.convertType(ttkernel::typeOf(op)), "arrived");
  if (converter.isForHost)
    call->setAttr(kUserFunctionAttr, converter.builder.getUnitAttr());
  converter.map(op, call.getResult(0));
  return success();
}

void tometalium::addPipeCallRules(EmitRules &rules) {
  using namespace mlir::tt::ttkernel;
  rules.add<ConvertLogicalXOp>(translatedX);
  rules.add<ConvertLogicalYOp>(translatedY);
  rules.add<GetNocMulticastAddrOp>(multicastAddress);
  rules.add<LoadFromL1Op>(loadWord);
  rules.add<GetSemaphoreOp>(semaphoreAddress);
  rules.add<NocSemaphoreSetOp>(wordCall);
  rules.add<NocSemaphoreWaitOp>(wordCall);
  rules.add<NocSemaphoreWaitMinOp>(wordCall);
  rules.add<NocAsyncWriteOp>(toNode);
  rules.add<NocSemaphoreIncOp>(toNode);
  rules.add<NocSemaphoreSetRemoteOp>(toNode);
  rules.addCall<SemaphoreWaitAnyOp, waitAny>();
}
