//===- NodeTables.cpp - tables of numbers for each node -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/NodeTables.h"

#include "passes/common/Threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

Value ttjit::constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

// Finds the fields that have one value in all rows, and gives each other field a column.
void NodeTable::chooseColumns(unsigned numUsed) {
  constants.assign(names.size(), std::nullopt);
  columns.assign(names.size(), -1);
  llvm::SmallBitVector differs(names.size());
  for (ArrayRef<Row> list : rows)
    for (const Row &row : list)
      for (auto [field, value] : llvm::enumerate(ArrayRef(row).take_front(numUsed))) {
        if (constants[field].value_or(value) != value)
          differs.set(field);
        constants[field] = value;
      }
  for (unsigned field : differs.set_bits()) {
    constants[field] = std::nullopt;
    columns[field] = width++;
  }
}

// Gives nodes a word for their number of rows, unless all have the same number.
void NodeTable::chooseHeader() {
  size_t first = rows.empty() ? 0 : rows.front().size();
  if (llvm::any_of(rows, [&](ArrayRef<Row> list) { return list.size() != first; }))
    return;
  constantCount = first;
  header = 0;
}

// Returns the words of all nodes, `length` for each: the header, then the columns of one row after
// the other. Missing rows are 0.
SmallVector<int32_t> NodeTable::words(int64_t length) const {
  SmallVector<int32_t> values;
  for (ArrayRef<Row> list : rows) {
    size_t end = values.size() + length;
    if (header)
      values.push_back(list.size());
    for (const Row &row : list)
      for (auto [value, column] : llvm::zip(row, columns))
        if (column >= 0)
          values.push_back(value);
    values.resize(end, 0);
  }
  return values;
}

void NodeTable::create(OpBuilder &builder, Location loc, StringRef name, unsigned numUsed) {
  chooseColumns(numUsed);
  chooseHeader();
  size_t longest = 0;
  for (ArrayRef<Row> list : rows)
    longest = std::max(longest, list.size());
  int64_t length = header + width * longest;
  if (length == 0)
    return;
  auto type =
      RankedTensorType::get({static_cast<int64_t>(rows.size()), length}, builder.getI32Type());
  table = ttl::CreateNodeTableOp::create(
      builder, loc, ttl::NodeTableType::get(builder.getContext()), name,
      DenseIntElementsAttr::get(type, ArrayRef<int32_t>(words(length))));
}

Value NodeTable::read(OpBuilder &builder, Location loc, StringRef name, Value position) const {
  return ttl::NodeValueOp::create(builder, named(name, loc), builder.getIndexType(), table,
                                  position);
}

Value NodeTable::count(OpBuilder &builder, Location loc) const {
  if (constantCount)
    return constantIndex(builder, loc, *constantCount);
  return read(builder, loc, "num_pipes", constantIndex(builder, loc, 0));
}

Value NodeTable::field(OpBuilder &builder, Location loc, Value row, unsigned field) const {
  if (columns[field] < 0)
    return constantIndex(builder, loc, constants[field].value_or(0));
  Value position =
      builder.createOrFold<arith::MulIOp>(loc, row, constantIndex(builder, loc, width));
  position = builder.createOrFold<arith::AddIOp>(
      loc, position, constantIndex(builder, loc, header + columns[field]));
  return read(builder, loc, names[field], position);
}
