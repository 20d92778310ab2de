//===- ProductNest.cpp - loops of sections that multiply tiles ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/ProductNest.h"

#include "passes/llvm/CallBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

// Limits of a nest. One product alone is as fast as a call. The device keeps a record of each
// product and chain of a nest, which takes memory.
static constexpr int64_t kMinProducts = 2, kMaxProducts = 1 << 20, kMaxChains = 1 << 12;

bool ttjit::tollvm::computesIndex(Operation *op) {
  return isa<ttkernel::GetCompileTimeArgValOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) && isPure(op));
}

std::optional<int32_t> ttjit::tollvm::bufferNumber(Value cb) {
  auto argument = cb.getDefiningOp<ttkernel::GetCompileTimeArgValOp>();
  return argument ? std::optional<int32_t>(argument.getIndex()) : std::nullopt;
}

// Returns whether the op has no effect on the host: an initialisation, or the position of a step.
static bool hasNoEffect(Operation *op) {
  return op->hasTrait<ttkernel::IsInit>() || isa<LLVM::ConstantOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

static bool isStep(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == kStep;
}

// Returns the number of iterations if the loop carries no values and its bounds are constant.
static std::optional<int64_t> tripCount(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  bool isPlain = !loop.getNumResults() && !loop.getUnsignedCmp();
  if (!isPlain || !lower || !upper || !step || *step <= 0 || *upper <= *lower)
    return std::nullopt;
  uint64_t distance = static_cast<uint64_t>(*upper) - static_cast<uint64_t>(*lower);
  uint64_t count = (distance - 1) / static_cast<uint64_t>(*step) + 1;
  return count <= kMaxProducts ? std::optional<int64_t>(count) : std::nullopt;
}

// Returns whether `value` grows by the same number, modulo 2^32, in each iteration of `loop`.
static bool growsEvenly(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar() || !loop->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  auto isInvariant = [&](Value factor) { return loop.isDefinedOutsideOfLoop(factor); };
  return llvm::TypeSwitch<Operation *, bool>(value.getDefiningOp())
      .Case<arith::AddIOp, arith::SubIOp>(
          [&](auto op) { return growsEvenly(op.getLhs(), loop) && growsEvenly(op.getRhs(), loop); })
      .Case([&](arith::MulIOp op) {
        return (isInvariant(op.getLhs()) && growsEvenly(op.getRhs(), loop)) ||
               (isInvariant(op.getRhs()) && growsEvenly(op.getLhs(), loop));
      })
      .Case([&](arith::IndexCastOp op) { // widening would not keep the numbers modulo 2^32
        return op.getType().isInteger(32) && growsEvenly(op.getIn(), loop);
      })
      .Case([](arith::ConstantOp) { return true; })
      .Default([](Operation *) { return false; });
}

//===--------------------------------------------------------------------------===//
// One section
//===--------------------------------------------------------------------------===//

namespace {

class ProductSectionReader {
public:
  // Reads the section that `acquire` begins; returns nothing if it is another kind of section.
  std::optional<ProductSection> read(Operation *acquire);

  int64_t steps = 0, products = 0, registers = 0;

private:
  enum class Phase { Before, Math, Committed, Packing, Released };

  bool readOp(Operation *op);
  bool readCall(Operation *op);
  bool advance(Phase from, Phase to);
  bool start(ttkernel::CopyTileOp copy);
  bool multiply(ttkernel::MatmulTilesOp product, scf::ForOp loop, int64_t count);
  bool multiplyInLoop(scf::ForOp loop);
  bool pack(ttkernel::PackTileOp op);
  ProductCalls *chainIn(Value dst);

  Phase phase = Phase::Before;
  llvm::MapVector<int64_t, ProductCalls> chains; // by their register
};

} // namespace

// Returns the chain of a register; null if the register is no constant.
ProductCalls *ProductSectionReader::chainIn(Value dst) {
  std::optional<int64_t> number = getConstantIntValue(dst);
  if (!number || *number < 0)
    return nullptr;
  registers = std::max(registers, *number + 1);
  return &chains[*number];
}

bool ProductSectionReader::advance(Phase from, Phase to) {
  bool inOrder = phase == from;
  phase = to;
  return inOrder;
}

bool ProductSectionReader::start(ttkernel::CopyTileOp copy) {
  ProductCalls *chain = chainIn(copy.getDst());
  if (phase != Phase::Math || !chain || chain->start || chain->product ||
      !bufferNumber(copy.getCb()))
    return false;
  chain->start = copy;
  return true;
}

bool ProductSectionReader::multiply(ttkernel::MatmulTilesOp product, scf::ForOp loop,
                                    int64_t count) {
  ProductCalls *chain = chainIn(product.getDst());
  if (phase != Phase::Math || !chain || chain->product || !bufferNumber(product.getIn0()) ||
      !bufferNumber(product.getIn1()))
    return false;
  chain->product = product;
  chain->loop = loop;
  chain->count = count;
  products += count;
  return true;
}

bool ProductSectionReader::multiplyInLoop(scf::ForOp loop) {
  std::optional<int64_t> count = tripCount(loop);
  ttkernel::MatmulTilesOp product;
  int64_t stepsOfBody = 1;
  for (Operation &op : *loop.getBody()) {
    auto found = dyn_cast<ttkernel::MatmulTilesOp>(op);
    if (isStep(&op))
      ++stepsOfBody;
    else if (found ? bool(product) : !computesIndex(&op) && !hasNoEffect(&op))
      return false;
    product = found ? found : product;
  }
  if (!count || !product || !growsEvenly(product.getIndex0(), loop) ||
      !growsEvenly(product.getIndex1(), loop))
    return false;
  steps += *count * stepsOfBody;
  return multiply(product, loop, *count);
}

bool ProductSectionReader::pack(ttkernel::PackTileOp op) {
  ProductCalls *chain = chainIn(op.getDst());
  if (phase != Phase::Packing || !chain || !chain->product || chain->pack ||
      !bufferNumber(op.getCb()))
    return false;
  chain->pack = op;
  return true;
}

bool ProductSectionReader::readCall(Operation *op) {
  using namespace ttkernel;
  ++steps;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](TileRegsAcquireOp) { return advance(Phase::Before, Phase::Math); })
      .Case([&](TileRegsCommitOp) { return advance(Phase::Math, Phase::Committed); })
      .Case([&](TileRegsWaitOp) { return advance(Phase::Committed, Phase::Packing); })
      .Case([&](TileRegsReleaseOp) { return advance(Phase::Packing, Phase::Released); })
      .Case([&](CopyTileOp copy) { return start(copy); })
      .Case([&](MatmulTilesOp product) { return multiply(product, {}, 1); })
      .Case([&](PackTileOp packTile) { return pack(packTile); })
      .Default([](Operation *) { return false; });
}

