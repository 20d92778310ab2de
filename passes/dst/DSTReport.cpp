//===- DSTReport.cpp - the DST assignment as text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTReport.h"

#include "ir/Locations/Locations.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/TileFacts.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// One line of the drawing: an operation and the registers that it uses.
struct Row {
  std::string what;
  SmallVector<int> reads;
  int writes = -1;
};

class ComputeReport {
public:
  ComputeReport(ttl::ComputeOp compute, int capacity, llvm::raw_ostream &os)
      : compute(compute), capacity(capacity), os(os) {}

  void print();

private:
  void addRow(Operation &op);
  void findLives();
  char mark(size_t row, int reg) const;

  ttl::ComputeOp compute;
  int capacity;
  llvm::raw_ostream &os;
  std::vector<Row> rows;
  int numRegisters = 0;
  // live[row][reg]: the register holds a value that a later row reads.
  std::vector<std::vector<bool>> live;
};

// Adds a row such as "copy_tile a", with the source's name, or "exp x" for a named
// value.
void ComputeReport::addRow(Operation &op) {
  Row row;
  StringRef name = op.getName().stripDialect();
  name.consume_front("tile_");
  row.what = name.str();
  if (std::optional<std::string> value = getSourceName(op.getLoc()))
    row.what += " " + *value;
  for (Value operand : op.getOperands())
    if (std::optional<int> reg = ttl::getRegister(operand))
      row.reads.push_back(*reg);
  if (auto result = dyn_cast<ttl::DSTResultOpInterface>(op))
    row.writes = *result.getRegister();
  if (isa<ttl::YieldOp>(op))
    row.what = "pack";
  numRegisters = std::max(numRegisters, row.writes + 1);
  rows.push_back(std::move(row));
}

void ComputeReport::findLives() {
  live.assign(rows.size(), std::vector<bool>(numRegisters));
  std::vector<bool> needed(numRegisters);
  for (size_t row = rows.size(); row-- > 0;) {
    live[row] = needed;
    if (rows[row].writes >= 0)
      needed[rows[row].writes] = false;
    for (int reg : rows[row].reads)
      needed[reg] = true;
  }
}

// Marks of a register: w is written, r read, x both, | kept, . free.
char ComputeReport::mark(size_t row, int reg) const {
  bool reads = llvm::is_contained(rows[row].reads, reg), writes = rows[row].writes == reg;
  if (reads || writes)
    return reads && writes ? 'x' : writes ? 'w' : 'r';
  return live[row][reg] ? '|' : '.';
}

void ComputeReport::print() {
  for (Operation &op : compute.getBody().front())
    if (isa<ttl::DSTResultOpInterface, ttl::YieldOp>(op))
      addRow(op);
  findLives();
  auto unroll = compute->getAttrOfType<IntegerAttr>(kUnrollFactorAttr);
  os << "compute";
  if (auto position = compute.getLoc()->findInstanceOf<FileLineColLoc>())
    os << " at " << position.getFilename().getValue() << ":" << position.getLine();
  os << ": " << numRegisters << " of " << capacity << " registers for a tile, sections of "
     << (unroll ? unroll.getInt() : 1) << "\n";
  for (auto [number, row] : llvm::enumerate(rows)) {
    os << llvm::formatv("  {0,-24}", row.what);
    for (int reg = 0; reg < numRegisters; ++reg)
      os << ' ' << mark(number, reg);
    os << "\n";
  }
}

} // namespace

std::string ttjit::describeDST(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (ThreadBinding &binding : getThreads(module)) {
    int capacity = dstCapacityOf(binding.program, usedResources(binding));
    binding.function.walk([&](ttl::ComputeOp compute) {
      if (hasRegisters(compute))
        ComputeReport(compute, capacity, os).print();
    });
  }
  return text;
}
