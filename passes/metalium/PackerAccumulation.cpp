//===- PackerAccumulation.cpp - when the packer adds to L1 --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a store that adds switches the packer's accumulation on before each pack and off behind
// it. The card waits for the packer at every switch.
//
// 1. Find the setting that each pack needs. Calls that configure all units and C++ functions of the
//    user need it off. Leave the function alone if a block begins or ends with another setting.
// 2. Erase all switches.
// 3. Choose the switches of each loop or branch:
//    * If all in it needs one setting, which is known before it, one switch precedes it.
//    * If fewer switches run then, it contains all the switches that it needs. It relies on no
//      setting at its beginning and leaves any setting.
//    * Otherwise the accumulation is off at its beginning and at its end.
//    In a block, a switch stands where the next op needs another setting, and the one that ends an
//    accumulation directly behind it.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/PackerAccumulation.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {

// The operand of a switch; null if it is zero, that is off. Equal constants are one value.
using Setting = Value;

// How an op uses the accumulation.
struct Use {
  enum Kind {
    None,
    Needs,     // needs `setting` at its beginning and leaves it
    OffAround, // needs none before it and leaves none; has switches
    Switches   // has all switches that it needs, and leaves any setting
  };
  Kind kind = None;
  Setting setting = {};
};

// A switch before or behind an op.
struct Switch {
  Operation *op;
  bool isBehind;
  Setting setting;
};

class SwitchMover {
public:
  explicit SwitchMover(func::FuncOp function) : function(function) {}

  void run();

private:
  Setting settingOf(Value operand);
  bool readBlock(Block &block);
  bool readRegions(Operation *op);
  std::optional<Setting> onlySetting(Operation *op);
  Use useOfRegions(Operation *op);
  const Use &useOf(Operation *op);
  SmallVector<Switch> switchesIn(Block &block, bool reliesOnNothing);
  void place(Block &block, bool reliesOnNothing);
  void insert(const Switch &change);

  func::FuncOp function;
  DenseMap<int64_t, Value> constants;
  DenseMap<Operation *, Setting> settings; // of packs, and of calls that need it off
  DenseMap<Operation *, Use> uses;
  SmallVector<Operation *> switches;
};

} // namespace

//===--------------------------------------------------------------------------===//
// What packs need
//===--------------------------------------------------------------------------===//

static bool isPack(Operation *op) {
  return ttkernel::isCall<ttkernel::PackTileOp, ttkernel::PackTileBlockOp>(op);
}

static bool needsOff(Operation *op) {
  using namespace ttkernel;
  return isa<ttcpp::CallOp>(op) ||
         isCall<InitSFPUOp, MMInitOp, BinaryOpInitCommonOp, ComputeKernelHWStartupOp,
                TransposeWHInitOp, UnaryBcastInitOp>(op);
}

Setting SwitchMover::settingOf(Value operand) {
  APInt number;
  if (!matchPattern(operand, m_ConstantInt(&number)))
    return operand;
  return number.isZero() ? Setting()
                         : constants.try_emplace(number.getSExtValue(), operand).first->second;
}

bool SwitchMover::readRegions(Operation *op) {
  bool isOff = true;
  for (Region &region : op->getRegions())
    isOff &= region.empty() || (region.hasOneBlock() && readBlock(region.front()));
  return isOff;
}

// Returns whether the accumulation is off wherever the block begins, has a nested block, or ends.
bool SwitchMover::readBlock(Block &block) {
  Setting current;
  bool isOff = true;
  for (Operation &op : block) {
    if (ttkernel::isCall<ttkernel::PackReconfigL1AccOp>(&op)) {
      current = settingOf(op.getOperand(0));
      switches.push_back(&op);
    } else if (isPack(&op)) {
      settings[&op] = current;
      if (current)
        op.setAttr(kAccumulatesAttr, UnitAttr::get(op.getContext()));
    } else if (needsOff(&op) || op.getNumRegions()) {
      isOff &= !current;
      if (needsOff(&op))
        settings[&op] = Setting();
    }
    isOff &= readRegions(&op);
  }
  return isOff && !current;
}

