//===- FuseSections.cpp - DST sections as loops -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A call per tile operation reads and writes whole DST registers. Instead, a straight-line
// section becomes
//
//   if ttl_hw_enter_section(thread, ...)   checks what all calls check, and has their
//                                           effects except on tiles
//     loops over the elements of tiles      read L1, compute, round, write L1
//   else
//     the calls
//
// so that faults, positions and events are those of the calls. The arithmetic is that of
// the calls too: the loops call hw's lane functions.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/TileLoopFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

namespace {

struct Section {
  SectionGraph graph;
  SmallVector<TileLoopCall, 1> loops;
};

// Rewrites the sections of one thread function.
class SectionWriter {
public:
  SectionWriter(func::FuncOp function, CallBuilder &calls)
      : function(function), calls(calls), builder(function.getContext()) {}

  LogicalResult write(ArrayRef<Section> sections);

private:
  LogicalResult writeSection(const Section &section);
  FailureOr<Value> writeGuard(const SectionGraph &graph, Operation *acquire);
  void writeLoops(const Section &section, Location loc);
  Value loadPlace(Location loc, Value array, unsigned tile);
  Value element(Location loc, Type type, Value array, unsigned index);

  func::FuncOp function;
  CallBuilder &calls;
  OpBuilder builder;
  // Arrays on the thread's stack that all sections use: the tiles' indices and places, and the
  // places to prefetch.
  Value indices, places, ahead;
};

} // namespace

Value SectionWriter::element(Location loc, Type type, Value array, unsigned index) {
  return LLVM::GEPOp::create(builder, loc, array.getType(), type, array,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

// Returns the words of SectionFacts, then those of each SectionTile (hw/facts/TileSection.h).
static SmallVector<int32_t> describe(const SectionGraph &graph) {
  SmallVector<int32_t> words = {graph.steps, graph.registers,
                                static_cast<int32_t>(graph.tiles.size())};
  for (const GraphTile &tile : graph.tiles)
    llvm::append_values(words, static_cast<int32_t>(tile.kind), tile.number,
                        static_cast<int32_t>(tile.format));
  return words;
}

FailureOr<Value> SectionWriter::writeGuard(const SectionGraph &graph, Operation *acquire) {
  Location loc = acquire->getLoc();
  Type i32 = builder.getI32Type();
  for (auto [i, tile] : llvm::enumerate(graph.tiles))
    if (tile.index)
      LLVM::StoreOp::create(builder, loc, tile.index, element(loc, i32, indices, i));
    else
      LLVM::StoreOp::create(builder, loc, calls.constant(builder, loc, 0),
                            element(loc, i32, indices, i));
  Value facts = calls.constantWords(builder, loc, describe(graph));
  auto entered = calls.callAt(builder, acquire, "ttl_hw_enter_section",
                              {facts, element(loc, i32, facts, 3), indices, places, ahead}, i32);
  if (!entered)
    return failure();
  Value zero = calls.constant(builder, loc, 0);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, entered.getResult(), zero)
      .getResult();
}

Value SectionWriter::loadPlace(Location loc, Value array, unsigned tile) {
  Type pointer = array.getType();
  return LLVM::LoadOp::create(builder, loc, pointer, element(loc, pointer, array, tile));
}

void SectionWriter::writeLoops(const Section &section, Location loc) {
  for (const TileLoopCall &call : section.loops) {
    SmallVector<Value> arguments;
    for (unsigned tile : call.tiles)
      arguments.push_back(loadPlace(loc, places, tile));
    for (unsigned tile : call.prefetched)
      arguments.push_back(loadPlace(loc, ahead, tile));
    llvm::append_range(arguments, call.numbers);
    LLVM::CallOp::create(builder, loc, call.function, arguments);
  }
}

LogicalResult SectionWriter::writeSection(const Section &section) {
  Operation *acquire = section.graph.ops.front();
  Location loc = acquire->getLoc();
  for (Operation *op : section.graph.hoisted)
    op->moveBefore(acquire);
  builder.setInsertionPoint(acquire);
  FailureOr<Value> entered = writeGuard(section.graph, acquire);
  if (failed(entered))
    return failure();
  auto branch = scf::IfOp::create(builder, loc, *entered, /*withElseRegion=*/true);
  for (Operation *op : section.graph.ops) {
    if (llvm::is_contained(section.graph.hoisted, op))
      continue;
    op->moveBefore(branch.elseYield());
    op->setAttr(kOutOfLineAttr, builder.getUnitAttr());
  }
  builder.setInsertionPoint(branch.thenYield());
  writeLoops(section, loc);
  return success();
}

LogicalResult SectionWriter::write(ArrayRef<Section> sections) {
  int64_t count = 0;
  for (const Section &section : sections)
    count = std::max<int64_t>(count, section.graph.tiles.size());
  builder.setInsertionPointToStart(&function.getBody().front());
  indices = calls.stackArray(builder, function, builder.getI32Type(), count);
  places = calls.stackArray(builder, function, indices.getType(), count);
  ahead = calls.stackArray(builder, function, indices.getType(), count);
  for (const Section &section : sections)
    if (failed(writeSection(section)))
      return failure();
  return success();
}

static SmallVector<Section, 0> findSections(func::FuncOp function, TileLoops &tileLoops) {
  SmallVector<Section, 0> sections;
  function.walk([&](ttkernel::TileRegsAcquireOp acquire) {
    std::optional<SectionGraph> graph = buildSectionGraph(acquire);
    std::optional<SmallVector<TileLoop>> plan = graph ? planLoops(*graph) : std::nullopt;
    if (!plan)
      return;
    if (auto loops = tileLoops.get(*graph, *plan, acquire.getLoc()))
      sections.push_back({std::move(*graph), std::move(*loops)});
  });
  return sections;
}

LogicalResult ttjit::tollvm::fuseSections(ModuleOp module, CallBuilder &calls) {
  TileLoops loops(module, calls);
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    SmallVector<Section, 0> sections = findSections(function, loops);
    if (!sections.empty() && failed(SectionWriter(function, calls).write(sections)))
      return failure();
  }
  return success();
}
