//===- ExternalCallLowering.cpp - calls of C++ functions of the user ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/ExternalCallLowering.h"

#include "ir/TTL/BufferPages.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the number of the tensor among those of its thread: its address is the common run-time
// argument with this number.
static int64_t numberOf(Value tensor) {
  auto argument = cast<BlockArgument>(tensor);
  auto before = argument.getOwner()->getArguments().take_front(argument.getArgNumber());
  return llvm::count_if(before, [](Value value) { return isa<RankedTensorType>(value.getType()); });
}

Value ExternalCallLowering::addressOf(OpBuilder &builder, Value tensor) {
  return ttkernel::createCall<ttkernel::GetCommonArgValOp>(
      builder, tensor.getLoc(), builder.getI32Type(), arithmetic.i32(numberOf(tensor)));
}

// Returns the accessor that ttl-lower-data-movement has made of a tensor; null if there is none.
static Value findAccessor(func::FuncOp function, int64_t offset) {
  for (Operation &op : function.getBody().front())
    if (auto accessor = ttkernel::asCall<ttkernel::TensorAccessorOp>(&op))
      if (auto args = ttkernel::definingCall<ttkernel::TensorAccessorArgsOp>(accessor.getArgs());
          args && args.getCtaOffset() == offset)
        return accessor;
  return {};
}

Value ExternalCallLowering::accessorOf(OpBuilder &builder, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t number = numberOf(tensor);
  int64_t offset = numBufferIndices(arguments.thread().program) + number;
  if (Value made = findAccessor(arguments.thread().function, offset))
    return made;
  auto args = ttkernel::createCall<ttkernel::TensorAccessorArgsOp>(
      builder, tensor.getLoc(), ttkernel::TensorAccessorArgsType::get(builder.getContext()), offset,
      number, type);
  return ttkernel::createCall<ttkernel::TensorAccessorOp>(
      builder, tensor.getLoc(), ttkernel::TensorAccessorType::get(builder.getContext()), args,
      addressOf(builder, tensor), arithmetic.i32(ttl::getPageBytes(type)));
}

void ExternalCallLowering::lowerArguments(ttcpp::CallOp op) {
  OpBuilder builder(op);
  arguments.setToPrologueEnd(builder);
  SmallVector<int64_t> local;
  MutableOperandRange operands = op.getArgumentsMutable();
  for (unsigned number = 0; number < operands.size(); ++number) {
    OpOperand &operand = operands[number];
    Value value = operand.get();
    if (isa<ttl::CircularBufferType>(value.getType())) {
      operand.set(arguments.buffer(value));
    } else if (isa<RankedTensorType>(value.getType())) {
      bool isRaw = op.isRawAddress(number), isLocal = !isRaw && arguments.thread().isCompute();
      operand.set(isRaw || isLocal ? addressOf(builder, value) : accessorOf(builder, value));
      if (isLocal)
        local.push_back(number);
    }
  }
  if (!local.empty())
    op.setLocalTensors(ArrayRef<int64_t>(local));
}

void ExternalCallLowering::lowerTemplateArguments(ttcpp::CallOp op) {
  ArrayAttr given = op.getTemplateArgsAttr();
  if (!given)
    return;
  Builder builder(op.getContext());
  auto bufferOf = [&](int64_t dependency) {
    return arguments.thread().bufferOf(op.getDependencies()[dependency]);
  };
  SmallVector<Attribute> lowered = llvm::map_to_vector(given, [&](Attribute argument) {
    return llvm::TypeSwitch<Attribute, Attribute>(argument)
        .Case([&](ttcpp::DescriptorAttr descriptor) {
          ttl::CreateCBOp buffer = bufferOf(descriptor.getDependency());
          ttl::CircularBufferType type = buffer.getType();
          return ttcpp::BufferFactsAttr::get(op.getContext(), *buffer.getBufferIndex(),
                                             type.getPagesPerBlock(), type.getBufferFactor(),
                                             ttl::pageSizeOf(buffer));
        })
        .Case([&](ttcpp::BufferIdAttr id) {
          int64_t index = *bufferOf(id.getDependency()).getBufferIndex();
          return builder.getIntegerAttr(builder.getIntegerType(32, /*isSigned=*/false), index);
        })
        .Default(argument);
  });
  op.setTemplateArgsAttr(builder.getArrayAttr(lowered));
}

void ExternalCallLowering::lower(ttcpp::CallOp op) {
  lowerTemplateArguments(op);
  lowerArguments(op);
  for (OpOperand &dependency : op.getDependenciesMutable())
    dependency.set(arguments.buffer(dependency.get()));
}
