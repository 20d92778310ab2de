//===- NameConstants.cpp - names for sizes ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/NameConstants.h"

#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/Names.h"

#include <map>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {

class SizeNamer {
public:
  explicit SizeNamer(emitc::FuncOp function) : function(function), builder(function.getContext()) {
    place = nullptr;
    for (Operation &op : function.getBody().front())
      if (isPrologue(op))
        place = &op;
  }

  void run() {
    SmallVector<emitc::CallOpaqueOp> calls;
    function.walk([&](emitc::CallOpaqueOp op) { calls.push_back(op); });
    for (emitc::CallOpaqueOp op : calls)
      nameIn(op);
  }

private:
  static bool isPrologue(Operation &op) {
    auto call = dyn_cast<emitc::CallOpaqueOp>(op);
    return call && (call.getCallee() == "get_compile_time_arg_val" ||
                    call.getCallee() == "TensorAccessorArgs");
  }

  void nameIn(emitc::CallOpaqueOp op) {
    StringRef callee = op.getCallee();
    if (callee == "TensorAccessor")
      return namePages(op, 2, op);
    if (callee == "noc_async_read_page" || callee == "noc_async_write_page")
      return nameStride(op);
    if (callee.starts_with("ttl_") && callee.ends_with("_pages")) {
      namePages(op, op.getNumOperands() - 1, op.getOperand(1).getDefiningOp());
      return nameStride(op);
    }
    if (callee.starts_with("noc_async_read") || callee.starts_with("noc_async_write"))
      if (op.getNumOperands() >= 3)
        name(op, 2, "transfer_bytes");
  }

  // Names the page size in an operand of `op` after the accessor's tensor.
  void namePages(Operation *op, unsigned operand, Operation *accessor) {
    if (accessor)
      name(op, operand, pagesName(accessor));
  }
  static std::string pagesName(Operation *accessor) {
    StringRef tensor = wantedName(accessor->getResult(0));
    tensor.consume_back("_accessor");
    return tensor.str() + "_page_bytes";
  }

  // Names the distance of the pages in L1, if it is the size of the tensor's pages.
  void nameStride(emitc::CallOpaqueOp op) {
    auto accessor = op.getOperand(1).getDefiningOp<emitc::CallOpaqueOp>();
    auto sum = op.getOperand(2).getDefiningOp<emitc::AddOp>();
    if (!accessor || !sum || accessor.getNumOperands() != 3)
      return;
    for (Value part : sum->getOperands()) {
      auto product = part.getDefiningOp<emitc::MulOp>();
      for (unsigned i : {0u, 1u})
        if (product && isSize(product->getOperand(i), accessor.getOperand(2)))
          name(product, i, pagesName(accessor));
    }
  }
  static bool isSize(Value value, Value size) {
    auto literal = size.getDefiningOp<emitc::LiteralOp>();
    std::optional<int64_t> number = numberOf(value);
    return number &&
           (literal ? literal.getValue() == std::to_string(*number) : numberOf(size) == number);
  }

  void name(Operation *op, unsigned operand, const std::string &wanted) {
    std::optional<int64_t> number = numberOf(op->getOperand(operand));
    if (!number || !place)
      return;
    Value &constant = constants[{wanted, *number}];
    if (!constant) {
      builder.setInsertionPointAfter(place);
      constant = emitc::LiteralOp::create(
          builder, namedLocation(wanted, positionOf(place->getLoc())),
          builder.getIntegerType(32, /*isSigned=*/false), std::to_string(*number));
      place = constant.getDefiningOp();
    }
    op->setOperand(operand, constant);
  }

  emitc::FuncOp function;
  OpBuilder builder;
  Operation *place; // the last statement of the prologue
  std::map<std::pair<std::string, int64_t>, Value> constants;
};

} // namespace

void tometalium::nameSizes(emitc::FuncOp function) { SizeNamer(function).run(); }
