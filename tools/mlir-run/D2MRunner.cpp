//===- D2MRunner.cpp - host ops of tt-mlir's modules --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// d2m-to-ttl leaves the ops of the host: new tensors, copies between layouts, views. They run on
// rows of elements, element by element. A value that a view, a cast or a call gives another name is
// the same tensor.
//===--------------------------------------------------------------------------===//

#include "diagnostics/Diagnostics.h"
#include "diagnostics/Render.h"
#include "passes/d2m/Storage.h"
#include "tools/mlir-run/DeviceTensors.h"
#include "tools/mlir-run/MainRunner.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;

//===--------------------------------------------------------------------------===//
// Names of tensors
//===--------------------------------------------------------------------------===//

Value MainRunner::ownerOf(Value value) const {
  for (auto it = owners.find(value); it != owners.end(); it = owners.find(value))
    value = it->second;
  return value;
}

ExitStatus MainRunner::create(Operation *op, Value value) {
  RankedTensorType type = hostTypeOf(value.getType());
  if (!type)
    return refuse(op, "a tensor of this type cannot be stored: " + describe(value.getType()));
  llvm::Expected<HostTensor> tensor = HostTensor::create(type);
  if (!tensor)
    return refuse(op, llvm::toString(tensor.takeError()));
  owners.erase(value);
  tensors.erase(value);
  tensors.insert({value, std::move(*tensor)});
  return ExitStatus::Success;
}

RankedTensorType MainRunner::hostTypeOf(Type type) {
  std::string why;
  if (!d2m::getGrid(type).empty())
    return storedType(type, why);
  if (auto memref = dyn_cast<MemRefType>(type); memref && memref.hasStaticShape())
    return RankedTensorType::get(memref.getShape(), memref.getElementType());
  return dyn_cast<RankedTensorType>(type);
}

