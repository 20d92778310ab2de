//===- CheckMeshAccess.cpp - ttl-check-mesh-access ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: in a mesh grid, such as (2, 2, 8, 8), the first axes of the grid are those of a mesh of
// devices, and kernels see whole tensors. A device holds only its part of a tensor, so a copy of
// another part must be a fault, as it is impossible on a card.
//
// 1. Before each copy of a slice of a tensor with ttl.mesh_shards, add an assert for each cut
//    dimension: the slice lies in the part of the device to which this node belongs.
// 2. Remove the attribute from the accessors.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Locations/Locations.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/IndexUnits.h"
#include "passes/common/Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/raw_ostream.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLCHECKMESHACCESS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// A dimension of a tensor that is cut over an axis of the grid.
struct Cut {
  int64_t dim, axis, extent; // extent: of the part of one device, in the indices of the tensor
};

// Adds the asserts of one copy.
class AccessChecker {
public:
  AccessChecker(ttl::CopyOp copy, ttl::IndexAccessorOp slice, ArrayRef<int64_t> grid)
      : copy(copy), slice(slice), grid(grid), builder(copy), loc(slice.getLoc()) {}

  void check(const Cut &cut);

private:
  Value coordinate(int64_t axis);
  Value number(Value index);
  std::string message(const Cut &cut);

  ttl::CopyOp copy;
  ttl::IndexAccessorOp slice;
  ArrayRef<int64_t> grid;
  OpBuilder builder;
  Location loc;
};

Value AccessChecker::coordinate(int64_t axis) {
  SmallVector<Type> types(grid.size(), builder.getIndexType());
  return ttl::CoreOp::create(builder, loc, types, grid.size()).getCoords()[axis];
}

Value AccessChecker::number(Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

std::string AccessChecker::message(const Cut &cut) {
  Value tensor = slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>().getTensor();
  std::string name = ttl::escapeFormat(getSourceName(tensor.getLoc()).value_or("tensor"));
  StringRef unit = ttl::indexUnit(cut.dim, slice.getResult().getType());
  std::string text = "Cross-device access: this node would ";
  llvm::raw_string_ostream out(text);
  out << (copy.isRead() ? "read " : "write ") << unit << " {}:{} of '" << name << "' along dim "
      << cut.dim << ", but its device, number {} on axis " << cut.axis
      << " of the mesh, owns {}:{} only: use the part of the device, or send the elements over a "
         "pipe";
  return text;
}

void AccessChecker::check(const Cut &cut) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto isAtMost = [&](Value low, Value high) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, low, high);
  };
  Value start = slice.getIndices()[cut.dim], place = coordinate(cut.axis);
  Value size = constant(slice.getResult().getType().getSizes()[cut.dim]);
  Value extent = constant(cut.extent);
  Value stop = arith::AddIOp::create(builder, loc, start, size);
  Value first = arith::MulIOp::create(builder, loc, place, extent);
  Value last = arith::AddIOp::create(builder, loc, first, extent);
  Value holds = arith::AndIOp::create(builder, loc, isAtMost(first, start), isAtMost(stop, last));
  SmallVector<Value> numbers = {number(start), number(stop), number(place), number(first),
                                number(last)};
  auto check =
      ttl::AssertOp::create(builder, loc, holds, builder.getStringAttr(message(cut)), numbers);
  check->setAttr(ttl::kMeshAccessAttr, builder.getUnitAttr());
}

// Reads ttl.mesh_shards; fails if a program in MLIR has another value there.
FailureOr<SmallVector<Cut>> cutsOf(ttl::TensorAccessorOp accessor, ArrayRef<int64_t> grid) {
  SmallVector<Cut> cuts;
  Attribute given = accessor->getAttr(ttl::kMeshShardsAttr);
  auto list = dyn_cast_if_present<ArrayAttr>(given);
  int64_t rank = ttl::getStoredShape(accessor.getResult().getType().getTensor()).size();
  auto isIn = [](int64_t number, int64_t end) { return number >= 0 && number < end; };
  for (Attribute each : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto cut = dyn_cast<DenseI64ArrayAttr>(each);
    if (!cut || cut.size() != 3 || !isIn(cut[0], rank) ||
        !isIn(cut[1], static_cast<int64_t>(grid.size())) || cut[2] < 1)
      list = nullptr;
    else
      cuts.push_back({cut[0], cut[1], cut[2]});
  }
  if (given && !list)
    return accessor.emitError() << ttl::kMeshShardsAttr
                                << " must be a list of array<i64: dimension of the tensor, axis "
                                << "of the grid, extent of a part>, found " << given;
  return cuts;
}

struct CheckMeshAccess : ttjit::impl::TTLCheckMeshAccessBase<CheckMeshAccess> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>()) {
      WalkResult result =
          kernel.walk([&](ttl::TensorAccessorOp op) { return check(op, kernel.getGrid()); });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }

  WalkResult check(ttl::TensorAccessorOp accessor, ttcore::GridAttr grid) {
    FailureOr<SmallVector<Cut>> cuts = cutsOf(accessor, grid.getShape());
    if (failed(cuts))
      return WalkResult::interrupt();
    accessor->removeAttr(ttl::kMeshShardsAttr);
    if (!cuts->empty())
      for (Operation *user : accessor->getUsers())
        if (auto slice = dyn_cast<ttl::IndexAccessorOp>(user))
          checkCopies(slice, *cuts, grid.getShape());
    return WalkResult::advance();
  }

  void checkCopies(ttl::IndexAccessorOp slice, ArrayRef<Cut> cuts, ArrayRef<int64_t> grid) {
    for (Operation *user : slice->getUsers())
      if (auto copy = dyn_cast<ttl::CopyOp>(user)) {
        AccessChecker checker(copy, slice, grid);
        for (const Cut &cut : cuts)
          checker.check(cut);
        ++numChecked;
      }
  }
};

} // namespace
