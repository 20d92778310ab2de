//===- OrderDependence.cpp - results that depend on the order -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks and pipes have one producer and one consumer, so they are channels of a Kahn network,
// which has the same results in every order. A kernel may leave that network in three ways:
//
// 1. wait_any takes the receive that has arrived first.
// 2. A function of the host or of C++ may keep a state that several threads change.
// 3. A semaphore. It only grows if threads only add to it, or only set it to one number; wait_ge()
//    then has one answer in all orders. wait_eq() may miss a number on the way.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/OrderDependence.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/TTL.h"
#include "passes/common/Describe.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

struct SemaphoreUses {
  SmallVector<ttl::SemaphoreSetOp> sets;
  SmallVector<ttl::SemaphoreIncOp> incs;
  SmallVector<ttl::SemaphoreWaitEqOp> equals;
  SmallVector<ttl::SemaphoreValueOp> reads;
};

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue())
                                                     : std::nullopt;
}

// Returns the result of ttl.create_semaphore that a semaphore of this or another node refers to.
Value rootOf(Value semaphore) {
  while (Operation *op = semaphore.getDefiningOp()) {
    if (!isa<ttl::GetRemoteSemaphoreOp, ttl::GetRemoteMulticastSemaphoreOp>(op))
      break;
    semaphore = op->getOperand(0);
  }
  return semaphore;
}

class Reasons {
public:
  explicit Reasons(ModuleOp module) {
    module.walk([this](Operation *op) { visit(op); });
    for (auto &[semaphore, uses] : semaphores)
      check(semaphore, uses);
  }

  std::vector<std::string> found;

private:
  void visit(Operation *op) {
    if (isa<ttl::WaitAnyOp, ttl::SemaphoreWaitAnyOp>(op))
      add("wait_any() of " + line(op) + " takes what arrives first");
    else if (isa<ttl::CallHostOp, ttcpp::CallOp>(op))
      add("the function that " + line(op) + " calls may keep a state");
    else if (auto set = dyn_cast<ttl::SemaphoreSetOp>(op))
      of(set).sets.push_back(set);
    else if (auto inc = dyn_cast<ttl::SemaphoreIncOp>(op))
      of(inc).incs.push_back(inc);
    else if (auto wait = dyn_cast<ttl::SemaphoreWaitEqOp>(op))
      of(wait).equals.push_back(wait);
    else if (auto read = dyn_cast<ttl::SemaphoreValueOp>(op))
      of(read).reads.push_back(read);
  }

  template <typename Op> SemaphoreUses &of(Op op) { return semaphores[rootOf(op.getSemaphore())]; }

  static std::string line(Operation *op) { return describeLine(op->getLoc()); }
  void add(std::string text) { found.push_back(std::move(text)); }

  void check(Value semaphore, const SemaphoreUses &uses);
  void checkAmounts(const std::string &name, const SemaphoreUses &uses);

  llvm::MapVector<Value, SemaphoreUses> semaphores;
};

} // namespace

// Returns the number to which all sets set a semaphore; nothing if they do not agree, or if the
// semaphore becomes smaller.
static std::optional<int64_t> onlyNumber(ArrayRef<ttl::SemaphoreSetOp> sets, int64_t initial) {
  std::optional<int64_t> number;
  for (ttl::SemaphoreSetOp set : sets) {
    std::optional<int64_t> own = constantOf(set.getValue());
    if (!own || *own < initial || (number && *number != *own))
      return std::nullopt;
    number = own;
  }
  return number;
}

void Reasons::checkAmounts(const std::string &name, const SemaphoreUses &uses) {
  for (ttl::SemaphoreIncOp inc : uses.incs)
    if (std::optional<int64_t> amount = constantOf(inc.getValue()); !amount || *amount < 0)
      add(name + " may become smaller in " + line(inc));
}

void Reasons::check(Value semaphore, const SemaphoreUses &uses) {
  auto created = semaphore.getDefiningOp<ttl::CreateSemaphoreOp>();
  std::string name = created ? "semaphore '" + created.getName().str() + "'" : "a semaphore";
  int64_t initial = created ? int64_t(created.getInitialValue()) : 0;
  std::optional<int64_t> number = onlyNumber(uses.sets, initial);
  checkAmounts(name, uses);
  for (ttl::SemaphoreValueOp read : uses.reads)
    add(line(read) + " reads the value that " + name + " has at that time");
  if (!uses.sets.empty() && !uses.incs.empty())
    add(name + " is set in " + line(uses.sets.front()) + " and increased in " +
        line(uses.incs.front()));
  else if (!uses.sets.empty() && !number)
    add(name + " is set to several numbers, in " + line(uses.sets.front()));
  for (ttl::SemaphoreWaitEqOp wait : uses.equals)
    if (!number || constantOf(wait.getValue()) != number)
      add("wait_eq() of " + line(wait) + " may miss a number of " + name);
}

std::vector<std::string> ttjit::orderDependences(ModuleOp module) {
  return std::move(Reasons(module).found);
}
