//===- NodeTables.h - tables of numbers for each node ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A list of rows for each node, read at run time by row and field. A field that has the
// same value in every row of every node becomes a constant of the program instead of a
// column.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_NODETABLES_H
#define TTJIT_PASSES_SYNC_NODETABLES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Creates a constant of type index.
mlir::Value constantIndex(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);

class NodeTable {
public:
  using Row = llvm::SmallVector<int64_t>;

  /// `names` are the names of the fields; the values in emitted C++ get them.
  NodeTable(int64_t numNodes, llvm::ArrayRef<llvm::StringRef> names)
      : rows(numNodes), names(names.begin(), names.end()) {}

  void addRow(int64_t node, Row row) { rows[node].push_back(std::move(row)); }
  int64_t numRows(int64_t node) const { return rows[node].size(); }

  /// Creates the table at the insertion point of `builder`, unless all fields are
  /// constants. All rows must have been added. Only the first `numUsed` fields are read
  /// later.
  void create(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, unsigned numUsed);

  /// Number of rows of the node that runs this code.
  mlir::Value count(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::Value field(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value row,
                    unsigned field) const;
  /// The field's value if it is the same in all rows.
  std::optional<int64_t> constant(unsigned field) const { return constants[field]; }

private:
  void chooseColumns(unsigned numUsed);
  void chooseHeader();
  llvm::SmallVector<int32_t> words(int64_t length) const;
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                   mlir::Value index) const;

  llvm::SmallVector<llvm::SmallVector<Row>> rows;      ///< rows of each node
  llvm::SmallVector<std::string> names;                ///< name of each field
  llvm::SmallVector<std::optional<int64_t>> constants; ///< value of each field that is a constant
  llvm::SmallVector<int64_t> columns;                  ///< column of each field; -1 for a constant
  std::optional<int64_t> constantCount;
  int64_t width = 0, header = 1; ///< number of words per row, and before the first row
  mlir::Value table;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_NODETABLES_H
