//===- ComputeSetup.cpp - init calls of the compute API -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Three parts of the hardware keep a setup: the unpacker with the matrix engine,
// the SFPU, the packer. A call needs one setup of one part. What the matrix engine
// does leaves the SFPU's setup unknown. Reductions and broadcasts must be undone
// before anything else is computed; a reduction also masks what is packed until then,
// so its own result is packed before.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/ComputeSetup.h"

#include "hw/facts/TileOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

enum Part { Unpack, SFPU, Pack, NumParts };

/// What a call needs of its part: for the unpacker the operation and its buffers, for
/// the SFPU the init op's name, for the packer the format.
struct Setup {
  Value a, b;
  StringRef init;
  int format = -1;
  DictionaryAttr attributes; ///< of a reduction or broadcast

  bool operator==(const Setup &other) const {
    return a == other.a && b == other.b && init == other.init && format == other.format &&
           attributes == other.attributes;
  }
};

template <typename InitOp> Setup unpackSetup(Value a, Value b = {}, DictionaryAttr attributes = {}) {
  return {a, b, InitOp::getOperationName(), -1, attributes};
}
template <typename InitOp> bool isSetupOf(const Setup &setup) {
  return setup.init == InitOp::getOperationName();
}

bool isReduction(const Setup &setup) { return isSetupOf<ttkernel::ReduceInitOp>(setup); }
bool isBroadcast(const Setup &setup) { return isSetupOf<ttkernel::UnaryBcastInitOp>(setup); }
bool isElementwise(const Setup &setup) {
  return isSetupOf<ttkernel::AddTilesInitOp>(setup) ||
         isSetupOf<ttkernel::SubTilesInitOp>(setup) || isSetupOf<ttkernel::MulTilesInitOp>(setup);
}
bool mustBeUndone(const Setup &setup) { return isReduction(setup) || isBroadcast(setup); }
/// Copies pass the matrix engine by.
bool disturbsSFPU(const Setup &setup) { return !isSetupOf<ttkernel::CopyTileInitOp>(setup); }

/// The buffers whose formats SrcA and SrcB have; SrcB's may be null. A product feeds
/// its second factor to SrcA.
std::pair<Value, Value> sourcesOf(const Setup &setup) {
  if (isSetupOf<ttkernel::MMInitShortOp>(setup))
    return {setup.b, setup.a};
  return {setup.a, isBroadcast(setup) ? setup.a : setup.b};
}

int formatOf(Value buffer) {
  Type element = cast<ttkernel::CBType>(buffer.getType()).getElementType();
  if (auto tile = dyn_cast<ttcore::TileType>(element))
    return static_cast<int>(tile.getDataType());
  return static_cast<int>(*ttcore::getDataTypeOf(element));
}

/// The buffer into which `op` packs; null if it is no pack.
Value packTarget(Operation *op) {
  if (auto pack = dyn_cast<ttkernel::PackTileOp>(op))
    return pack.getCb();
  auto block = dyn_cast<ttkernel::PackTileBlockOp>(op);
  return block ? block.getCb() : Value();
}

struct Need {
  Part part;
  Setup setup;
};

