//===- Places.cpp - where the values of a function are ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Places.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

void Places::setDevice(Value value, Value device, bool isZero) {
  onDevice[value] = device;
  if (!isZero)
    dirty.insert(value);
}

void Places::share(Value value, Value other) {
  Value host = onHost.lookup(other), device = onDevice.lookup(other);
  if (host && host.getType() == value.getType())
    onHost[value] = host;
  if (device)
    setDevice(value, device, isZeroPadded(other));
}

void Places::upload(Value value, Value source, RankedTensorType stored) {
  Location loc = value.getLoc();
  onDevice[value] = move(loc, host(source), allocate(loc, stored));
}

Value Places::allocate(Location loc, RankedTensorType type) {
  return TTIROp::create(builder, loc, "empty", type, {})->getResult(0);
}

Value Places::move(Location loc, Value value, Value into) {
  return TTIROp::create(builder, loc, "to_layout", into.getType(), {value, into})->getResult(0);
}

Value Places::host(Value value) {
  Value &found = onHost[value];
  if (!found)
    found = move(value.getLoc(), onDevice.at(value),
                 allocate(value.getLoc(), logicalType(tensorTypeOf(value))));
  return found;
}

Value Places::device(Value value) {
  if (!onDevice.contains(value))
    upload(value, value, deviceType(tensorTypeOf(value)));
  return onDevice.lookup(value);
}

Value Places::mask(Location loc, const MaskExtents &extents) {
  Value &found = masks[{extents.rows, extents.columns}];
  if (found)
    return found;
  constexpr int64_t kSize = 2 * kTile;
  SmallVector<float> elements;
  for (int64_t row = 0; row < kSize; ++row)
    for (int64_t column = 0; column < kSize; ++column)
      elements.push_back(row < kTile + extents.rows && column < kTile + extents.columns);
  auto type = RankedTensorType::get({kSize, kSize}, builder.getF32Type());
  auto value = DenseElementsAttr::get(type, ArrayRef<float>(elements));
  Value constant =
      TTIROp::create(builder, loc, "constant", type, {}, builder.getNamedAttr("value", value))
          ->getResult(0);
  return found = move(loc, constant, allocate(loc, deviceType(type)));
}
