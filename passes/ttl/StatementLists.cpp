//===- StatementLists.cpp - which ops come from one list of statements --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/StatementLists.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace ttjit;

// Returns the position of an op without the names of variables and other additions.
static LocationAttr statementOf(LocationAttr location) {
  while (true) {
    if (auto named = dyn_cast<NameLoc>(location))
      location = named.getChildLoc();
    else if (auto fused = dyn_cast<FusedLoc>(location); fused && !fused.getLocations().empty())
      location = fused.getLocations().front();
    else
      return location;
  }
}

static LocationAttr statementOf(Operation *op) { return statementOf(op->getLoc()); }

StatementLists::StatementLists(Operation *thread) {
  thread->walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned number = numbers.size();
    numbers[op] = number;
    if (LocationAttr statement = statementOf(op); !isa<UnknownLoc>(statement))
      firsts.try_emplace({op->getBlock(), Attribute(statement)}, number);
  });
}

// Returns the call that runs the statement, or null for a statement of the thread itself.
static LocationAttr callOf(LocationAttr statement) {
  auto called = dyn_cast<CallSiteLoc>(statement);
  return called ? LocationAttr(called.getCaller()) : LocationAttr();
}

// Returns whether the statement is of the list, or of a function that the list calls.
static bool isUnder(LocationAttr statement, LocationAttr list) {
  if (!list || isa<UnknownLoc>(statement))
    return true;
  for (LocationAttr call = callOf(statement); call; call = callOf(call))
    if (call == list)
      return true;
  return false;
}

// Returns the number of the first copy of a statement in the block, or `otherwise`.
unsigned StatementLists::firstOf(Block *block, LocationAttr statement, unsigned otherwise) const {
  auto first = firsts.find({block, Attribute(statement)});
  return first == firsts.end() ? otherwise : first->second;
}

// Returns whether `later` belongs to the next run of the statements of `list`: it is a copy of a
// statement before `op`, as in the next iteration of an unrolled loop or where a function calls
// itself.
bool StatementLists::isNextRun(Operation *op, Operation *later, LocationAttr list) const {
  Block *block = op->getBlock();
  unsigned limit = firstOf(block, statementOf(op), numbers.lookup(op));
  LocationAttr statement = statementOf(later);
  if (firstOf(block, statement, limit) < limit)
    return true;
  auto called = dyn_cast<CallSiteLoc>(statement);
  if (!called || LocationAttr(called.getCaller()) == list)
    return false;
  LocationAttr callee = called.getCallee();
  LocationAttr ofList =
      list ? LocationAttr(CallSiteLoc::get(Location(callee), Location(list))) : callee;
  return firstOf(block, ofList, limit) < limit;
}

bool StatementLists::visitAfter(Operation *op, LocationAttr list, Visit visit) const {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (!isUnder(statementOf(next), list) || isNextRun(op, next, list))
      return false;
    if (visit(next))
      return true;
  }
  return false;
}

bool StatementLists::visitBefore(Operation *op, LocationAttr list, Visit visit) const {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (isUnder(statementOf(before), list) && visit(before))
      return true;
  return false;
}

bool StatementLists::visitAround(Operation *op, First first, Visit visit) const {
  LocationAttr list = statementOf(op);
  do {
    list = callOf(list);
    bool found = first == First::After
                     ? visitAfter(op, list, visit) || visitBefore(op, list, visit)
                     : visitBefore(op, list, visit) || visitAfter(op, list, visit);
    if (found)
      return true;
  } while (list);
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (visit(next))
      return true;
  return false;
}
