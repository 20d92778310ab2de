//===- CallBuilder.cpp - calls of the device and of JIT helpers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"

using namespace mlir;
using namespace ttjit::tollvm;

Value CallBuilder::thread(Operation *op) {
  return op->getParentOfType<FunctionOpInterface>().getArgument(0);
}

Value CallBuilder::constant(OpBuilder &builder, Location loc, int64_t value, int bits) {
  Type type = builder.getIntegerType(bits);
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

Value CallBuilder::string(OpBuilder &builder, Location loc, llvm::StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    auto atStart = OpBuilder::atBlockBegin(module.getBody());
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    std::string name = "ttl_text_" + std::to_string(strings.size());
    global = LLVM::GlobalOp::create(atStart, module.getLoc(), type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name, builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

// Allocates the array in the function's first block, which runs once. In a loop, each iteration
// would use more of the stack.
Value CallBuilder::stackArray(OpBuilder &builder, FunctionOpInterface function, Type element,
                              int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::AllocaOp::create(builder, function.getLoc(), pointer, element,
                                constant(builder, function.getLoc(), count));
}

Value CallBuilder::stackWords(OpBuilder &builder, Operation *op, int64_t count) {
  return stackArray(builder, op->getParentOfType<FunctionOpInterface>(), builder.getI32Type(),
                    count);
}

Value CallBuilder::constantWords(OpBuilder &builder, Location loc, ArrayRef<int32_t> words) {
  auto atStart = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), words.size());
  std::string name = "ttl_words_" + std::to_string(numConstantWords++);
  auto global =
      LLVM::GlobalOp::create(atStart, module.getLoc(), type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, builder.getI32TensorAttr(words));
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value CallBuilder::words(OpBuilder &builder, Operation *op, ValueRange numbers) {
  Location loc = op->getLoc();
  if (numbers.empty())
    return LLVM::ZeroOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  Value array = stackWords(builder, op, static_cast<int64_t>(numbers.size()));
  for (auto [index, number] : llvm::enumerate(numbers)) {
    Value word = number;
    if (number.getType().isInteger(1))
      word = LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), number);
    Value address = LLVM::GEPOp::create(builder, loc, array.getType(), builder.getI32Type(), array,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, word, address);
  }
  return array;
}

Value CallBuilder::position(OpBuilder &builder, Operation *op) {
  return constant(builder, op->getLoc(), locations.intern(op->getLoc()));
}

LLVM::LLVMFuncOp CallBuilder::declare(llvm::StringRef name, TypeRange arguments, Type result) {
  LLVM::LLVMFuncOp &function = functions[name];
  if (!function) {
    auto atStart = OpBuilder::atBlockBegin(module.getBody());
    SmallVector<Type> types(arguments);
    auto found = LLVM::lookupOrCreateFn(atStart, module, name, types, result);
    if (succeeded(found))
      function = *found;
  }
  return function;
}

LLVM::CallOp CallBuilder::call(OpBuilder &builder, Operation *op, llvm::StringRef name,
                               ValueRange arguments, Type result) {
  SmallVector<Value> operands{thread(op)};
  llvm::append_range(operands, arguments);
  if (!result)
    result = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::LLVMFuncOp callee = declare(name, ValueRange(operands).getTypes(), result);
  if (!callee) {
    op->emitError("'") << name << "' is the name of a device function; rename the symbol";
    return nullptr;
  }
  return LLVM::CallOp::create(builder, op->getLoc(), callee, operands);
}

LLVM::CallOp CallBuilder::callHelper(OpBuilder &builder, Location loc, llvm::StringRef name,
                                     ValueRange arguments, Type result) {
  if (!result)
    result = LLVM::LLVMVoidType::get(builder.getContext());
  return LLVM::CallOp::create(builder, loc, declare(name, arguments.getTypes(), result), arguments);
}

LLVM::CallOp CallBuilder::callAt(OpBuilder &builder, Operation *op, llvm::StringRef name,
                                 ValueRange arguments, Type result) {
  if (!call(builder, op, kAt, position(builder, op)))
    return nullptr;
  LLVM::CallOp called = call(builder, op, name, arguments, result);
  if (called && op->hasAttr(kOutOfLineAttr))
    called.setNoInline(true);
  return called;
}

LogicalResult CallBuilder::checkedCallAt(OpBuilder &builder, Operation *op, llvm::StringRef name,
                                         ValueRange arguments) {
  LLVM::CallOp status = callAt(builder, op, name, arguments, builder.getI32Type());
  return success(status && call(builder, op, kCheck, status.getResult()));
}
