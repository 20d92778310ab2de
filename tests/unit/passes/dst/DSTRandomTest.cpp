//===- DSTRandomTest.cpp - random expressions through the DST allocation ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Allocates registers for expressions of 40 ops over up to four inputs. With any number of
// registers, the allocation must succeed and use no other register, and what is packed must be what
// an evaluation without registers gives.
//===--------------------------------------------------------------------------===//

#include "tests/unit/passes/dst/DSTSimulator.h"

#include "ir/KernelDialects.h"
#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/dst/DSTSchedule.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::test;

namespace {

// One program whose compute thread has one random ttl.compute.
class RandomProgram {
public:
  RandomProgram(MLIRContext *context, unsigned seed, bool fp32, bool fullSync,
                ArrayRef<int64_t> shape)
      : builder(context), random(seed), loc(builder.getUnknownLoc()), shape(shape) {
    module = ModuleOp::create(loc);
    build(fp32, fullSync);
  }

  ModuleOp get() { return *module; }
  func::FuncOp function() { return *module->getOps<func::FuncOp>().begin(); }
  ArrayRef<std::vector<uint64_t>> expected() const { return outputs; }
  unsigned numInputs() const { return inputs; }

private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random); }

  void build(bool fp32, bool fullSync);
  void buildBody(ttl::ComputeOp compute, unsigned ops);
  Value randomOp(Block &block, SmallVectorImpl<Value> &values);
  void evaluate(ttl::ComputeOp compute);

  OpBuilder builder;
  std::mt19937 random;
  Location loc;
  SmallVector<int64_t> shape;
  OwningOpRef<ModuleOp> module;
  unsigned inputs = 0;
  std::vector<std::vector<uint64_t>> outputs; // by output and tile
};

// The operands are more often recent values, which makes deep and wide expressions.
Value RandomProgram::randomOp(Block &block, SmallVectorImpl<Value> &values) {
  auto pick = [&] {
    unsigned window = below(3) ? std::min<unsigned>(values.size(), 6) : values.size();
    return values[values.size() - 1 - below(window)];
  };
  Type tile = values.front().getType();
  unsigned kind = below(22);
  if (kind == 0) {
    auto value = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(below(3)));
    return ttl::TileFillOp::create(builder, loc, tile, value, IntegerAttr());
  }
  if (kind == 1) {
    Value acc = below(2) ? pick() : Value();
    return ttl::TileMatmulOp::create(builder, loc, tile, block.getArgument(below(inputs)),
                                     block.getArgument(below(inputs)), acc, IntegerAttr());
  }
  static constexpr const char *kUnary[] = {"abs", "exp", "neg", "relu"};
  static constexpr const char *kBinary[] = {"add", "sub", "mul", "max"};
  bool unary = kind < 10;
  // A mask is in the register after its data; a value may mask itself.
  const char *name = kind >= 20 ? "mask" : (unary ? kUnary : kBinary)[below(4)];
  OperationState state(loc, std::string("ttl.tile_") + name);
  state.addOperands(pick());
  if (!unary)
    state.addOperands(pick());
  state.addTypes(tile);
  return builder.create(state)->getResult(0);
}

// At the end, combines the values that nobody read until there are few, and yields these.
void RandomProgram::buildBody(ttl::ComputeOp compute, unsigned ops) {
  Block *block = builder.createBlock(&compute.getBody());
  unsigned numOutputs = compute.getOutputs().size();
  for (Value operand : compute->getOperands())
    block->addArgument(cast<ttl::BlockType>(operand.getType()).getTensorType().getElementType(),
                       loc);
  SmallVector<Value> values(block->args_begin(), block->args_begin() + inputs);
  for (unsigned i = 0; i < ops; ++i)
    values.push_back(randomOp(*block, values));
  SmallVector<Value> open;
  for (Value value : values)
    if (value.use_empty() && value.getDefiningOp())
      open.push_back(value);
  while (open.size() > numOutputs) {
    Value a = open.pop_back_val(), b = open.pop_back_val();
    open.push_back(ttl::createTileRow(builder, loc, ttjit::hw::TileOp::Add, a.getType(), {a, b}));
  }
  while (open.size() < numOutputs)
    open.push_back(values[below(values.size())]);
  ttl::YieldOp::create(builder, loc, open);
}

void RandomProgram::evaluate(ttl::ComputeOp compute) {
  int64_t tiles = llvm::product_of(shape);
  outputs.resize(compute.getOutputs().size());
  for (int64_t tile = 0; tile < tiles; ++tile) {
    DenseMap<Value, uint64_t> known;
    for (unsigned i = 0; i < inputs; ++i)
      known[compute.getBody().getArgument(i)] = inputTile(i, tile);
    for (Operation &op : compute.getBody().front().without_terminator()) {
      if (auto fill = dyn_cast<ttl::TileFillOp>(op)) {
        auto value = cast<FloatAttr>(fill.getValue().getDefiningOp<arith::ConstantOp>().getValue());
        known[fill] = fillTile(value.getValue());
      } else if (auto matmul = dyn_cast<ttl::TileMatmulOp>(op)) {
        known[matmul] =
            hashOf("matmul", {known.lookup(matmul.getLhs()), known.lookup(matmul.getRhs()),
                              matmul.getAcc() ? known.lookup(matmul.getAcc()) : freshTile()});
      } else if (op.getNumResults() && isa<ttcore::TileOpInterface>(op)) {
        SmallVector<uint64_t> operands;
        for (Value operand : op.getOperands())
          operands.push_back(known.lookup(operand));
        known[op.getResult(0)] = hashOf(op.getName().getStringRef(), operands);
      }
    }
    for (auto [i, value] :
         llvm::enumerate(compute.getBody().front().getTerminator()->getOperands()))
      outputs[i].push_back(known.lookup(value));
  }
}

