//===- TileRows.h - ops that the rows of hw/facts/TileOps.def name --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rows of one kind differ only in their names: their ops share one C++ class, whose
// methods, parser and interfaces are compiled once. The class has no op of its own; each
// row registers one under its name. `isa<OpT>` holds for the ops of all these rows, and
// ttcore::TileOpInterface says which row an op has.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TILEROWS_H
#define TTJIT_IR_TTCORE_TILEROWS_H

#include "hw/facts/TileOps.h"
#include "ir/TTCore/TTCore.h"

#include "mlir/IR/OperationSupport.h"

namespace mlir::tt::ttcore {

/// What MLIR knows of one row's op.
template <typename OpT> class TileRowModel final : public RegisteredOperationName::Model<OpT> {
public:
  TileRowModel(Dialect &dialect, StringRef name, ttjit::hw::TileOp row)
      : RegisteredOperationName::Model<OpT>(&dialect), row(row) {
    this->name = StringAttr::get(dialect.getContext(), dialect.getNamespace() + "." + name);
    this->typeID = registered.getTypeID();
  }

  static void insert(Dialect &dialect, StringRef name, ttjit::hw::TileOp row) {
    auto owned = std::make_unique<TileRowModel>(dialect, name, row);
    TileRowModel &model = *owned;
    RegisteredOperationName::insert(std::move(owned), OpT::getAttributeNames());
    // MLIR registers one op for each id. Afterwards the op has the id of its class.
    model.typeID = TypeID::get<OpT>();
  }

  static ttjit::hw::TileOp rowOf(OperationName name) {
    auto *impl = static_cast<OperationName::Impl *>(name.getAsOpaquePointer());
    return static_cast<TileRowModel *>(impl)->row;
  }

private:
  SelfOwningTypeID registered;
  ttjit::hw::TileOp row;
};

/// Returns the row of an op of a shared class.
template <typename OpT> ttjit::hw::TileOp rowOf(OpT &op) {
  return TileRowModel<OpT>::rowOf(op->getName());
}

/// Registers the op of a row. The classes are in the order of TileOpKind.
template <typename... OpT>
void registerTileRow(Dialect &dialect, StringRef name, ttjit::hw::TileOp row) {
  using Insert = void (*)(Dialect &, StringRef, ttjit::hw::TileOp);
  static constexpr Insert kInserts[] = {&TileRowModel<OpT>::insert...};
  kInserts[static_cast<int>(ttjit::hw::factsOf(row).kind)](dialect, name, row);
}

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_TILEROWS_H
