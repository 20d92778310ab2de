//===- SectionGraph.cpp - what a DST section computes -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/SectionGraph.h"

#include "hw/facts/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

// Returns about the number of vector instructions of a lane function. Functions that are not listed
// evaluate polynomials in double.
static int costOf(hw::TileOp op) {
  using enum hw::TileOp;
  switch (op) {
  case Abs:
  case Add:
  case AddUnary:
  case Div:
  case DivUnary:
  case Max:
  case MaxUnary:
  case Min:
  case MinUnary:
  case Mul:
  case MulUnary:
  case Neg:
  case Recip:
  case Relu:
  case Rsqrt:
  case RsubUnary:
  case Sqrt:
  case Square:
  case Sub:
  case SubUnary:
  case Where:
    return 2;
  default:
    return hw::movesIntegers(op) || hw::factsOf(op).operands > 1 ? 4 : 24;
  }
}

static std::string numbered(const char *name, hw::DataFormat format) {
  return name + std::to_string(static_cast<int>(format));
}

namespace {

// Reads the ops of one section in order.
class SectionReader {
public:
  explicit SectionReader(SectionGraph &graph) : graph(graph) {}

  // Reads the next op; returns false if the section must keep its calls.
  bool read(Operation *op);
  bool isComplete() const { return phase == Phase::Released; }

private:
  enum class Phase { Before, Math, Committed, Packing, Released };

  bool readDeviceOp(Operation *op);
  bool readTileOp(ttcore::TileOpInterface op);
  bool advance(Phase from, Phase to);
  bool unpackTile(const char *how, Value cb, Value index, Value dst,
                  std::optional<hw::TileDims> filled = std::nullopt);
  template <typename OpTy> bool combineTiles(OpTy op, const char *fresh, const char *accumulate);
  bool copyRegister(Value to, Value from);
  bool pack(ttkernel::PackTileOp op);

  std::optional<int> registerNumber(Value dst);
  // Returns the value that a register holds; nothing if it was not written or is unknown.
  std::optional<unsigned> valueIn(Value dst);
  bool write(Value dst, GraphValue value);
  unsigned addValue(GraphValue value);
  std::optional<unsigned> addTile(Value cb, Value index, bool isPacked);

  SectionGraph &graph;
  Phase phase = Phase::Before;
  llvm::DenseMap<int, unsigned> registers;
};

} // namespace

//===--------------------------------------------------------------------------===//
// Registers and tiles
//===--------------------------------------------------------------------------===//

std::optional<int> SectionReader::registerNumber(Value dst) {
  APInt number;
  if (!matchPattern(dst, m_ConstantInt(&number)) || number.isNegative() || number.ugt(1 << 10))
    return std::nullopt;
  int result = static_cast<int>(number.getZExtValue());
  graph.registers = std::max(graph.registers, result + 1);
  return result;
}

std::optional<unsigned> SectionReader::valueIn(Value dst) {
  std::optional<int> number = registerNumber(dst);
  auto found = number ? registers.find(*number) : registers.end();
  return found != registers.end() ? std::optional(found->second) : std::nullopt;
}

unsigned SectionReader::addValue(GraphValue value) {
  graph.values.push_back(std::move(value));
  return graph.values.size() - 1;
}

bool SectionReader::write(Value dst, GraphValue value) {
  std::optional<int> number = registerNumber(dst);
  if (number)
    registers[*number] = addValue(std::move(value));
  return number.has_value();
}

