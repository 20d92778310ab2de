//===- Storage.cpp - tensors and views of d2m as tensors of ttl ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/Storage.h"

#include "ir/TTCore/ScalarTypes.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns a view's map, which must lead from all its indices to all of its input's.
static FailureOr<AffineMap> mapOf(d2m::ViewLayoutOp view, Operation *user) {
  AffineMap map = view.getRemapping();
  auto input = cast<ShapedType>(view.getInput().getType());
  auto result = cast<ShapedType>(view.getResult().getType());
  if (input.getElementType() != result.getElementType())
    return user->emitOpError("reads a view of tiles as elements, or the reverse, which is not "
                             "supported: d2m.to_layout copies a tensor into the other form");
  if (map.getNumSymbols() == 0 && map.getNumDims() == unsigned(result.getRank()) &&
      map.getNumResults() == unsigned(input.getRank()))
    return map;
  InFlightDiagnostic error = user->emitOpError();
  error << "reads a view whose remapping does not lead from the " << result.getRank()
        << " indices of the view to the " << input.getRank() << " of its input";
  error.attachNote(view.getLoc()) << "the remapping is " << AffineMapAttr::get(map);
  return failure();
}

FailureOr<Storage> ttjit::storageOf(Value value, Operation *user) {
  unsigned rank = cast<ShapedType>(value.getType()).getRank();
  Storage storage{value, AffineMap::getMultiDimIdentityMap(rank, value.getContext())};
  while (Operation *op = storage.base.getDefiningOp()) {
    if (auto stream = dyn_cast<d2m::StreamLayoutOp>(op)) {
      storage.base = stream.getInput();
      continue;
    }
    auto view = dyn_cast<d2m::ViewLayoutOp>(op);
    if (!view)
      return storage;
    FailureOr<AffineMap> map = mapOf(view, user);
    if (failed(map))
      return failure();
    storage.base = view.getInput();
    storage.map = simplifyAffineMap(map->compose(storage.map));
  }
  return storage;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

RankedTensorType ttjit::storedType(Type type, std::string &why) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || d2m::getGrid(type).empty()) {
    why = "must be a tensor with a #ttcore.metal_layout, or a memref with a #ttcore.shard or "
          "#ttcore.interleaved";
    return {};
  }
  MLIRContext *context = type.getContext();
  SmallVector<int64_t> shape(shaped.getShape()), tileShape;
  Type element = shaped.getElementType();
  if (auto tile = dyn_cast<ttcore::TileType>(element)) {
    tileShape = {tile.getHeight(), tile.getWidth()};
    for (unsigned i = 0; i < 2; ++i)
      if (llvm::MulOverflow(shape[shape.size() - 2 + i], tileShape[i],
                            shape[shape.size() - 2 + i])) {
        why = "has more elements than a number of 64 bits can count";
        return {};
      }
    element = ttcore::getScalarType(tile.getDataType(), context);
  }
  if (!element || !ttcore::getDataTypeOf(element)) {
    why = "must have elements of f32, bf16, f16, si32, u32, u16 or u8";
    return {};
  }
  auto layout = ttl::LayoutAttr::get(context, ttcore::TensorMemoryLayout::Interleaved, tileShape,
                                     /*grid=*/{}, /*shard=*/{});
  return RankedTensorType::get(
      shape, element,
      ttl::TensorEncodingAttr::get(context, ttcore::MemorySpace::DeviceDRAM, layout));
}
