//===- ComputeSetup.cpp - init calls of the compute API -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Three parts of the hardware keep a setup: the unpacker with the matrix engine,
// the SFPU, the packer. A call needs one setup of one part. A matmul leaves the
// SFPU's setup unknown.
//===--------------------------------------------------------------------------===//

#include "passes/Support/ComputeSetup.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

enum Part { Unpack, SFPU, Pack, NumParts };

/// What a call needs of its part: for the unpacker the buffers (one for copies,
/// two for matmul), for the SFPU the init op's name, for the packer the format.
struct Setup {
  Value a, b;
  StringRef init;
  int format = -1;

  bool operator==(const Setup &other) const {
    return a == other.a && b == other.b && init == other.init && format == other.format;
  }
};

int formatOf(Value buffer) {
  Type element = cast<ttkernel::CBType>(buffer.getType()).getElementType();
  if (auto tile = dyn_cast<ttcore::TileType>(element))
    return static_cast<int>(tile.getDataType());
  return static_cast<int>(*ttcore::getDataTypeOf(element));
}

struct Need {
  Part part;
  Setup setup;
};

std::optional<Need> needOf(Operation *op) {
  using Result = std::optional<Need>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ttkernel::CopyTileOp copy) -> Result {
        return Need{Unpack, {copy.getCb(), {}, "", -1}};
      })
      .Case([](ttkernel::MatmulTilesOp matmul) -> Result {
        return Need{Unpack, {matmul.getIn0(), matmul.getIn1(), "", -1}};
      })
      .Case([](ttkernel::PackTileOp pack) -> Result {
        return Need{Pack, {{}, {}, "", formatOf(pack.getCb())}};
      })
      .Case([](ttkernel::FillTileOp) -> Result {
        return Need{SFPU, {{}, {}, "ttkernel.fill_tile_init", -1}};
      })
      .Case([](ttkernel::CopyDestValuesOp) -> Result {
        return Need{SFPU, {{}, {}, "ttkernel.copy_dest_values_init", -1}};
      })
      .Case([](ttcore::TileOpInterface row) -> Result {
        const hw::TileOpFacts &facts = hw::factsOf(row.getTileOp());
        MLIRContext *context = row->getContext();
        return Need{SFPU,
                    {{}, {}, StringAttr::get(context, Twine("ttkernel.") + facts.init), -1}};
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// What is known of each part; nothing where it is not known.
struct State {
  std::optional<Setup> parts[NumParts];
  int srcA = -1, srcB = -1; ///< formats of the source registers, -1 unknown

  bool operator==(const State &) const = default;

  void keepCommon(const State &other) {
    for (int part = 0; part < NumParts; ++part)
      if (!(parts[part] == other.parts[part]))
        parts[part].reset();
    srcA = srcA == other.srcA ? srcA : -1;
    srcB = srcB == other.srcB ? srcB : -1;
  }
};

class SetupInserter {
public:
  explicit SetupInserter(func::FuncOp function) : function(function) {}

  void run(OpBuilder &start) {
    if (!configure(start))
      return;
    visit(function.getBody().front());
  }

private:
  bool configure(OpBuilder &start);
  void visit(Block &block);
  void visitLoop(Operation *op);
  void visitBranches(scf::IfOp op);
  void provide(Operation *before, Operation *call);
  void provideUnpack(OpBuilder &builder, Location loc, const Setup &setup);
  void rememberUnpack(const Setup &setup);

  func::FuncOp function;
  State state;
  bool oneSourceFormat = true;
};

// The full configuration, by the first operations; false if there are none.
bool SetupInserter::configure(OpBuilder &start) {
  Operation *firstUnpack = nullptr, *firstPack = nullptr;
  llvm::SmallSet<int, 4> formats;
  function.walk([&](Operation *op) {
    std::optional<Need> need = needOf(op);
    if (!need)
      return;
    if (need->part == Unpack) {
      firstUnpack = firstUnpack ? firstUnpack : op;
      formats.insert(formatOf(need->setup.a));
      if (need->setup.b)
        formats.insert(formatOf(need->setup.b));
    }
    if (need->part == Pack && !firstPack)
      firstPack = op;
  });
  if (!firstPack)
    return false;
  oneSourceFormat = formats.size() <= 1;
  Value out = cast<ttkernel::PackTileOp>(firstPack).getCb();
  state.parts[Pack] = Setup{{}, {}, "", formatOf(out)};
  Location loc = function.getLoc();
  if (!firstUnpack) {
    ttkernel::InitSFPUOp::create(start, loc, out, out);
    return true;
  }
  Setup setup = needOf(firstUnpack)->setup;
  if (setup.b)
    ttkernel::MMInitOp::create(start, loc, setup.a, setup.b, out);
  else
    ttkernel::InitSFPUOp::create(start, loc, setup.a, out);
  rememberUnpack(setup);
  return true;
}

// Matmul feeds its second factor to SrcA.
void SetupInserter::rememberUnpack(const Setup &setup) {
  state.parts[Unpack] = setup;
  state.srcA = formatOf(setup.b ? setup.b : setup.a);
  if (!setup.b)
    return;
  state.srcB = formatOf(setup.a);
  state.parts[SFPU].reset();
}

void SetupInserter::provideUnpack(OpBuilder &builder, Location loc, const Setup &setup) {
  if (setup.b) {
    bool known = state.srcA == formatOf(setup.b) && state.srcB == formatOf(setup.a);
    if (!oneSourceFormat && !known)
      ttkernel::ReconfigDataFormatOp::create(builder, loc, setup.b, setup.a);
    ttkernel::MMInitShortOp::create(builder, loc, setup.a, setup.b);
  } else {
    if (!oneSourceFormat && state.srcA != formatOf(setup.a))
      ttkernel::ReconfigDataFormatSrcAOp::create(builder, loc, setup.a);
    ttkernel::CopyTileInitOp::create(builder, loc, setup.a);
  }
  rememberUnpack(setup);
}

void SetupInserter::provide(Operation *before, Operation *call) {
  Need need = *needOf(call);
  bool isMatmul = need.part == Unpack && need.setup.b;
  if (state.parts[need.part] == need.setup) {
    if (isMatmul)
      state.parts[SFPU].reset();
    return;
  }
  OpBuilder builder(before);
  if (need.part == Unpack)
    return provideUnpack(builder, call->getLoc(), need.setup);
  if (auto pack = dyn_cast<ttkernel::PackTileOp>(call))
    ttkernel::PackReconfigDataFormatOp::create(builder, call->getLoc(), pack.getCb());
  else
    builder.create(OperationState(call->getLoc(), need.setup.init));
  state.parts[need.part] = need.setup;
}

void SetupInserter::visit(Block &block) {
  for (Operation &op : block) {
    if (needOf(&op))
      provide(&op, &op);
    else if (auto conditional = dyn_cast<scf::IfOp>(op))
      visitBranches(conditional);
    else if (op.getNumRegions())
      visitLoop(&op);
  }
}

void SetupInserter::visitBranches(scf::IfOp op) {
  State before = state;
  visit(*op.thenBlock());
  State after = std::exchange(state, before);
  if (op.elseBlock())
    visit(*op.elseBlock());
  state.keepCommon(after);
}

// A part that the loop needs in one way is set up before it and stays so.
void SetupInserter::visitLoop(Operation *op) {
  Operation *only[NumParts] = {};
  bool several[NumParts] = {}, matmul = false;
  op->walk([&](Operation *call) {
    std::optional<Need> need = needOf(call);
    if (!need)
      return;
    Operation *&first = only[need->part];
    several[need->part] |= first && !(needOf(first)->setup == need->setup);
    first = first ? first : call;
    matmul |= need->part == Unpack && need->setup.b;
  });
  several[SFPU] |= matmul;
  // The unpacker first: announcing a matmul disturbs the SFPU.
  for (int part : {Unpack, SFPU, Pack})
    if (only[part] && !several[part])
      provide(op, only[part]);
  auto forget = [&] {
    for (int part = 0; part < NumParts; ++part)
      if (several[part])
        state.parts[part].reset();
    if (several[Unpack])
      state.srcA = state.srcB = -1;
  };
  forget();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visit(block);
  forget();
}

} // namespace

void ttjit::insertComputeSetup(func::FuncOp function, OpBuilder &start) {
  SetupInserter(function).run(start);
}