std::optional<Need> needOf(Operation *op) {
  using Result = std::optional<Need>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ttkernel::CopyTileOp copy) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::CopyTileInitOp>(copy.getCb())};
      })
      .Case([](ttkernel::MatmulTilesOp matmul) -> Result {
        return Need{Unpack,
                    unpackSetup<ttkernel::MMInitShortOp>(matmul.getIn0(), matmul.getIn1())};
      })
      .Case([](ttkernel::ReduceTileOp reduce) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::ReduceInitOp>(
                                reduce.getIn(), reduce.getScaling(), reduce->getAttrDictionary())};
      })
      .Case([](ttkernel::UnaryBcastOp bcast) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::UnaryBcastInitOp>(bcast.getIn(), {},
                                                                    bcast->getAttrDictionary())};
      })
      .Case([](ttkernel::TransposeWHTileOp transpose) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::TransposeWHInitShortOp>(transpose.getIn())};
      })
      .Case([](ttkernel::AddTilesOp op) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::AddTilesInitOp>(op.getIn0(), op.getIn1())};
      })
      .Case([](ttkernel::SubTilesOp op) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::SubTilesInitOp>(op.getIn0(), op.getIn1())};
      })
      .Case([](ttkernel::MulTilesOp op) -> Result {
        return Need{Unpack, unpackSetup<ttkernel::MulTilesInitOp>(op.getIn0(), op.getIn1())};
      })
      .Case<ttkernel::PackTileOp, ttkernel::PackTileBlockOp>([](auto pack) -> Result {
        return Need{Pack, {{}, {}, "", formatOf(pack.getCb()), {}}};
      })
      .Case([](ttkernel::FillTileOp) -> Result {
        return Need{SFPU, {{}, {}, "ttkernel.fill_tile_init", -1, {}}};
      })
      .Case([](ttkernel::CopyDestValuesOp) -> Result {
        return Need{SFPU, {{}, {}, "ttkernel.copy_dest_values_init", -1, {}}};
      })
      .Case([](ttcore::TileOpInterface row) -> Result {
        const hw::TileOpFacts &facts = hw::factsOf(row.getTileOp());
        MLIRContext *context = row->getContext();
        return Need{SFPU,
                    {{}, {}, StringAttr::get(context, Twine("ttkernel.") + facts.init), -1, {}}};
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
    Block &body = function.getBody().front();
    visit(body);
    undo(body.getTerminator());
  }

private:
  bool configure(OpBuilder &start);
  void configureUnpack(OpBuilder &start, Location loc, const Setup &setup, Value out);
  void undo(Operation *before);
  void visit(Block &block);
  void visitLoop(Operation *op);
  void visitBranches(scf::IfOp op);
  void provide(Operation *before, Operation *call);
  void provideUnpack(OpBuilder &builder, Operation *call, const Setup &setup);
  void rememberSources(const Setup &setup);
  void rememberUnpack(const Setup &setup);

  func::FuncOp function;
  State state;
  bool oneSourceFormat = true;
  /// Where the next pack after a reduction or broadcast goes.
  DenseMap<Operation *, Value> targets;
};

// The full configuration, by the first operations; false if there are none.
bool SetupInserter::configure(OpBuilder &start) {
  Operation *firstUnpack = nullptr, *firstPack = nullptr;
  SmallVector<Operation *> waiting;
  llvm::SmallSet<int, 4> formats;
  function.walk([&](Operation *op) {
    std::optional<Need> need = needOf(op);
    if (!need)
      return;
    if (need->part == Unpack) {
      firstUnpack = firstUnpack ? firstUnpack : op;
      waiting.push_back(op);
      formats.insert(formatOf(need->setup.a));
      if (need->setup.b)
        formats.insert(formatOf(need->setup.b));
    }
    if (Value target = packTarget(op)) {
      firstPack = firstPack ? firstPack : op;
      for (Operation *call : waiting)
        targets[call] = target;
      waiting.clear();
    }
  });
  if (!firstPack)
    return false;
  oneSourceFormat = formats.size() <= 1;
  Value out = packTarget(firstPack);
  state.parts[Pack] = Setup{{}, {}, "", formatOf(out), {}};
  if (firstUnpack)
    configureUnpack(start, function.getLoc(), needOf(firstUnpack)->setup, out);
  else
    ttkernel::InitSFPUOp::create(start, function.getLoc(), out, out);
  return true;
}

// Some operations have a full configuration of their own, which announces them too.
void SetupInserter::configureUnpack(OpBuilder &start, Location loc, const Setup &setup,
                                    Value out) {
  if (isSetupOf<ttkernel::CopyTileInitOp>(setup)) {
    ttkernel::InitSFPUOp::create(start, loc, setup.a, out);
  } else if (isSetupOf<ttkernel::MMInitShortOp>(setup)) {
    ttkernel::MMInitOp::create(start, loc, setup.a, setup.b, out);
  } else if (isSetupOf<ttkernel::TransposeWHInitShortOp>(setup)) {
    ttkernel::TransposeWHInitOp::create(start, loc, setup.a, out);
  } else if (isElementwise(setup)) {
    ttkernel::BinaryOpInitCommonOp::create(start, loc, setup.a, setup.b, out);
    rememberSources(setup); // which operation follows is not announced
    return;
  } else {
    ttkernel::ComputeKernelHWStartupOp::create(start, loc, setup.a,
                                               setup.b ? setup.b : setup.a, out);
    rememberSources(setup);
    return;
  }
  rememberUnpack(setup);
}

