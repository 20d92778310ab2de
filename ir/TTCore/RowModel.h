//===- RowModel.h - ops of a table that share a class ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ops of a table's rows differ only in their names: they share one C++ class, whose methods,
// parser and interfaces are compiled once. The class has no op of its own; each row registers one
// under its name. `isa<OpT>` holds for the ops of all these rows.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_ROWMODEL_H
#define TTJIT_IR_TTCORE_ROWMODEL_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::tt::ttcore {

/// Registers the op of one row of a table with MLIR, and implements MLIR's interface of op names
/// for it. The ops of all rows share the class OpT.
template <typename OpT, typename Row>
class RowModel final : public RegisteredOperationName::Model<OpT> {
public:
  RowModel(Dialect &dialect, StringRef name, Row row)
      : RegisteredOperationName::Model<OpT>(&dialect), row(row) {
    this->name = StringAttr::get(dialect.getContext(), dialect.getNamespace() + "." + name);
    this->typeID = registered.getTypeID();
  }

  static void insert(Dialect &dialect, StringRef name, Row row) {
    auto owned = std::make_unique<RowModel>(dialect, name, row);
    RowModel &model = *owned;
    RegisteredOperationName::insert(std::move(owned), OpT::getAttributeNames());
    // MLIR registers one op for each id. Afterwards the op has the id of its class.
    model.typeID = TypeID::get<OpT>();
  }

  static Row rowOf(OperationName name) {
    auto *impl = static_cast<OperationName::Impl *>(name.getAsOpaquePointer());
    return static_cast<RowModel *>(impl)->row;
  }

private:
  SelfOwningTypeID registered;
  Row row;
};

} // namespace mlir::tt::ttcore

#endif // TTJIT_IR_TTCORE_ROWMODEL_H