void RandomProgram::build(bool fp32, bool fullSync) {
  MLIRContext *context = builder.getContext();
  inputs = 1 + below(4);
  unsigned numOutputs = 1 + below(3);
  Type tile = ttcore::TileType::get(context, 32, 32, ttcore::DataType::Float32);
  auto buffer = ttl::CircularBufferType::get(context, shape, tile, 1);
  SmallVector<Type> types(inputs + numOutputs, buffer);

  builder.setInsertionPointToEnd(module->getBody());
  auto config =
      ttcore::ComputeConfigAttr::get(context, fp32, fullSync, false, ttcore::MathFidelity::HiFi4);
  auto function = func::FuncOp::create(builder, loc, "compute", builder.getFunctionType(types, {}));
  OperationState state(loc, ttl::ProgramOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr("program"));
  state.addAttribute("function_type", TypeAttr::get(builder.getFunctionType({}, {})));
  state.addAttribute("grid", ttcore::GridAttr::get(context, ArrayRef<int64_t>{1}));
  state.addAttribute("compute_config", config);
  state.addRegion();
  auto program = cast<ttl::ProgramOp>(builder.create(state));
  builder.createBlock(&program.getBody());
  SmallVector<Value> buffers;
  for (unsigned i = 0; i < types.size(); ++i)
    buffers.push_back(ttl::CreateCBOp::create(builder, loc, buffer, "b" + std::to_string(i),
                                              IntegerAttr(), IntegerAttr(), IntegerAttr(),
                                              /*compiler_made=*/false));
  ttl::ThreadOp::create(builder, loc, "compute", ttl::Processor::Compute, buffers);

  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> in, out;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value argument = function.getArgument(i);
    if (i < inputs)
      in.push_back(ttl::CBWaitOp::create(builder, loc, argument));
    else
      out.push_back(ttl::CBReserveOp::create(builder, loc, argument));
  }
  SmallVector<AffineMap> maps(types.size(),
                              AffineMap::getMultiDimIdentityMap(shape.size(), context));
  auto parallel = ttcore::IteratorTypeAttr::get(context, ttcore::IteratorType::Parallel);
  auto compute = ttl::ComputeOp::create(
      builder, loc, in, out, ValueRange(), builder.getAffineMapArrayAttr(maps),
      builder.getArrayAttr(SmallVector<Attribute>(shape.size(), parallel)));
  {
    OpBuilder::InsertionGuard guard(builder);
    buildBody(compute, 40);
  }
  func::ReturnOp::create(builder, loc);
  evaluate(compute);
}

struct Variant {
  bool fp32, fullSync;
  int capacity;
};

class DSTRandomTest : public testing::TestWithParam<Variant> {
protected:
  DSTRandomTest() : context(kernelDialects()) {
    context.disableMultithreading();
    // More buffers than a chip has would give a warning.
    context.getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
    context.loadDialect<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, ttl::TTLDialect,
                        ttkernel::TTKernelDialect>();
  }

  // Allocates and simulates one program. Returns what is wrong, or an empty string.
  std::string check(unsigned seed, ArrayRef<int64_t> shape, TTLAssignDSTOptions options = {},
                    bool packBlocks = false) {
    Variant variant = GetParam();
    RandomProgram program(&context, seed, variant.fp32, variant.fullSync, shape);
    auto passes = PassManager::on<ModuleOp>(&context, PassManager::Nesting::Implicit);
    passes.enableVerifier(false);
    passes.addPass(createTTLAssignDST(options));
    passes.addPass(createTTLLowerToLoops());
    passes.addPass(createTTLUnrollComputeLoops(TTLUnrollComputeLoopsOptions{packBlocks}));
    passes.addPass(createTTLInsertTileRegsSync());
    if (failed(passes.run(program.get())))
      return "the passes fail";
    DSTSimulator simulator(variant.capacity);
    std::string error = simulator.run(program.function());
    for (auto [output, tiles] : llvm::enumerate(program.expected()))
      for (auto [number, tile] : llvm::enumerate(tiles))
        if (error.empty() && simulator.packed(program.numInputs() + output, number) != tile)
          error = "output " + std::to_string(output) + ", tile " + std::to_string(number) +
                  " is something else";
    return error;
  }

  MLIRContext context;
};

TEST_P(DSTRandomTest, TenThousandExpressions) {
  for (unsigned seed = 0; seed < 10000; ++seed)
    ASSERT_EQ(check(seed, {1, 1}), "") << "seed " << seed;
}

TEST_P(DSTRandomTest, SeveralTilesPerSection) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(check(seed, {2, 3}, {}, seed % 2), "") << "seed " << seed;
}

TEST_P(DSTRandomTest, EveryOption) {
  for (unsigned options = 1; options < 8; ++options)
    for (unsigned seed = 0; seed < 200; ++seed) {
      TTLAssignDSTOptions chosen;
      chosen.schedule = options & 1;
      chosen.expireAtUse = options & 2;
      chosen.lazyLoads = options & 4;
      ASSERT_EQ(check(seed, {1, 2}, chosen), "") << "seed " << seed << ", options " << options;
    }
}

INSTANTIATE_TEST_SUITE_P(Capacities, DSTRandomTest,
                         testing::Values(Variant{true, false, 4}, Variant{false, false, 8},
                                         Variant{false, true, 16}),
                         [](const auto &info) {
                           return "Capacity" + std::to_string(info.param.capacity);
                         });

} // namespace
