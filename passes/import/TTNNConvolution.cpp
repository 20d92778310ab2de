//===- TTNNConvolution.cpp - ttnn.conv2d --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The image is a tensor of 1 x 1 x (batch * rows * columns) x channels, the weights are outputs x
// inputs of a group x rows x columns. passes/ttir/Windows.h makes the products. Floats are summed
// in f32 and rounded once.
//===--------------------------------------------------------------------------===//

#include "passes/import/TTNNParts.h"
#include "passes/ttir/Windows.h"

#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

namespace {

struct Convolution {
  int64_t batch, channels, outputs, groups;
  SmallVector<int64_t> image; // rows, columns
  Windows windows;
};

} // namespace

// Returns the integer of an attribute, `otherwise` without it. Reports one that is not positive.
static FailureOr<int64_t> number(Operation *op, StringRef name, int64_t otherwise) {
  std::optional<int64_t> found = integerOf(attributeOf(op, name));
  int64_t value = found.value_or(otherwise);
  if (value < 1)
    return op->emitOpError() << "needs the attribute '" << name << "', a positive integer";
  return value;
}

static FailureOr<SmallVector<int64_t>> numbers(Operation *op, StringRef name, int64_t least) {
  Attribute attribute = attributeOf(op, name);
  auto found = integersOf(attribute).value_or(SmallVector<int64_t>{});
  bool isRequired = name == "kernel_size";
  if (!attribute && !isRequired)
    found = {least, least};
  bool fits = found.size() == 2 || (name == "padding" && found.size() == 4);
  if (!fits || llvm::any_of(found, [&](int64_t each) { return each < least; }))
    return op->emitOpError() << "needs the attribute '" << name << "', such as array<i32: 1, 1>";
  return found;
}

static FailureOr<Convolution> readConvolution(Operation *op) {
  Convolution c;
  struct Row {
    StringRef name;
    int64_t *place, otherwise;
  };
  int64_t rows = 0, columns = 0;
  for (Row row : {Row{"batch_size", &c.batch, 0}, Row{"in_channels", &c.channels, 0},
                  Row{"out_channels", &c.outputs, 0}, Row{"groups", &c.groups, 1},
                  Row{"input_height", &rows, 0}, Row{"input_width", &columns, 0}}) {
    FailureOr<int64_t> found = number(op, row.name, row.otherwise);
    if (failed(found))
      return failure();
    *row.place = *found;
  }
  c.image = {rows, columns};
  auto kernel = numbers(op, "kernel_size", 1), stride = numbers(op, "stride", 1),
       dilation = numbers(op, "dilation", 1), padding = numbers(op, "padding", 0);
  if (failed(kernel) || failed(stride) || failed(dilation) || failed(padding))
    return failure();
  if (padding->size() == 2)
    *padding = {(*padding)[0], (*padding)[0], (*padding)[1], (*padding)[1]};
  c.windows = {*kernel, *stride, *dilation, *padding, {}};
  for (unsigned dim : {0, 1}) {
    FailureOr<int64_t> count = countWindows(op, c.windows, dim, c.image[dim]);
    if (failed(count))
      return failure();
    c.windows.counts.push_back(*count);
  }
  return c;
}

// Reports tensors that do not have the elements that the attributes say.
static LogicalResult checkTensors(Operation *op, const Convolution &c, const Values &tensors) {
  if (tensors.size() < 2 || tensors.size() > 3)
    return op->emitOpError("needs an image, weights and at most a bias");
  if (failed(checkGroups(op, c.groups, c.channels, c.outputs)))
    return failure();
  int64_t result = c.batch * llvm::product_of(c.windows.counts) * c.outputs;
  auto check = [&](RankedTensorType type, int64_t elements, StringRef what) -> LogicalResult {
    if (type.getNumElements() == elements)
      return success();
    return op->emitOpError() << "needs " << elements << " elements in " << what << ", found "
                             << type;
  };
  if (failed(check(tensorOf(tensors[0]), c.batch * llvm::product_of(c.image) * c.channels,
                   "the image")) ||
      failed(check(logicalResult(op), result, "the result")))
    return failure();
  if (tensors.size() == 3 && failed(check(tensorOf(tensors[2]), c.outputs, "the bias")))
    return failure();
  Shape weights = {c.outputs, c.channels / c.groups};
  llvm::append_range(weights, c.windows.kernel);
  return checkWeights(op, weights, tensorOf(tensors[1]).getShape());
}

// The name in `#ttnn.conv2d_config<activation = <op_type = relu>>` or `<activation = "relu">`.
static std::string activationOf(Operation *op) {
  std::string text = llvm::to_string(attributeOf(op, "conv2d_config"));
  StringRef rest = StringRef(text).split("activation = ").second;
  if (rest.starts_with("<") || rest.starts_with("#"))
    rest = rest.split("op_type = ").second;
  rest.consume_front("\"");
  return rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str();
}

FailureOr<Values> ttjit::convertConv2d(TTIRBuilder &ops, Operation *op) {
  FailureOr<Convolution> read = readConvolution(op);
  Values tensors = tensorOperands(op);
  if (failed(read) || failed(checkTensors(op, *read, tensors)))
    return failure();
  const Convolution &c = *read;
  RankedTensorType result = logicalResult(op);
  Type wide = sumElement(result.getElementType());
  for (Value &tensor : tensors)
    tensor = ops.cast(tensor, wide);
  Value image = ops.reshape(tensors[0], {c.batch, c.image[0], c.image[1], c.channels});
  Value weights = ops.permute(tensors[1], {0, 2, 3, 1});
  Value sum = convolved(ops, c.windows, image, weights, c.groups);
  if (tensors.size() == 3)
    sum = ops.make("add", {sum, ops.reshape(tensors[2], c.outputs)});
  sum = activated(ops, op, sum, activationOf(op));
  return orFailure(ops.cast(ops.reshape(sum, result.getShape()), result.getElementType()));
}