std::string MainRunner::describe(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===--------------------------------------------------------------------------===//
// Copies between layouts
//===--------------------------------------------------------------------------===//

// Advances an index in row-major order; returns false after the last one.
static bool advance(SmallVectorImpl<int64_t> &index, ArrayRef<int64_t> shape) {
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    if (++index[dim] < shape[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

std::optional<ElementFinder> MainRunner::finderFor(Value value, Operation *op, Value &base,
                                                   std::string &why) {
  FailureOr<Storage> storage = storageOf(value, op);
  if (failed(storage)) {
    why = "is a view that cannot be followed";
    return std::nullopt;
  }
  base = ownerOf(storage->base);
  if (!tensors.contains(base)) {
    why = "has no storage";
    return std::nullopt;
  }
  return ElementFinder::create(value.getType(), tensors.at(base).type(), storage->map, why);
}

ExitStatus MainRunner::copyElements(Operation *op, Value input, Value output) {
  Value from, to;
  std::string why;
  std::vector<CompileDiagnostic> reported;
  std::optional<ElementFinder> source, target;
  {
    DiagnosticCollector collector(op->getContext(), reported);
    source = finderFor(input, op, from, why);
    target = source ? finderFor(output, op, to, why) : std::nullopt;
  }
  if (!source || !target)
    return refuse(op, fmt::format("the {} {}", source ? "output" : "input", why));
  ArrayRef<int64_t> shape = source->logicalShape();
  if (shape != target->logicalShape())
    return refuse(op, "the input and the output have different logical shapes");
  if (ShapedType::getNumElements(shape) == 0)
    return ExitStatus::Success;
  SmallVector<int64_t> index(shape.size());
  HostTensor &reads = tensors.at(from), &writes = tensors.at(to);
  do
    writes.set(target->find(index), reads.get(source->find(index)));
  while (advance(index, shape));
  return ExitStatus::Success;
}

// Reads a view index by index of the device, with the rows and columns of its tiles.
ExitStatus MainRunner::readView(Operation *op, Value view, Value into) {
  FailureOr<Storage> storage = storageOf(view, op);
  Value base = failed(storage) ? Value() : ownerOf(storage->base);
  if (!base || !tensors.contains(base))
    return refuse(op, "returns a view of a tensor that was not made before");
  auto shaped = cast<ShapedType>(view.getType());
  SmallVector<int64_t> shape(shaped.getShape()), extents(shape), index(shape.size());
  int64_t rows = 1, columns = 1;
  if (auto tile = dyn_cast<ttcore::TileType>(shaped.getElementType())) {
    rows = tile.getHeight();
    columns = tile.getWidth();
    extents[extents.size() - 2] *= rows;
    extents.back() *= columns;
  }
  const HostTensor &reads = tensors.at(base);
  HostTensor &writes = tensors.at(into);
  index.assign(extents.size(), 0);
  int64_t number = 0;
  do {
    SmallVector<int64_t> place(index);
    place[place.size() - 2] /= rows;
    place.back() /= columns;
    place = storage->map.compose(place);
    place[place.size() - 2] = place[place.size() - 2] * rows + index[index.size() - 2] % rows;
    place.back() = place.back() * columns + index.back() % columns;
    int64_t from = 0;
    for (auto [extent, i] : llvm::zip(reads.type().getShape(), place)) {
      if (i < 0 || i >= extent)
        return refuse(op, "returns a view that leads outside of its tensor");
      from = from * extent + i;
    }
    writes.setBits(number++, reads.getBits(from));
  } while (advance(index, extents));
  return ExitStatus::Success;
}

// A tensor is a value, so the result is a new one.
ExitStatus MainRunner::relayout(Operation *op) {
  Value input = op->getOperand(0), output = op->getOperand(1);
  if (op->getNumResults() == 0)
    return copyElements(op, input, output);
  ExitStatus status = create(op, op->getResult(0));
  return status == ExitStatus::Success ? copyElements(op, input, op->getResult(0)) : status;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

ExitStatus MainRunner::run(UnrealizedConversionCastOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return refuse(op, "only casts of one value can run");
  RankedTensorType from = hostTypeOf(op.getOperand(0).getType()),
                   to = hostTypeOf(op.getResult(0).getType());
  if (!from || !to || from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return refuse(op, "only casts between types that are stored alike can run");
  owners[op.getResult(0)] = op.getOperand(0);
  return ExitStatus::Success;
}

ExitStatus MainRunner::run(func::ReturnOp op) {
  returned.assign(op.getOperands().begin(), op.getOperands().end());
  return ExitStatus::Success;
}

ExitStatus MainRunner::run(func::CallOp op) {
  auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
  if (!callee || callee.isExternal() || !llvm::hasSingleElement(callee.getBody()))
    return refuse(op, "calls a function that has no body of one block");
  if (llvm::is_contained(calls, callee))
    return refuse(op, "calls a function that is running");
  // A tensor is a value: the callee gets a copy. A memref is the caller's.
  for (auto [argument, operand] : llvm::zip(callee.getArguments(), op.getOperands())) {
    owners.erase(argument);
    tensors.erase(argument);
    Value owner = ownerOf(operand);
    if (session.options().passes.compileOnly)
      continue; // no tensor has values
    if (!tensors.contains(owner))
      return refuse(op, "has an argument that is not a tensor");
    if (isa<MemRefType>(argument.getType()))
      owners[argument] = owner;
    else
      tensors.insert({argument, HostTensor(tensors.at(owner))});
  }
  calls.push_back(callee);
  ExitStatus status = runOps(callee.getBody().front());
  calls.pop_back();
  if (status != ExitStatus::Success || session.options().passes.compileOnly)
    return status;
  for (auto [result, value] : llvm::zip(op.getResults(), returned)) {
    if (status = keep(op, value, result); status != ExitStatus::Success)
      return status;
  }
  return status;
}

// Makes `result` a tensor with the values of `value`.
ExitStatus MainRunner::keep(Operation *op, Value value, Value result) {
  if (value.getDefiningOp<d2m::ViewLayoutOp>()) {
    ExitStatus status = create(op, result);
    return status == ExitStatus::Success ? readView(op, value, result) : status;
  }
  Value owner = ownerOf(value);
  if (!tensors.contains(owner))
    return refuse(op, "returns what is not a tensor with storage");
  HostTensor copy = tensors.at(owner);
  owners.erase(result);
  tensors.erase(result);
  tensors.insert({result, std::move(copy)});
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// Functions without @main
//===--------------------------------------------------------------------------===//

void MainRunner::report(const std::string &what, Value value) {
  Value owner = ownerOf(value);
  if (!tensors.contains(owner))
    return out(what + ": a view\n");
  const HostTensor &tensor = tensors.at(owner);
  auto type = RankedTensorType::get(tensor.type().getShape(), tensor.type().getElementType());
  out(fmt::format("{}: {} hash {:016x}\n", what, describe(type), tensor.hash()));
}

ExitStatus MainRunner::runWithSeed(func::FuncOp function) {
  uint64_t seed = 1;
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<ShapedType>(argument.getType()))
      return refuse(function, "has an argument that is not a tensor: write a func.func @main that "
                              "calls it");
    ExitStatus status = create(function, argument);
    if (status != ExitStatus::Success)
      return status;
    fillRandom(tensors.at(argument), seed++, -1.0, 1.0);
  }
  ExitStatus status = runOps(function.getBody().front());
  if (status != ExitStatus::Success || session.options().passes.compileOnly)
    return status;
  for (auto [number, value] : llvm::enumerate(returned))
    report(fmt::format("{} result {}", function.getName().str(), number), value);
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      report(fmt::format("{} argument {}", function.getName().str(), argument.getArgNumber()),
             argument);
  return status;
}

void MainRunner::addD2M() {
  add<func::CallOp>();
  add<UnrealizedConversionCastOp>();
  for (StringRef name : {"d2m.to_layout", "d2m.to_device", "d2m.to_host"})
    handlers[name] = [this](Operation *op) { return relayout(op); };
  for (StringRef name : {"d2m.empty", "tensor.empty", "memref.alloc"})
    handlers[name] = [this](Operation *op) { return create(op, op->getResult(0)); };
  for (StringRef name : {"d2m.view_layout", "d2m.stream_layout", "memref.dealloc",
                         "arith.constant"}) // what reads a view follows it
    handlers[name] = [](Operation *) { return ExitStatus::Success; };
}