bool ProductSectionReader::readOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return multiplyInLoop(loop);
  if (computesIndex(op) || op->hasTrait<ttkernel::IsInit>())
    return true;
  return readCall(op);
}

std::optional<ProductSection> ProductSectionReader::read(Operation *acquire) {
  for (Operation *op = acquire; op; op = op->getNextNode()) {
    if (!readOp(op))
      return std::nullopt;
    if (phase != Phase::Released)
      continue;
    ProductSection section{op, {}};
    for (auto &[number, chain] : chains)
      section.chains.push_back(chain);
    bool allPacked = llvm::all_of(section.chains, [](ProductCalls &chain) { return chain.pack; });
    return allPacked && !section.chains.empty() ? std::optional(std::move(section)) : std::nullopt;
  }
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

namespace {

// How many steps, products and chains of products one run of a part of a nest has.
struct Extent {
  int64_t steps = 0, stepsAfter = 0, products = 0, chains = 0;
};

class NestReader {
public:
  explicit NestReader(ProductNest &nest) : nest(nest) {}

  bool readLoop(scf::ForOp loop, Extent &extent);
  // Returns the last op of the section; null if it is another kind of section.
  Operation *readSection(Operation *acquire, Extent &extent);

private:
  bool readBody(Block &body, Extent &extent);

  ProductNest &nest;
};

} // namespace

Operation *NestReader::readSection(Operation *acquire, Extent &extent) {
  ProductSectionReader reader;
  std::optional<ProductSection> section = reader.read(acquire);
  if (!section)
    return nullptr;
  extent.steps += reader.steps;
  extent.stepsAfter = 0;
  extent.products += reader.products;
  extent.chains += section->chains.size();
  nest.facts.registers = std::max<int32_t>(nest.facts.registers, reader.registers);
  Operation *release = section->release;
  nest.sections.try_emplace(acquire, std::move(*section));
  return release;
}

bool NestReader::readBody(Block &body, Extent &extent) {
  for (Operation *op = &body.front(); op; op = op->getNextNode()) {
    if (isStep(op)) {
      ++extent.steps;
      ++extent.stepsAfter;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (!readLoop(loop, extent))
        return false;
    } else if (isa<ttkernel::TileRegsAcquireOp>(op)) {
      op = readSection(op, extent);
      if (!op)
        return false;
    } else if (!computesIndex(op) && !hasNoEffect(op)) {
      return false;
    }
  }
  return extent.chains > 0;
}

bool NestReader::readLoop(scf::ForOp loop, Extent &extent) {
  std::optional<int64_t> count = tripCount(loop);
  Extent body;
  if (!count || !readBody(*loop.getBody(), body))
    return false;
  extent.steps += *count * body.steps;
  extent.stepsAfter = body.stepsAfter;
  extent.products += *count * body.products;
  extent.chains += *count * body.chains;
  return extent.products <= kMaxProducts && extent.chains <= kMaxChains;
}

std::optional<ProductNest> ttjit::tollvm::buildProductNest(Operation *op) {
  ProductNest nest;
  NestReader reader(nest);
  Extent extent;
  Operation *last = op;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    last = reader.readLoop(loop, extent) ? op : nullptr;
  else
    last = isa<ttkernel::TileRegsAcquireOp>(op) ? reader.readSection(op, extent) : nullptr;
  if (!last || extent.products < kMinProducts || extent.products > kMaxProducts)
    return std::nullopt;
  for (Operation *each = op; each != last->getNextNode(); each = each->getNextNode())
    nest.ops.push_back(each);
  nest.facts.steps = static_cast<int32_t>(extent.steps);
  nest.facts.stepsAfter = static_cast<int32_t>(extent.stepsAfter);
  return nest;
}
