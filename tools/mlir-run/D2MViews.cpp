//===- D2MViews.cpp - views, masks and composite views on the host ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/Storage.h"
#include "tools/mlir-run/DeviceTensors.h"
#include "tools/mlir-run/MainRunner.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

// Writes the elements of a value on the device, which may be a view, into `into` in their order.
// `change` can replace the value of an element.
ExitStatus MainRunner::readDevice(Operation *op, Value value, Value into, const Change &change) {
  FailureOr<Storage> storage = storageOf(value, op);
  Value base = failed(storage) ? Value() : ownerOf(storage->base);
  if (!base || !tensors.contains(base))
    return refuse(op, "reads a view of a tensor that no earlier op has made");
  const HostTensor reads = tensors.at(base);
  HostTensor &writes = tensors.at(ownerOf(into));
  DeviceElements elements(value.getType(), storage->map, reads.type().getShape());
  SmallVector<int64_t> index(elements.extents.size());
  int64_t number = 0;
  do {
    std::optional<int64_t> from = elements.find(index);
    if (!from)
      return refuse(op, "reads a view that leads outside of its tensor");
    if (std::optional<llvm::APFloat> other = change ? change(index) : std::nullopt)
      writes.set(number++, *other);
    else
      writes.setBits(number++, reads.getBits(*from));
  } while (nextIndex(index, elements.extents));
  return ExitStatus::Success;
}

//===--------------------------------------------------------------------------===//
// Masks
//===--------------------------------------------------------------------------===//

// Returns the value of padding; nothing if padding may have any value.
static std::optional<llvm::APFloat> valueOf(ttcore::OOBVal fill) {
  const llvm::fltSemantics &kind = llvm::APFloat::IEEEdouble();
  switch (fill) {
  case ttcore::OOBVal::Undef:
    return std::nullopt;
  case ttcore::OOBVal::Zero:
    return llvm::APFloat::getZero(kind);
  case ttcore::OOBVal::One:
    return llvm::APFloat::getOne(kind);
  case ttcore::OOBVal::Inf:
    return llvm::APFloat::getInf(kind);
  case ttcore::OOBVal::NegInf:
    return llvm::APFloat::getInf(kind, /*Negative=*/true);
  }
  llvm_unreachable("all values are above");
}

// The rows and columns of the physical shape are those of the shards, in the order of the grid.
ExitStatus MainRunner::run(d2m::MaskOp op) {
  ArrayRef<int64_t> logical = op.getLogicalShape(), grid = d2m::getGrid(op.getInput().getType());
  if (logical.size() < 2 || grid.size() < 2)
    return refuse(op, "must have a tensor on the device and a logical shape of two or more "
                      "dimensions");
  RankedTensorType stored = hostTypeOf(op.getInput().getType());
  if (!stored)
    return refuse(op, "has a tensor that cannot be stored: " + describe(op.getInput().getType()));
  std::optional<llvm::APFloat> fill = valueOf(op.getFillValue());
  auto change = [&](ArrayRef<int64_t> index) -> std::optional<llvm::APFloat> {
    for (unsigned inner : {1, 2}) { // the last and the second last dimension
      int64_t shard = stored.getShape()[index.size() - inner];
      int64_t place = index[grid.size() - inner] * shard + index[index.size() - inner];
      if (place >= logical[logical.size() - inner])
        return fill;
    }
    return std::nullopt;
  };
  Value into = op.getOutput();
  if (op.getResult() && isa<RankedTensorType>(op.getResult().getType())) {
    into = op.getResult();
    if (ExitStatus status = create(op, into); status != ExitStatus::Success)
      return status;
  } else if (op.getResult()) {
    owners[op.getResult()] = op.getOutput();
  }
  return readDevice(op, op.getInput(), into, change);
}

//===--------------------------------------------------------------------------===//
// Composite views
//===--------------------------------------------------------------------------===//

namespace {
// One of the tensors that the composite view puts behind each other.
struct CompositePart {
  const HostTensor *tensor;
  DeviceElements elements;
  int64_t extent; // along the dimension of the composite view, in elements
};
} // namespace

// Returns the number of an element of a part by its place in the physical shape.
static std::optional<int64_t> findPhysical(const DeviceElements &part, ArrayRef<int64_t> place) {
  size_t rank = place.size();
  SmallVector<int64_t> index(2 * rank);
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t shard = part.extents[rank + dim];
    index[dim] = place[dim] / shard;
    index[rank + dim] = place[dim] % shard;
    if (index[dim] >= part.extents[dim])
      return std::nullopt;
  }
  return part.find(index);
}

// Copies the parts into one tensor. Padding behind the last part stays 0.
ExitStatus MainRunner::run(d2m::CompositeViewOp op) {
  std::vector<CompositePart> parts;
  size_t rank = d2m::getGrid(op.getResult().getType()).size(), dim = op.getDim();
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    FailureOr<Storage> storage = storageOf(input, op);
    Value base = failed(storage) ? Value() : ownerOf(storage->base);
    if (!base || !tensors.contains(base) || d2m::getGrid(input.getType()).size() != rank ||
        dim >= rank)
      return refuse(op, "must have tensors on the device with one rank");
    const HostTensor &tensor = tensors.at(base);
    DeviceElements elements(input.getType(), storage->map, tensor.type().getShape());
    int64_t extent = elements.extents[dim] * elements.extents[rank + dim];
    if (std::optional<ArrayRef<int64_t>> sizes = op.getLogicalSizes())
      extent = (*sizes)[number];
    parts.push_back({&tensor, elements, extent});
  }
  ExitStatus status = create(op, op.getResult());
  if (status != ExitStatus::Success)
    return status;
  HostTensor &writes = tensors.at(op.getResult());
  DeviceElements whole(op.getResult().getType(),
                       AffineMap::getMultiDimIdentityMap(2 * rank, op.getContext()),
                       writes.type().getShape());
  SmallVector<int64_t> index(whole.extents.size());
  int64_t number = -1;
  do {
    ++number;
    SmallVector<int64_t> place(rank);
    for (size_t each = 0; each < rank; ++each)
      place[each] = index[each] * whole.extents[rank + each] + index[rank + each];
    for (const CompositePart &part : parts) {
      if (place[dim] >= part.extent) {
        place[dim] -= part.extent;
        continue;
      }
      if (std::optional<int64_t> from = findPhysical(part.elements, place))
        writes.setBits(number, part.tensor->getBits(*from));
      break;
    }
  } while (nextIndex(index, whole.extents));
  return ExitStatus::Success;
}
