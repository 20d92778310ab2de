//===- Writer.cpp - what every pattern of the lowering needs -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ToLLVM/Writer.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace ttjit::tollvm;

Value Writer::thread(Operation *op) {
  return op->getParentOfType<FunctionOpInterface>().getArgument(0);
}

Value Writer::constant(OpBuilder &builder, Location loc, int64_t value, int bits) {
  Type type = builder.getIntegerType(bits);
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

Value Writer::string(OpBuilder &builder, Location loc, llvm::StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    std::string name = "ttl_text_" + std::to_string(strings.size());
    global = LLVM::GlobalOp::create(builder, builder.getUnknownLoc(), type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name, builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value Writer::position(OpBuilder &builder, Operation *op) {
  return constant(builder, op->getLoc(), locations.intern(op->getLoc()));
}

LLVM::CallOp Writer::call(OpBuilder &builder, Operation *op, llvm::StringRef name,
                          ValueRange arguments, Type result) {
  SmallVector<Value> operands{thread(op)};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types(ValueRange(operands).getTypes());
  auto callee = LLVM::lookupOrCreateFn(builder, module, name, types, result);
  if (failed(callee)) {
    op->emitError("'") << name << "' is the name of a device function; rename the symbol";
    return nullptr;
  }
  return LLVM::CallOp::create(builder, op->getLoc(), *callee, operands);
}

LLVM::CallOp Writer::callAt(OpBuilder &builder, Operation *op, llvm::StringRef name,
                            ValueRange arguments, Type result) {
  if (!call(builder, op, kAt, position(builder, op)))
    return nullptr;
  return call(builder, op, name, arguments, result);
}

LogicalResult Writer::checkedCallAt(OpBuilder &builder, Operation *op, llvm::StringRef name,
                                    ValueRange arguments) {
  LLVM::CallOp status = callAt(builder, op, name, arguments, builder.getI32Type());
  return success(status && call(builder, op, kCheck, status.getResult()));
}
