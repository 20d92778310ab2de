//===- ComputeSetup.cpp - inserts init calls of the compute API ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks a compute thread in program order and records which setups are in force
// (ComputeState). A call whose setup is not known to be in force gets an init. The
// packer masks its output from the init of a reduction to its uninit, so the
// reduction's result is packed in between. After a C++ function of the user no setup is known.
//
// Loops: a setup that is known at the entry must also be in force at the end of the body,
// where the next iteration begins. The body is walked without inserting anything until
// this is so; after each walk, the entry forgets the setups that the body's end lacks.
//
// The dataflow framework (passes/common/DataFlow.h) does not replace this walk: an init in
// front of a loop changes the state at the loop's entry, and whether there is one depends on
// the state at the end of the body. A dataflow analysis then finds the inits that are
// redundant on every path (RedundantInits).
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/ComputeSetup.h"

#include "passes/ttkernel/BroadcastFirst.h"
#include "passes/ttkernel/ComputeNeeds.h"
#include "passes/ttkernel/RedundantInits.h"

#include "ir/TTCpp/TTCpp.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The setups that the calls in a loop need.
struct LoopNeeds {
  Operation *first[NumParts] = {}; // the first call that needs the part
  // The part has no setup that holds in every iteration from the start.
  bool changes[NumParts] = {};
  // The source registers: the first buffer of each, the format that it needs there, and whether the
  // loop changes the formats.
  Value srcA, srcB;
  int formatA = -1, formatB = -1;
  bool changesA = false, changesB = false;

  bool callsExternal = false; // whether the loop calls a C++ function of the user