void SetupInserter::rememberSources(const Setup &setup) {
  auto [srcA, srcB] = sourcesOf(setup);
  state.srcA = formatOf(srcA);
  if (srcB)
    state.srcB = formatOf(srcB);
}

void SetupInserter::rememberUnpack(const Setup &setup) {
  state.parts[Unpack] = setup;
  rememberSources(setup);
  if (disturbsSFPU(setup))
    state.parts[SFPU].reset();
}

// Ends a reduction or broadcast, if one is set up.
void SetupInserter::undo(Operation *before) {
  if (!state.parts[Unpack] || !mustBeUndone(*state.parts[Unpack]))
    return;
  OpBuilder builder(before);
  const Setup &setup = *state.parts[Unpack];
  if (isReduction(setup))
    ttkernel::ReduceUninitOp::create(builder, before->getLoc());
  else
    ttkernel::UnaryBcastUninitOp::create(
        builder, before->getLoc(), setup.a,
        setup.attributes.getAs<ttkernel::BcastTypeAttr>("bcast_type"));
  state.parts[Unpack].reset();
}

void SetupInserter::provideUnpack(OpBuilder &builder, Operation *call, const Setup &setup) {
  Location loc = call->getLoc();
  auto [srcA, srcB] = sourcesOf(setup);
  bool known = state.srcA == formatOf(srcA) && (!srcB || state.srcB == formatOf(srcB));
  if (!oneSourceFormat && !known) {
    if (srcB)
      ttkernel::ReconfigDataFormatOp::create(builder, loc, srcA, srcB);
    else
      ttkernel::ReconfigDataFormatSrcAOp::create(builder, loc, srcA);
  }
  OperationState init(loc, setup.init);
  init.addOperands(setup.a);
  if (setup.b)
    init.addOperands(setup.b);
  if (mustBeUndone(setup)) {
    init.addOperands(targets.lookup(call));
    init.addAttributes(setup.attributes.getValue());
  }
  builder.create(init);
  rememberUnpack(setup);
}

void SetupInserter::provide(Operation *before, Operation *call) {
  Need need = *needOf(call);
  if (state.parts[need.part] == need.setup) {
    if (need.part == Unpack && disturbsSFPU(need.setup))
      state.parts[SFPU].reset();
    return;
  }
  if (need.part != Pack && !(need.part == SFPU && state.parts[Unpack] &&
                             isBroadcast(*state.parts[Unpack])))
    undo(before);
  OpBuilder builder(before);
  if (need.part == Unpack)
    return provideUnpack(builder, call, need.setup);
  if (Value target = packTarget(call))
    ttkernel::PackReconfigDataFormatOp::create(builder, call->getLoc(), target);
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

bool needsAnything(Operation *op) {
  return op->walk([](Operation *call) {
             return needOf(call) ? WalkResult::interrupt() : WalkResult::advance();
           }).wasInterrupted();
}

// What must be undone is undone on the branch that did it.
void SetupInserter::visitBranches(scf::IfOp op) {
  if (!needsAnything(op))
    return;
  undo(op);
  State before = state;
  visit(*op.thenBlock());
  undo(op.thenBlock()->getTerminator());
  State after = std::exchange(state, before);
  if (op.elseBlock()) {
    visit(*op.elseBlock());
    undo(op.elseBlock()->getTerminator());
  }
  state.keepCommon(after);
}

// A part that the loop needs in one way is set up before it and stays so.
void SetupInserter::visitLoop(Operation *op) {
  Operation *only[NumParts] = {};
  bool several[NumParts] = {}, disturbed = false;
  op->walk([&](Operation *call) {
    std::optional<Need> need = needOf(call);
    if (!need)
      return;
    Operation *&first = only[need->part];
    several[need->part] |= first && !(needOf(first)->setup == need->setup);
    first = first ? first : call;
    disturbed |= need->part == Unpack && disturbsSFPU(need->setup);
  });
  several[SFPU] |= disturbed;
  // A reduction is undone before the SFPU computes.
  if (only[Unpack] && only[SFPU] && isReduction(needOf(only[Unpack])->setup))
    several[Unpack] = true;
  if (several[Unpack] || only[SFPU])
    undo(op);
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
    for (Block &block : region) {
      visit(block);
      if (several[Unpack])
        undo(block.getTerminator());
    }
  forget();
}

} // namespace

void ttjit::insertComputeSetup(func::FuncOp function, OpBuilder &start) {
  SetupInserter(function).run(start);
}
