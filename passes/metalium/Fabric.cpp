//===- Fabric.cpp - emits transfers between devices ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Fabric.h"

#include "ir/Nodes/ReachedDevices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

// On a write of a block, and on the call that counts it: both are one call of C++.
static constexpr StringLiteral kCountedAttr = "ttl.counted";

//===--------------------------------------------------------------------------===//
// Pairs of a write and a count
//===--------------------------------------------------------------------------===//

// Returns the column that a NoC address names; null if it is not made of one.
static Value columnOf(Value address) {
  auto core = ttkernel::definingCall<ttkernel::GetNocAddrOp>(address);
  auto column = core ? ttkernel::definingCall<ttkernel::ConvertLogicalXOp>(core->getOperand(0))
                     : ttkernel::CallOf<ttkernel::ConvertLogicalXOp>();
  return column ? column->getOperand(0) : Value();
}

static Value withoutCast(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

// Returns the count of the block that `write` sends, if nothing but addresses is between them.
static Operation *countAfter(Operation *write) {
  Value column = columnOf(write->getOperand(1));
  for (Operation *next = write->getNextNode(); column && next; next = next->getNextNode()) {
    if (ttkernel::isCall<ttkernel::NocSemaphoreSetRemoteOp>(next)) {
      Value other = columnOf(next->getOperand(1));
      bool fits = next->hasAttr(kOfNetAttr) && other && withoutCast(other) == withoutCast(column);
      return fits ? next : nullptr;
    }
    if (!isMemoryEffectFree(next) && !ttkernel::hasNoEffects(next))
      return nullptr;
  }
  return nullptr;
}

void tometalium::pairWithCounts(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (!ttkernel::isCall<ttkernel::NocAsyncWriteOp>(op))
      return;
    if (Operation *count = countAfter(op)) {
      op->setAttr(kCountedAttr, UnitAttr::get(op->getContext()));
      count->setAttr(kCountedAttr, UnitAttr::get(op->getContext()));
    }
  });
}

static Operation *writeBefore(Operation *count) {
  Operation *op = count->getPrevNode();
  while (!ttkernel::isCall<ttkernel::NocAsyncWriteOp>(op))
    op = op->getPrevNode();
  return op;
}

//===--------------------------------------------------------------------------===//
// The start and the end of a kernel
//===--------------------------------------------------------------------------===//

static Location startOf(func::FuncOp source) { return UnknownLoc::get(source.getContext()); }

static bool asksForColumn(func::FuncOp source) {
  return source
      .walk([](Operation *op) {
        return ttkernel::isCall<ttkernel::MyLogicalXOp>(op) ? WalkResult::interrupt()
                                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

void tometalium::openFabric(func::FuncOp source, ThreadConverter &converter) {
  if (!converter.names.mesh)
    return;
  const MeshFacts &mesh = *converter.names.mesh;
  OpBuilder &builder = converter.builder;
  if (asksForColumn(source)) {
    Type word = builder.getIntegerType(32, /*isSigned=*/false);
    Value first = converter.constant(mesh.firstArg, startOf(source));
    auto call = emitc::CallOpaqueOp::create(builder, namedLocation("device", startOf(source)), word,
                                            "get_arg_val", first, ArrayAttr(),
                                            builder.getArrayAttr(TypeAttr::get(word)));
    converter.device = call.getResult(0);
  }
  if (!mesh.sends)
    return;
  std::string text = "ttl_fabric fabric = ttl_fabric_open(" + std::to_string(mesh.firstArg) + ");";
  emitc::VerbatimOp::create(builder, startOf(source), text);
  auto type = emitc::OpaqueType::get(source.getContext(), "ttl_fabric");
  converter.fabric = emitc::LiteralOp::create(builder, startOf(source), type, "fabric");
}

void tometalium::closeFabric(func::FuncOp source, ThreadConverter &converter) {
  if (converter.fabric)
    emitc::VerbatimOp::create(converter.builder, startOf(source), "ttl_fabric_close(fabric);");
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

static Attribute columnsOf(ThreadConverter &converter) {
  return converter.builder.getI32IntegerAttr(static_cast<int32_t>(converter.names.mesh->columns));
}

LogicalResult tometalium::emitColumn(Operation *op, ThreadConverter &converter) {
  std::string name = userName(op->getLoc());
  auto call = converter.call(op, "ttl_column", converter.device, converter.builder.getI32Type(),
                             name.empty() ? "core_x" : name, columnsOf(converter));
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

LogicalResult tometalium::emitColumnOnNoc(Operation *op, ThreadConverter &converter) {
  auto call = converter.call(op, "ttl_virtual_x_of", converter.lookup(op->getOperands()),
                             converter.convertType(ttkernel::typeOf(op->getResult(0))), "",
                             columnsOf(converter));
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

static LogicalResult emitCall(Operation *op, ThreadConverter &converter, StringRef callee,
                              Value address, ValueRange operands) {
  SmallVector<Value> arguments{converter.fabric, converter.lookup(columnOf(address))};
  llvm::append_range(arguments, converter.lookup(operands));
  converter.call(op, callee, arguments, Type(), "", columnsOf(converter));
  return success();
}

static LogicalResult emitCount(Operation *op, ThreadConverter &converter) {
  Value word = op->getOperand(0), to = op->getOperand(1);
  if (!op->hasAttr(kCountedAttr))
    return emitCall(op, converter, op->hasAttr(kOfNetAttr) ? "ttl_fabric_count" : "ttl_fabric_set",
                    to, {word, to});
  Operation *write = writeBefore(op);
  return emitCall(op, converter, "ttl_fabric_send", to,
                  {write->getOperand(0), write->getOperand(1), write->getOperand(2), word, to});
}

std::optional<LogicalResult> tometalium::emitOverFabric(Operation *op, ThreadConverter &converter) {
  if (!converter.fabric)
    return std::nullopt;
  bool isIncrement = ttkernel::isCall<ttkernel::NocSemaphoreIncOp>(op);
  Value address = op->getOperand(isIncrement ? 0 : 1);
  if (!columnOf(address))
    return std::nullopt; // a page of a tensor
  if (isIncrement)
    return emitCall(op, converter, "ttl_fabric_inc", address, op->getOperands());
  if (ttkernel::isCall<ttkernel::NocSemaphoreSetRemoteOp>(op))
    return emitCount(op, converter);
  if (op->hasAttr(kCountedAttr))
    return success(); // the count sends the block, too
  return emitCall(op, converter, "ttl_fabric_write", address, op->getOperands());
}
