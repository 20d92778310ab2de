//===- TileMemrefs.cpp - memrefs of a region as tiles -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/TileMemrefs.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Parts
//===--------------------------------------------------------------------------===//

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

MemrefPart MemrefPart::whole(Value memref) {
  ArrayRef<int64_t> shape = cast<ShapedType>(memref.getType()).getShape();
  return {memref, 0, SmallVector<int64_t>(shape), rowMajorStrides(shape)};
}

bool MemrefPart::isWhole() const {
  if (offset != 0 || ArrayRef<int64_t>(shape) != cast<ShapedType>(memref.getType()).getShape())
    return false;
  SmallVector<int64_t> wanted = rowMajorStrides(shape);
  return llvm::all_of(llvm::seq<size_t>(0, shape.size()),
                      [&](size_t dim) { return shape[dim] == 1 || strides[dim] == wanted[dim]; });
}

std::optional<int64_t> MemrefPart::placeOf(ArrayRef<int64_t> index) const {
  if (index.size() != shape.size())
    return std::nullopt;
  int64_t place = offset;
  for (auto [i, extent, stride] : llvm::zip(index, shape, strides)) {
    if (i < 0 || i >= extent)
      return std::nullopt;
    place += i * stride;
  }
  int64_t tiles = cast<ShapedType>(memref.getType()).getNumElements();
  return place >= 0 && place < tiles ? std::optional(place) : std::nullopt;
}

bool TileMemrefs::hasTiles(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasStaticShape() && isa<ttcore::TileType>(shaped.getElementType());
}

MemrefPart TileMemrefs::partOf(Value value) const {
  auto part = parts.find(value);
  return part == parts.end() ? MemrefPart::whole(value) : part->second;
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

LogicalResult TileMemrefs::view(memref::SubViewOp op, Known known) {
  MemrefPart source = partOf(op.getSource()), part{source.memref, source.offset, {}, {}};
  auto numberOf = [&](OpFoldResult value) -> std::optional<int64_t> {
    if (auto constant = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(constant).getInt();
    return known(cast<Value>(value));
  };
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (unsigned dim = 0; dim < source.shape.size(); ++dim) {
    std::optional<int64_t> offset = numberOf(op.getMixedOffsets()[dim]),
                           size = numberOf(op.getMixedSizes()[dim]),
                           stride = numberOf(op.getMixedStrides()[dim]);
    if (!offset || !size || !stride)
      return op.emitOpError("must have offsets and sizes that are known at compile time: loop "
                            "indices of constant bounds and constants are");
    if (*offset < 0 || *size < 1 || *offset + (*size - 1) * *stride >= source.shape[dim])
      return op.emitOpError("leads outside of its memref: dimension ")
             << dim << " has " << source.shape[dim] << " tiles, the subview begins at " << *offset
             << " and has " << *size;
    part.offset += *offset * source.strides[dim];
    if (dropped.test(dim))
      continue;
    part.shape.push_back(*size);
    part.strides.push_back(*stride * source.strides[dim]);
  }
  name(op.getResult(), part);
  return success();
}

LogicalResult TileMemrefs::view(memref::CollapseShapeOp op) {
  MemrefPart source = partOf(op.getSrc()), part{source.memref, source.offset, {}, {}};
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t extent = 1, stride = 1;
    for (int64_t dim : llvm::reverse(group)) {
      if (source.shape[dim] == 1)
        continue;
      if (extent == 1) // the verifier asks for tiles that are behind each other
        stride = source.strides[dim];
      extent *= source.shape[dim];
    }
    part.shape.push_back(extent);
    part.strides.push_back(stride);
  }
  name(op.getResult(), part);
  return success();
}

LogicalResult TileMemrefs::view(memref::ExpandShapeOp op) {
  MemrefPart source = partOf(op.getSrc()), part{source.memref, source.offset, {}, {}};
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  part.shape.assign(shape.begin(), shape.end());
  part.strides.resize(shape.size());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = source.strides[dim];
    for (int64_t inner : llvm::reverse(group)) {
      part.strides[inner] = stride;
      stride *= shape[inner];
    }
  }
  name(op.getResult(), part);
  return success();
}

LogicalResult TileMemrefs::view(Operation *op, Known known) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::SubViewOp each) { return view(each, known); })
      .Case<memref::CollapseShapeOp, memref::ExpandShapeOp>([&](auto each) { return view(each); })
      .Default([&](Operation *cast) {
        name(cast->getResult(0), partOf(cast->getOperand(0)));
        return success();
      });
}
