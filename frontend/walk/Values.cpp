//===- Values.cpp - what an expression of a kernel function is -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Values.h"

#include "ir/TTL/TTL.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

Value none() { return Static{py::none()}; }

bool isNone(const Value &value) {
  const Static *object = value.getIf<Static>();
  return object && object->object.is_none();
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

static std::string withArticle(std::string_view noun) {
  bool vowel = std::string_view("aeiouAEIOU").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

namespace {
struct Describe {
  std::string operator()(const Static &value) const {
    if (value.object.is_none())
      return "None";
    return withArticle(py::str(py::type::of(value.object).attr("__name__")).cast<std::string>());
  }
  std::string operator()(const Scalar &value) const {
    mlir::Type type = value.value.getType();
    return type.isF32()        ? "a run-time float"
           : type.isInteger(1) ? "a run-time bool"
                               : "a run-time int";
  }
  std::string operator()(const Block &value) const {
    auto shape = mlir::tt::ttl::getBlockShape(value.info->block.getType());
    return "a block of shape " + shapeText(shape);
  }
  std::string operator()(const BlockExpr &value) const {
    return "a block expression of shape " +
           shapeText(mlir::tt::ttl::getBlockShape(value.value.getType()));
  }
  std::string operator()(const TensorPart &) const { return "a slice of a tensor"; }
  std::string operator()(const Transfer &) const { return "a transfer handle"; }
  std::string operator()(const TransferGroup &) const { return "a GroupTransfer"; }
  std::string operator()(const PipeEnd &) const { return "a pipe"; }
  std::string operator()(const SemaphoreRef &) const { return "a remote semaphore"; }
  std::string operator()(const Tuple &) const { return "a tuple"; }
  std::string operator()(const Range &) const { return "a range"; }
  std::string operator()(const SliceObject &) const { return "a slice"; }
  std::string operator()(const Function &value) const {
    return "the function " + value.info->name + "()";
  }
  std::string operator()(const Method &value) const { return "the method " + value.name + "()"; }
  std::string operator()(const Text &) const { return "a run-time string"; }
  std::string operator()(const Missing &) const { return "nothing"; }
};
} // namespace

std::string describe(const Value &value) { return value.visit(Describe{}); }

mlir::Value blockOperand(const Value &value) {
  if (const Block *block = value.getIf<Block>())
    return block->info->block;
  if (const BlockExpr *expr = value.getIf<BlockExpr>())
    return expr->value;
  return {};
}

} // namespace ttjit::frontend