std::optional<unsigned> SectionReader::addTile(Value cb, Value index, bool isPacked) {
  auto argument = cb.getDefiningOp<ttkernel::GetCompileTimeArgValOp>();
  auto tile = dyn_cast<ttcore::TileType>(cast<ttkernel::CBType>(cb.getType()).getElementType());
  if (!argument || !tile)
    return std::nullopt;
  hw::DataFormat format = ttcore::getDataFormat(tile.getDataType());
  if (format == hw::DataFormat::Invalid || hw::isBlockFloat(format))
    return std::nullopt;
  auto kind = isPacked ? hw::SectionTileKind::Packed : hw::SectionTileKind::Front;
  GraphTile added{kind, static_cast<int>(argument.getIndex()), format, index};
  auto *known = llvm::find(graph.tiles, added);
  if (known != graph.tiles.end() && !isPacked)
    return known - graph.tiles.begin();
  graph.tiles.push_back(added);
  return graph.tiles.size() - 1;
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

bool SectionReader::advance(Phase from, Phase to) {
  bool inOrder = phase == from;
  phase = to;
  return inOrder;
}

bool SectionReader::unpackTile(const char *how, Value cb, Value index, Value dst,
                               std::optional<hw::TileDims> filled) {
  std::optional<unsigned> tile = addTile(cb, index, /*isPacked=*/false);
  if (!tile)
    return false;
  GraphValue value{numbered(how, graph.tiles[*tile].format)};
  value.tile = tile;
  value.filled = filled;
  value.cost = 2;
  return write(dst, std::move(value));
}

// Reads an element-wise operation of the matrix engine on two tiles in L1. `fresh` and `accumulate`
// name its function: `accumulate` for a register that this section has written, `fresh` otherwise.
// If `accumulate` is null, `fresh` serves both.
template <typename OpTy>
bool SectionReader::combineTiles(OpTy op, const char *fresh, const char *accumulate) {
  GraphValue result{fresh};
  result.cost = 2;
  for (auto [cb, index] : {std::pair(op.getIn0(), op.getIndex0()), {op.getIn1(), op.getIndex1()}}) {
    std::optional<unsigned> tile = addTile(cb, index, /*isPacked=*/false);
    if (!tile)
      return false;
    GraphValue operand{numbered("operand_", graph.tiles[*tile].format)};
    operand.tile = tile;
    operand.cost = 2;
    result.operands.push_back(addValue(std::move(operand)));
  }
  std::optional<unsigned> before = valueIn(op.getDst());
  if (accumulate && before) {
    result.function = accumulate;
    result.operands.push_back(*before);
  }
  return write(op.getDst(), std::move(result));
}

bool SectionReader::copyRegister(Value to, Value from) {
  std::optional<unsigned> value = valueIn(from);
  std::optional<int> number = registerNumber(to);
  if (value && number)
    registers[*number] = *value;
  return value && number;
}

bool SectionReader::pack(ttkernel::PackTileOp op) {
  std::optional<unsigned> value = valueIn(op.getDst());
  std::optional<unsigned> tile = addTile(op.getCb(), op.getIndex(), /*isPacked=*/true);
  if (value && tile)
    graph.packs.push_back({*value, *tile});
  return phase == Phase::Packing && value && tile;
}

// Reads an op of a row of hw/facts/TileOps.def: its register operands come first, then numbers,
// then the register of the result, if the op has one.
bool SectionReader::readTileOp(ttcore::TileOpInterface op) {
  const hw::TileOpFacts &facts = hw::factsOf(op.getTileOp());
  OperandRange operands = op->getOperands();
  GraphValue result{facts.name};
  result.cost = costOf(facts.op);
  for (Value dst : operands.take_front(facts.operands)) {
    std::optional<unsigned> value = valueIn(dst);
    if (!value)
      return false;
    result.operands.push_back(*value);
  }
  if (facts.kind == hw::TileOpKind::Mask &&
      *registerNumber(operands[1]) != *registerNumber(operands[0]) + 1)
    return false;
  if (facts.isInPlace()) {
    llvm::append_range(result.numbers, operands.drop_front(facts.operands));
    int expected = facts.params + (facts.kind == hw::TileOpKind::UnaryInt);
    return result.numbers.size() == size_t(expected) && write(operands[0], std::move(result));
  }
  return write(operands.back(), std::move(result));
}

bool SectionReader::readDeviceOp(Operation *op) {
  using namespace ttkernel;
  if (isa<TileRegsCommitOp>(op))
    return advance(Phase::Math, Phase::Committed);
  if (isa<TileRegsWaitOp>(op))
    return advance(Phase::Committed, Phase::Packing);
  if (isa<TileRegsReleaseOp>(op))
    return advance(Phase::Packing, Phase::Released);
  if (auto packTile = dyn_cast<PackTileOp>(op))
    return pack(packTile);
  if (phase != Phase::Math)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](CopyTileOp copy) {
        return unpackTile("load_", copy.getCb(), copy.getIndex(), copy.getDst());
      })
      .Case([&](UnaryBcastOp bcast) {
        return unpackTile("operand_", bcast.getIn(), bcast.getIndex(), bcast.getDst(),
                          filledDims(bcast.getBcastType()));
      })
      .Case([&](AddTilesOp add) { return combineTiles(add, "add", nullptr); })
      .Case([&](SubTilesOp sub) { return combineTiles(sub, "sub", nullptr); })
      .Case([&](MulTilesOp mul) { return combineTiles(mul, "mul", "multiply_add"); })
      .Case([&](CopyDestValuesOp copy) { return copyRegister(copy.getDst0(), copy.getDst1()); })
      .Case([&](FillTileOp fill) {
        GraphValue value{"fill"};
        value.numbers.push_back(fill.getValue());
        return write(fill.getDst(), std::move(value));
      })
      .Case([&](ttcore::TileOpInterface row) { return readTileOp(row); })
      .Default([](Operation *) { return false; });
}

bool SectionReader::read(Operation *op) {
  graph.ops.push_back(op);
  if (op->hasTrait<ttkernel::IsInit>())
    return true;
  if (isa<ttkernel::TTKernelDialect>(op->getDialect()) && !op->getNumResults()) {
    ++graph.steps;
    if (isa<ttkernel::TileRegsAcquireOp>(op))
      return advance(Phase::Before, Phase::Math);
    return readDeviceOp(op);
  }
  graph.hoisted.push_back(op);
  return isa<arith::ConstantOp, ttkernel::GetCompileTimeArgValOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) && isPure(op));
}

std::optional<SectionGraph> ttjit::tollvm::buildSectionGraph(ttkernel::TileRegsAcquireOp acquire) {
  SectionGraph graph;
  SectionReader reader(graph);
  for (Operation *op = acquire; op && !op->hasTrait<OpTrait::IsTerminator>();
       op = op->getNextNode()) {
    if (!reader.read(op))
      return std::nullopt;
    if (reader.isComplete())
      return graph.tiles.size() <= static_cast<size_t>(hw::kMaxSectionTiles)
                 ? std::optional(std::move(graph))
                 : std::nullopt;
  }
  return std::nullopt;
}
