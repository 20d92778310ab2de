//===- TileLoopFunctions.cpp - functions with loops over tiles ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/TileLoopFunctions.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tollvm;

// A tile is 4 faces of 16 rows of 16 elements.
static constexpr int64_t kFaces = 4, kFaceDim = 16;

// Number of elements that the function computes between prefetches of as many elements. More
// prefetches at once would wait for each other.
static constexpr int64_t kChunk = 64;
static constexpr int64_t kCacheLine = 64;

// Largest number of functions in a module. Each takes 2 to 3 ms to compile.
static constexpr unsigned kMaxFunctions = 24;

// Returns the constant of a number that is part of the function. Only integers are: lane
// functions have loops over their bits, which LLVM then unrolls.
static Attribute constantOf(Value number) {
  Attribute attribute;
  bool isConstant = number.getType().isInteger() && matchPattern(number, m_Constant(&attribute));
  return isConstant ? attribute : Attribute();
}

//===--------------------------------------------------------------------------===//
// Arguments of a loop
//===--------------------------------------------------------------------------===//

static void collectArguments(const SectionGraph &graph, const TileLoop &loop, TileLoopCall &call) {
  auto addTile = [&](unsigned tile) {
    if (!llvm::is_contained(call.tiles, tile))
      call.tiles.push_back(tile);
  };
  for (unsigned value : loop.values) {
    if (std::optional<unsigned> tile = graph.values[value].tile) {
      addTile(*tile);
      if (!graph.values[value].filled && !llvm::is_contained(call.prefetched, *tile))
        call.prefetched.push_back(*tile);
    }
    for (Value number : graph.values[value].numbers)
      if (!constantOf(number) && !llvm::is_contained(call.numbers, number))
        call.numbers.push_back(number);
  }
  for (auto *packs : {&loop.reads, &loop.writes, &loop.packs})
    for (const GraphPack &pack : *packs)
      addTile(pack.tile);
}

// Returns a text that is the same for all loops that compute the same, whatever their sections.
static std::string keyOf(const SectionGraph &graph, const TileLoop &loop,
                         const TileLoopCall &call) {
  std::string key;
  llvm::raw_string_ostream text(key);
  llvm::DenseMap<unsigned, unsigned> numberOf;
  auto tile = [&](unsigned tile) { return llvm::find(call.tiles, tile) - call.tiles.begin(); };
  auto addPacks = [&](StringRef kind, ArrayRef<GraphPack> packs) {
    for (const GraphPack &pack : packs)
      text << kind << numberOf.try_emplace(pack.value, numberOf.size()).first->second << ' '
           << tile(pack.tile) << ' ' << static_cast<int>(graph.tiles[pack.tile].format) << ';';
  };
  addPacks("read ", loop.reads);
  for (unsigned index : loop.values) {
    const GraphValue &value = graph.values[index];
    text << value.function;
    for (unsigned operand : value.operands)
      text << " v" << numberOf.at(operand);
    for (Value number : value.numbers)
      if (Attribute constant = constantOf(number))
        text << ' ' << constant;
      else
        text << " n" << llvm::find(call.numbers, number) - call.numbers.begin();
    if (value.tile)
      text << " t" << tile(*value.tile);
    if (value.filled)
      text << " filled " << static_cast<int>(*value.filled);
    text << ';';
    numberOf.try_emplace(index, numberOf.size());
  }
  addPacks("write ", loop.writes);
  addPacks("pack ", loop.packs);
  for (Value number : call.numbers)
    text << number.getType() << ' ';
  return key;
}

//===--------------------------------------------------------------------------===//
// The function
//===--------------------------------------------------------------------------===//

namespace {

// Values that say which element of the tiles is computed. Only a function with broadcasts has
// those of the face, and of the row and column in it.
struct Position {
  Value element = {}, face = {}, row = {}, column = {};
};

// Builds the body of one function.
class LoopWriter {
public:
  LoopWriter(const SectionGraph &graph, const TileLoop &loop, const TileLoopCall &call,
             CallBuilder &calls, Location loc)
      : graph(graph), loop(loop), call(call), calls(calls), function(call.function), loc(loc),
        builder(loc.getContext()) {}

