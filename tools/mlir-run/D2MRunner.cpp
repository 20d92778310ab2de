//===- D2MRunner.cpp - host ops of tt-mlir's modules --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// d2m-to-ttl leaves ops for the host: new tensors, copies between layouts, views. They run on rows
// of elements, one element after the other. Views, casts and calls give a tensor another name:
// their values and their operands are the same tensor.
//===--------------------------------------------------------------------------===//

#include "diagnostics/Diagnostics.h"
#include "diagnostics/Render.h"
#include "passes/d2m/Storage.h"
#include "tools/mlir-run/DeviceTensors.h"
#include "tools/mlir-run/MainRunner.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

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

std::optional<ElementFinder> MainRunner::finderFor(Value value, Type type, Operation *op,
                                                   Value &base, std::string &why) {
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
  return ElementFinder::create(type, tensors.at(base).type(), storage->map, why);
}

ExitStatus MainRunner::copyElements(Operation *op, Value input, Value output) {
  return copyElements(op, input, input.getType(), output, output.getType());
}

ExitStatus MainRunner::copyElements(Operation *op, Value input, Type inputType, Value output,
                                    Type outputType) {
  Value from, to;
  std::string why;
  std::vector<CompileDiagnostic> reported;
  std::optional<ElementFinder> source, target;
  {
    DiagnosticCollector collector(op->getContext(), reported);
    source = finderFor(input, inputType, op, from, why);
    target = source ? finderFor(output, outputType, op, to, why) : std::nullopt;
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
  while (nextIndex(index, shape));
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// New tensors
//===--------------------------------------------------------------------------===//

// Memory of a core's queue needs no tensor: it has no values outside of a program.
ExitStatus MainRunner::allocate(Operation *op) {
  bool isOnDevice = !d2m::getGrid(op->getResult(0).getType()).empty();
  bool isFreedOnly =
      llvm::all_of(op->getUsers(), [](Operation *user) { return isa<memref::DeallocOp>(user); });
  return !isOnDevice && isFreedOnly ? ExitStatus::Success : create(op, op->getResult(0));
}

// Returns the type of a memref on the device as a tensor of this logical shape, with tt-mlir's
// default layout: all dimensions but the last are rows.
static Type withLayout(Type type, ArrayRef<int64_t> logical) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || logical.empty())
    return type;
  int64_t rank = logical.size();
  SmallVector<int64_t> alignments(rank, 1), intervals{0, rank - 1, rank - 1, rank};
  for (int64_t dim = std::max<int64_t>(rank - 2, 0); dim < rank; ++dim)
    alignments[dim] = 32;
  auto pairs = RankedTensorType::get({2, 2}, IntegerType::get(type.getContext(), 64));
  auto layout = ttcore::MetalLayoutAttr::get(
      type.getContext(), logical, alignments,
      DenseIntElementsAttr::get(pairs, ArrayRef<int64_t>(intervals)), ttcore::MemorySpace::DeviceL1,
      ttcore::TensorMemoryLayout::Sharded);
  return RankedTensorType::get(memref.getShape(), memref.getElementType(), layout);
}

// Casts between tensors of ttnn and of a metal_layout, or its memref, which have the same elements.
// The result is a copy: nothing else may use a tensor whose memref a program could write.
ExitStatus MainRunner::recast(Operation *op) {
  Value input = op->getOperand(0), result = op->getResult(0);
  if (isa<MemRefType>(result.getType()) && !input.hasOneUse())
    return refuse(op, "casts a tensor that has other uses to a memref, which cannot run");
  auto from = dyn_cast<RankedTensorType>(input.getType()),
       to = dyn_cast<RankedTensorType>(result.getType());
  ArrayRef<int64_t> logical = from ? from.getShape() : to ? to.getShape() : ArrayRef<int64_t>();
  if (ExitStatus status = create(op, result); status != ExitStatus::Success)
    return status;
  return copyElements(op, input, withLayout(input.getType(), logical), result,
                      withLayout(result.getType(), logical));
}

// Copies into another layout. A tensor is a value, so the result is a new tensor.
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
  // The callee gets a copy of a tensor, which is a value, but the caller's own memref.
  for (auto [argument, operand] : llvm::zip(callee.getArguments(), op.getOperands())) {
    owners.erase(argument);
    tensors.erase(argument);
    Value owner = ownerOf(operand);
    if (session.options().passes.compileOnly)
      continue; // no kernel runs, so no tensor has values
    if (!tensors.contains(owner))
      return refuse(op, "the call has an argument that is not a tensor");
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
    return status == ExitStatus::Success ? readDevice(op, value, result, {}) : status;
  }
  Value owner = ownerOf(value);
  if (!tensors.contains(owner))
    return refuse(op, "the function returns a value that is not a tensor with storage");
  HostTensor copy = tensors.at(owner);
  owners.erase(result);
  tensors.erase(result);
  tensors.insert({result, std::move(copy)});
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// Functions of modules without @main
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
  notes.begin("random values for the arguments of " + function.getName().str());
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
  add<d2m::MaskOp>();
  add<d2m::CompositeViewOp>();
  for (StringRef name : {"d2m.empty", "tensor.empty", "memref.alloc"})
    handlers[name] = [this](Operation *op) { return allocate(op); };
  for (StringRef name : {"d2m.ttnn_metal_layout_cast", "ttnn.to_memory_config", "ttnn.to_layout"})
    handlers[name] = [this](Operation *op) { return recast(op); };
  for (StringRef name :
       {"d2m.view_layout", "d2m.stream_layout", "d2m.operand_alias", "memref.dealloc",
        "arith.constant", "ttnn.get_device", "ttnn.deallocate"}) // readers of a view follow it
    handlers[name] = [](Operation *) { return ExitStatus::Success; };
}