  bool any() const {
    return callsExternal || llvm::any_of(first, [](Operation *call) { return call; });
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
  void forgetAll(Operation *call);
  void visitSection(Operation *section);
  void visitLoop(Operation *op);
  void enterLoop(Operation *op, const LoopNeeds &needs);
  void provideSources(Operation *op, const LoopNeeds &needs);
  void visitBody(Operation *op, const LoopNeeds &needs);
  bool findLost(const ComputeState &entry, LoopNeeds &needs) const;
  void forgetChanging(const LoopNeeds &needs);
  void visitBranches(scf::IfOp op);
  void provide(Operation *before, Operation *call);
  void provideUnpack(Operation *before, Operation *call, const Setup &setup);
  void rememberUnpack(const Setup &setup);
  LoopNeeds &needsIn(Operation *op);

  func::FuncOp function;
  ComputeState state;
  bool inserting = true;
  bool oneSourceFormat = true; // whether the formats of the source registers never change
  // For a reduction or broadcast, the buffer of the next pack after it.
  DenseMap<Operation *, Value> targets;
  DenseMap<Operation *, std::unique_ptr<LoopNeeds>> needsByOp; // needs of each loop and branch
};

// Inserts the full configuration for the first operations; returns false if there are
// none.
bool SetupInserter::configure(OpBuilder &start) {
  Operation *firstUnpack = nullptr, *firstPack = nullptr;
  SmallVector<Operation *> waiting;
  llvm::SmallSet<int, 4> formats;
  bool callsExternal = false;
  function.walk([&](Operation *op) {
    callsExternal |= isa<ttcpp::CallOp>(op);
    std::optional<SetupNeed> need = setupNeedOf(op);
    if (!need)
      return;
    if (need->part == Unpack) {
      firstUnpack = firstUnpack ? firstUnpack : op;
      waiting.push_back(op);
      formats.insert(need->setup.sourceFormat(need->setup.a));
      if (need->setup.b)
        formats.insert(need->setup.sourceFormat(need->setup.b));
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
  oneSourceFormat = formats.size() <= 1 && !callsExternal;
  Value out = packTarget(firstPack);
  state.parts[Pack] = Setup{{}, {}, "", formatOf(out), {}};
  if (firstUnpack)
    configureUnpack(start, function.getLoc(), setupNeedOf(firstUnpack)->setup, out);
  else
    ttkernel::createCall<ttkernel::InitSFPUOp>(start, function.getLoc(), out, out);
  return true;
}

// Configures the unpacker. Some operations have their own full configuration with their init.
void SetupInserter::configureUnpack(OpBuilder &start, Location loc, const Setup &setup, Value out) {
  if (setup.isOf<ttkernel::CopyTileInitOp>()) {
    ttkernel::createCall<ttkernel::InitSFPUOp>(start, loc, setup.a, out);
  } else if (setup.isOf<ttkernel::MMInitShortOp>()) {
    ttkernel::createCall<ttkernel::MMInitOp>(start, loc, setup.a, setup.b, out);
  } else if (setup.isOf<ttkernel::TransposeWHInitShortOp>()) {
    ttkernel::createCall<ttkernel::TransposeWHInitOp>(start, loc, setup.a, out);
  } else if (setup.isElementwise()) {
    ttkernel::createCall<ttkernel::BinaryOpInitCommonOp>(start, loc, setup.a, setup.b, out);
    state.setSources(setup); // the configuration does not say which operation follows
    return;
  } else {
    ttkernel::createCall<ttkernel::ComputeKernelHWStartupOp>(start, loc, setup.a,
                                                             setup.b ? setup.b : setup.a, out);
    if (setup.sourceFormat(setup.a) != kFloat32ToDST) // the configuration cannot say so
      state.setSources(setup);
    return;
  }
  rememberUnpack(setup);
}

void SetupInserter::rememberUnpack(const Setup &setup) {
  state.parts[Unpack] = setup;
  state.setSources(setup);
  if (setup.disturbsSFPU())
    state.parts[SFPU].reset();
}

// Inserts the uninit of a reduction or broadcast, if one is in force.
void SetupInserter::undo(Operation *before) {
  if (!state.parts[Unpack] || !state.parts[Unpack]->mustBeUndone())
    return;
  Setup setup = *std::exchange(state.parts[Unpack], std::nullopt);
  if (!inserting)
    return;
  OpBuilder builder(before);
  if (setup.isReduction())
    ttkernel::createCall<ttkernel::ReduceUninitOp>(builder, before->getLoc());
  else
    ttkernel::createCall<ttkernel::UnaryBcastUninitOp>(
        builder, before->getLoc(), setup.a,
        setup.attributes.getAs<ttkernel::BcastTypeAttr>("bcast_type"));
}

static void reconfigure(Operation *before, Location loc, Value srcA, Value srcB) {
  OpBuilder builder(before);
  if (srcB)
    ttkernel::createCall<ttkernel::ReconfigDataFormatOp>(builder, loc, srcA, srcB);
  else
    ttkernel::createCall<ttkernel::ReconfigDataFormatSrcAOp>(builder, loc, srcA);
}

void SetupInserter::provideUnpack(Operation *before, Operation *call, const Setup &setup) {
  auto [srcA, srcB] = setup.sources();
  bool known =
      state.srcA == setup.sourceFormat(srcA) && (!srcB || state.srcB == setup.sourceFormat(srcB));
  rememberUnpack(setup);
  if (!inserting)
    return;
  OpBuilder builder(before);
  Location loc = call->getLoc();
  if (!oneSourceFormat && !known)
    reconfigure(before, loc, srcA, srcB);
  OperationState init(loc, setup.init);
  init.addOperands(setup.a);
  if (setup.b)
    init.addOperands(setup.b);
  if (setup.mustBeUndone()) {
    init.addOperands(targets.lookup(call));
    init.addAttributes(setup.attributes.getValue());
  }
  ttkernel::createCall(builder, init);
}

static void callInit(OpBuilder &builder, Location loc, StringRef name) {
  OperationState init(loc, name);
  ttkernel::createCall(builder, init);
}

// Returns whether the next function of the SFPU after `call`, in its block, is the same one.
static bool isRepeated(Operation *call) {
  for (Operation *next = call->getNextNode(); next; next = next->getNextNode())
    if (std::optional<SetupNeed> need = setupNeedOf(next); need && need->part == SFPU)
      return need->setup == setupNeedOf(call)->setup;
  return false;
}

// Copies do not use the SFPU. If several tiles follow each other, an init before the copies of the
// first one leaves the calls of all tiles alike.
static Operation *placeOfInit(Operation *op, Operation *call) {
  Operation *place = op;
  if (!isRepeated(call))
    return place;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (ttkernel::isCall<ttkernel::CopyTileOp>(before))
      place = before;
    else if (!ttkernel::hasNoEffects(before) || before->getNumRegions())
      break;
  }
  return place;
}

void SetupInserter::provide(Operation *before, Operation *call) {
  SetupNeed need = *setupNeedOf(call);
  if (state.parts[need.part] == need.setup) {
    if (need.part == Unpack && need.setup.disturbsSFPU())
      state.parts[SFPU].reset();
    return;
  }
  bool keepsBroadcast =
      need.part == SFPU && state.parts[Unpack] && state.parts[Unpack]->isBroadcast();
  if (need.part != Pack && !keepsBroadcast)
    undo(before);
  if (need.part == Unpack)
    return provideUnpack(before, call, need.setup);
  state.parts[need.part] = need.setup;
  if (!inserting)
    return;
  OpBuilder builder(need.part == SFPU ? placeOfInit(before, call) : before);
  if (Value target = packTarget(call))
    ttkernel::createCall<ttkernel::PackReconfigDataFormatOp>(builder, call->getLoc(), target);
  else
    callInit(builder, call->getLoc(), need.setup.init);
}

void SetupInserter::visit(Block &block) {
  for (Operation &op : block) {
    if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(&op))
      visitSection(&op);
    else if (setupNeedOf(&op))
      provide(&op, &op);
    else if (isa<ttcpp::CallOp>(op))
      forgetAll(&op);
    else if (op.getNumRegions() && !needsIn(&op).any())
      continue;
    else if (auto conditional = dyn_cast<scf::IfOp>(op))
      visitBranches(conditional);
    else if (op.getNumRegions())
      visitLoop(&op);
  }
}

// Ends the setups at a C++ function, which expects no reduction or broadcast, and may set up any.
void SetupInserter::forgetAll(Operation *call) {
  undo(call);
  state = ComputeState();
}

// Sets up a broadcast before the section that it begins, because its init resets DST's half.
void SetupInserter::visitSection(Operation *section) {
  if (Operation *broadcast = broadcastAtStart(section))
    provide(section, broadcast);
}

// Visits the branches. Each ends with the uninit calls of what it set up.
void SetupInserter::visitBranches(scf::IfOp op) {
  undo(op);
  ComputeState before = state;
  visit(*op.thenBlock());
  undo(op.thenBlock()->getTerminator());
  ComputeState after = std::exchange(state, before);
  if (op.elseBlock()) {
    visit(*op.elseBlock());
    undo(op.elseBlock()->getTerminator());
  }
  state.keepCommon(after);
}

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

// Notes the source registers of a call.
static void addSources(LoopNeeds &needs, const Setup &setup) {
  auto add = [&](Value source, Value &first, int &format, bool &changes) {
    if (source && !first) {
      first = source;
      format = setup.sourceFormat(source);
    }
    changes |= source && setup.sourceFormat(source) != format;
  };
  auto [srcA, srcB] = setup.sources();
  add(srcA, needs.srcA, needs.formatA, needs.changesA);
  add(srcB, needs.srcB, needs.formatB, needs.changesB);
}

// Returns which setups the ops within `op` need, and which parts need more than one. The result is
// kept, because findLost() adds to it.
LoopNeeds &SetupInserter::needsIn(Operation *op) {
  std::unique_ptr<LoopNeeds> &known = needsByOp[op];
  if (known)
    return *known;
  auto made = std::make_unique<LoopNeeds>();
  LoopNeeds &needs = *made;
  op->walk([&](Operation *call) {
    needs.callsExternal |= isa<ttcpp::CallOp>(call);
    std::optional<SetupNeed> need = setupNeedOf(call);
    if (!need)
      return;
    if (need->part == Unpack)
      addSources(needs, need->setup);
    Operation *&first = needs.first[need->part];
    needs.changes[need->part] |= first && !(setupNeedOf(first)->setup == need->setup);
    first = first ? first : call;
    needs.changes[SFPU] |= need->part == Unpack && need->setup.disturbsSFPU();
  });
  Operation *unpack = needs.first[Unpack];
  // A reduction is undone before the SFPU computes.
  if (unpack && needs.first[SFPU] && setupNeedOf(unpack)->setup.isReduction())
    needs.changes[Unpack] = true;
  if (needs.callsExternal) {
    std::fill(std::begin(needs.changes), std::end(needs.changes), true);
    needs.changesA = needs.changesB = true;
  }
  return *(needsByOp[op] = std::move(made));
}

// Sets up the parts that the loop always needs in one way. The unpacker comes first,
// because the init of a matmul disturbs the SFPU.
void SetupInserter::enterLoop(Operation *op, const LoopNeeds &needs) {
  if (needs.changes[Unpack] || needs.first[SFPU])
    undo(op);
  for (int part : {Unpack, SFPU, Pack})
    if (needs.first[part] && !needs.changes[part])
      provide(op, needs.first[part]);
  provideSources(op, needs);
  forgetChanging(needs);
}

// Gives the source registers the formats that all calls of the loop need. Only SrcA can be
// reconfigured alone.
void SetupInserter::provideSources(Operation *op, const LoopNeeds &needs) {
  if (needs.changesA || !needs.changes[Unpack])
    return;
  bool both = needs.srcB && !needs.changesB;
  bool known = state.srcA == needs.formatA && (!both || state.srcB == needs.formatB);
  state.srcA = needs.formatA;
  if (both)
    state.srcB = needs.formatB;
  if (inserting && !oneSourceFormat && !known)
    reconfigure(op, needs.first[Unpack]->getLoc(), needs.srcA, both ? needs.srcB : Value());
}

void SetupInserter::forgetChanging(const LoopNeeds &needs) {
  for (int part = 0; part < NumParts; ++part)
    if (needs.changes[part])
      state.parts[part].reset();
  if (needs.changesA)
    state.srcA = -1;
  if (needs.changesB)
    state.srcB = -1;
}

// Visits the body of a loop. Then `state` has what holds on every path behind the loop: a loop may
// run no iteration, which leaves the state before it, and scf.while leaves its first region, the
// condition.
void SetupInserter::visitBody(Operation *op, const LoopNeeds &needs) {
  ComputeState after = state;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      visit(block);
      if (needs.changes[Unpack])
        undo(block.getTerminator());
      after.keepCommon(state);
    }
  state = after;
}

// Marks parts as changing whose setup in `entry` is not in force at the end of an
// iteration; returns whether there are any.
bool SetupInserter::findLost(const ComputeState &entry, LoopNeeds &needs) const {
  bool lost = false;
  for (int part = 0; part < NumParts; ++part)
    if (entry.parts[part] && !(state.parts[part] == entry.parts[part]))
      lost = needs.changes[part] = true;
  if (entry.srcA != -1 && state.srcA != entry.srcA)
    lost = needs.changesA = true;
  if (entry.srcB != -1 && state.srcB != entry.srcB)
    lost = needs.changesB = true;
  return lost;
}

void SetupInserter::visitLoop(Operation *op) {
  LoopNeeds &needs = needsIn(op);
  ComputeState before = state;
  bool insert = std::exchange(inserting, false);
  ComputeState entry;
  do {
    state = before;
    enterLoop(op, needs);
    entry = state;
    visitBody(op, needs);
  } while (findLost(entry, needs));
  inserting = insert;
  if (!inserting)
    return;
  state = before;
  enterLoop(op, needs);
  visitBody(op, needs);
}

} // namespace

void ttjit::insertComputeSetup(func::FuncOp function, OpBuilder &start) {
  SetupInserter(function).run(start);
  eraseRedundantInits(function);
}