  void write();

private:
  void writeChunks();
  void writeFaces();
  void prefetch(Value begin, int64_t size);
  bool hasBroadcast() const {
    return llvm::any_of(loop.values, [&](unsigned v) { return graph.values[v].filled; });
  }
  Value index(int64_t value) { return calls.constant(builder, loc, value, 64); }
  void writeLoop(int64_t count, bool isInnermost, llvm::function_ref<void(Value)> body);
  Value scaled(Value number, int64_t factor) {
    return LLVM::MulOp::create(builder, loc, number, index(factor));
  }
  Value sum(Value a, Value b) { return LLVM::AddOp::create(builder, loc, a, b); }
  void writeElement(const Position &at);
  Value elementAddress(Value begin, unsigned tile, Value element);
  Value address(unsigned tile, Value element);
  Value compute(const GraphValue &value, const Position &at);
  Value number(Value value);

  const SectionGraph &graph;
  const TileLoop &loop;
  const TileLoopCall &call;
  CallBuilder &calls;
  LLVM::LLVMFuncOp function;
  Location loc;
  OpBuilder builder;
  llvm::DenseMap<unsigned, Value> values; // the current element of each value
};

} // namespace

// Writes a loop that runs `body` for 0 to count - 1, and continues after it.
void LoopWriter::writeLoop(int64_t count, bool isInnermost, llvm::function_ref<void(Value)> body) {
  Region &region = function.getBody();
  Block *before = builder.getInsertionBlock();
  Block *block = builder.createBlock(&region, region.end(), builder.getI64Type(), loc);
  Block *after = builder.createBlock(&region, region.end());
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, ValueRange(index(0)), block);
  builder.setInsertionPointToEnd(block);
  Value counter = block->getArgument(0);
  body(counter);
  auto noWrap = LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;
  Value next = LLVM::AddOp::create(builder, loc, counter, index(1), noWrap);
  Value again = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, index(count));
  auto branch =
      LLVM::CondBrOp::create(builder, loc, again, block, ValueRange(next), after, ValueRange());
  if (isInnermost) {
    MLIRContext *context = builder.getContext();
    auto vectorize =
        LLVM::LoopVectorizeAttr::get(context, builder.getBoolAttr(false), {}, {}, {}, {}, {}, {});
    branch.setLoopAnnotationAttr(LLVM::LoopAnnotationAttr::get(
        context, {}, vectorize, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
  }
  builder.setInsertionPointToEnd(after);
}

// Returns the address of an element of a tile of the format of `tile` that begins at `begin`.
Value LoopWriter::elementAddress(Value begin, unsigned tile, Value element) {
  Type datum = builder.getIntegerType(hw::datumBits(graph.tiles[tile].format));
  return LLVM::GEPOp::create(builder, loc, begin.getType(), datum, begin,
                             ArrayRef<LLVM::GEPArg>{element});
}

// Returns the address of an element of a tile.
Value LoopWriter::address(unsigned tile, Value element) {
  auto argument = llvm::find(call.tiles, tile) - call.tiles.begin();
  return elementAddress(function.getArgument(argument), tile, element);
}

// Prefetches `size` elements of the tiles that are read next, from element `begin` on.
void LoopWriter::prefetch(Value begin, int64_t size) {
  for (auto [i, tile] : llvm::enumerate(call.prefetched)) {
    int64_t inLine = kCacheLine * 8 / hw::datumBits(graph.tiles[tile].format);
    for (int64_t element = 0; element < size; element += inLine) {
      Value ahead = elementAddress(function.getArgument(call.tiles.size() + i), tile,
                                   sum(begin, index(element)));
      LLVM::Prefetch::create(builder, loc, ahead, /*rw=*/0, /*hint=*/3, /*cache=*/1);
    }
  }
}

Value LoopWriter::number(Value value) {
  if (Attribute constant = constantOf(value))
    return LLVM::ConstantOp::create(builder, loc, value.getType(), cast<TypedAttr>(constant));
  auto argument = llvm::find(call.numbers, value) - call.numbers.begin();
  return function.getArgument(call.tiles.size() + call.prefetched.size() + argument);
}

Value LoopWriter::compute(const GraphValue &value, const Position &at) {
  SmallVector<Value> arguments;
  Value element = at.element;
  if (value.filled) {
    Value dims = calls.constant(builder, loc, static_cast<int>(*value.filled));
    element = calls
                  .callHelper(builder, loc, "ttl_lane_broadcast_index",
                              {at.face, at.row, at.column, dims}, builder.getI64Type())
                  .getResult();
  }
  if (value.tile)
    arguments.push_back(address(*value.tile, element));
  for (unsigned operand : value.operands)
    arguments.push_back(values.at(operand));
  for (Value each : value.numbers)
    arguments.push_back(number(each));
  return calls
      .callHelper(builder, loc, "ttl_lane_" + value.function, arguments, builder.getF32Type())
      .getResult();
}

// Computes and stores one element of every tile.
void LoopWriter::writeElement(const Position &at) {
  Value element = at.element;
  for (const GraphPack &read : loop.reads)
    values[read.value] =
        LLVM::LoadOp::create(builder, loc, builder.getF32Type(), address(read.tile, element));
  for (unsigned value : loop.values)
    values[value] = compute(graph.values[value], at);
  for (const GraphPack &write : loop.writes)
    LLVM::StoreOp::create(builder, loc, values.at(write.value), address(write.tile, element));
  for (const GraphPack &pack : loop.packs) {
    std::string store =
        "ttl_lane_store_" + std::to_string(static_cast<int>(graph.tiles[pack.tile].format));
    calls.callHelper(builder, loc, store, {address(pack.tile, element), values.at(pack.value)});
  }
}

void LoopWriter::writeChunks() {
  writeLoop(kFaces * kFaceDim * kFaceDim / kChunk, false, [&](Value chunk) {
    Value begin = scaled(chunk, kChunk);
    prefetch(begin, kChunk);
    writeLoop(kChunk, true, [&](Value inner) { writeElement({.element = sum(begin, inner)}); });
  });
}

void LoopWriter::writeFaces() {
  writeLoop(kFaces, false, [&](Value face) {
    writeLoop(kFaceDim, false, [&](Value row) {
      Value begin = scaled(sum(scaled(face, kFaceDim), row), kFaceDim);
      prefetch(begin, kFaceDim);
      writeLoop(kFaceDim, true,
                [&](Value column) { writeElement({sum(begin, column), face, row, column}); });
    });
  });
}

void LoopWriter::write() {
  builder.setInsertionPointToEnd(function.addEntryBlock(builder));
  if (hasBroadcast())
    writeFaces();
  else
    writeChunks();
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

static LLVM::LLVMFuncOp declareLoop(ModuleOp module, const TileLoopCall &call,
                                    const std::string &name, Location loc) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> types(call.tiles.size() + call.prefetched.size(),
                          LLVM::LLVMPointerType::get(context));
  llvm::append_range(types, ValueRange(call.numbers).getTypes());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
  function.setNoInline(true);
  for (unsigned tile = 0; tile < call.tiles.size(); ++tile)
    function.setArgAttr(tile, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return function;
}

std::optional<SmallVector<TileLoopCall, 1>> TileLoops::get(const SectionGraph &graph,
                                                           ArrayRef<TileLoop> loops, Location loc) {
  SmallVector<TileLoopCall, 1> result(loops.size());
  SmallVector<std::string> keys;
  llvm::StringSet<> added;
  for (auto [loop, call] : llvm::zip(loops, result)) {
    collectArguments(graph, loop, call);
    keys.push_back(keyOf(graph, loop, call));
    if (!functions.contains(keys.back()))
      added.insert(keys.back());
  }
  if (functions.size() + added.size() > kMaxFunctions)
    return std::nullopt;
  for (auto [loop, call, key] : llvm::zip(loops, result, keys)) {
    auto [function, isNew] = functions.try_emplace(key);
    if (isNew)
      function->second =
          declareLoop(module, call, "ttl_tile_loop_" + std::to_string(functions.size() - 1), loc);
    call.function = function->second;
    if (isNew)
      LoopWriter(graph, loop, call, calls, loc).write();
  }
  return result;
}