//===--------------------------------------------------------------------------===//
// Where switches are
//===--------------------------------------------------------------------------===//

// Returns the setting that all in `op` need, if it is known before `op`.
std::optional<Setting> SwitchMover::onlySetting(Operation *op) {
  std::optional<Setting> only;
  WalkResult result = op->walk([&](Operation *inner) {
    auto found = settings.find(inner);
    if (found == settings.end())
      return WalkResult::advance();
    if (only && *only != found->second)
      return WalkResult::interrupt();
    only = found->second;
    return WalkResult::advance();
  });
  bool isConstant = only && *only && matchPattern(*only, m_Constant());
  bool isKnown =
      only && (!*only || isConstant || !op->isAncestor((*only).getParentBlock()->getParentOp()));
  return !result.wasInterrupted() && isKnown ? only : std::nullopt;
}

Use SwitchMover::useOfRegions(Operation *op) {
  if (std::optional<Setting> only = onlySetting(op))
    return {Use::Needs, *only};
  size_t switching = 0, offAround = 0;
  bool usesAny = false;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      switching += switchesIn(block, /*reliesOnNothing=*/true).size();
      offAround += switchesIn(block, /*reliesOnNothing=*/false).size();
      usesAny |= llvm::any_of(block, [&](Operation &inner) { return useOf(&inner).kind; });
    }
  if (!usesAny)
    return {};
  return {switching < offAround ? Use::Switches : Use::OffAround};
}

const Use &SwitchMover::useOf(Operation *op) {
  auto known = uses.find(op);
  if (known != uses.end())
    return known->second;
  Use use;
  if (auto setting = settings.find(op); setting != settings.end())
    use = {Use::Needs, setting->second};
  else if (op->getNumRegions())
    use = useOfRegions(op);
  return uses[op] = use;
}

// Returns the switches of a block, without those in nested blocks. The accumulation is off before
// and behind it, unless the block relies on nothing.
SmallVector<Switch> SwitchMover::switchesIn(Block &block, bool reliesOnNothing) {
  SmallVector<Switch> found;
  std::optional<Setting> current;
  if (!reliesOnNothing)
    current = Setting();
  Operation *last = nullptr;
  for (Operation &op : block) {
    Use use = useOf(&op);
    if (use.kind == Use::None)
      continue;
    bool isNeeded = use.kind != Use::Switches && current != use.setting;
    if (isNeeded && last && !use.setting)
      found.push_back({last, /*isBehind=*/true, Setting()});
    else if (isNeeded)
      found.push_back({&op, /*isBehind=*/false, use.setting});
    current = use.kind == Use::Switches ? std::nullopt : std::optional(use.setting);
    last = &op;
  }
  if (!reliesOnNothing && current != Setting())
    found.push_back({last, /*isBehind=*/true, Setting()});
  return found;
}

void SwitchMover::insert(const Switch &change) {
  OpBuilder builder(change.op);
  if (change.isBehind)
    builder.setInsertionPointAfter(change.op);
  Location loc = change.op->getLoc();
  Value enable = change.setting;
  APInt number;
  if (!enable || matchPattern(enable, m_ConstantInt(&number)))
    enable = arith::ConstantIntOp::create(builder, loc, enable ? number.getSExtValue() : 0, 32);
  ttkernel::createCall<ttkernel::PackReconfigL1AccOp>(builder, loc, enable);
}

void SwitchMover::place(Block &block, bool reliesOnNothing) {
  SmallVector<Switch> found = switchesIn(block, reliesOnNothing);
  for (Operation &op : block) {
    Use::Kind kind = useOf(&op).kind;
    if (kind != Use::Switches && kind != Use::OffAround)
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        place(inner, kind == Use::Switches);
  }
  for (const Switch &change : found)
    insert(change);
}

void SwitchMover::run() {
  if (!readRegions(function.getOperation()) || switches.empty())
    return;
  for (Operation *op : switches)
    op->erase();
  for (Block &block : function.getBody())
    place(block, /*reliesOnNothing=*/false);
}

void tometalium::moveAccumulationSwitches(func::FuncOp function) { SwitchMover(function).run(); }
