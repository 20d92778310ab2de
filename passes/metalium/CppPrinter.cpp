//===- CppPrinter.cpp - EmitC functions as readable C++ -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/CppPrinter.h"

#include "ir/Locations/Locations.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// Names
//===--------------------------------------------------------------------------===//

namespace {
struct Role {
  StringLiteral callee;
  unsigned operand;
  StringLiteral name;
};
} // namespace

// Names for values without one: a value is called after the argument as which it is passed.
static constexpr Role kRoles[] = {
    {"noc_async_read_page", 0, "page"},
    {"noc_async_write_page", 0, "page"},
    {"noc_async_read_page", 2, "address"},
    {"noc_async_write_page", 2, "address"},
    {"ttl_read_pages", 0, "page"},
    {"ttl_write_pages", 0, "page"},
    {"ttl_read_pages", 2, "address"},
    {"ttl_write_pages", 2, "address"},
    {"ttl_read_shard_pages", 0, "page"},
    {"ttl_write_shard_pages", 0, "page"},
    {"ttl_read_shard_pages", 2, "address"},
    {"ttl_write_shard_pages", 2, "address"},
    {"copy_tile", 1, "tile"},
    {"pack_tile", 2, "tile"},
    {"matmul_tiles", 2, "tile0"},
    {"matmul_tiles", 3, "tile1"},
    {"pack_reconfig_l1_acc", 0, "accumulate"},
    {"noc_async_read", 0, "from"},
    {"noc_async_write", 1, "to"},
    {"noc_async_write_multicast", 1, "to"},
    {"noc_async_write_multicast_loopback_src", 1, "to"},
    {"noc_semaphore_set_remote", 1, "flag"},
    {"noc_semaphore_set_multicast", 1, "flag"},
    {"noc_semaphore_set_multicast_loopback_src", 1, "flag"},
    {"noc_semaphore_inc", 0, "counter"},
    {"get_arg_val", 0, "word"},
    {"ttl_virtual_x", 0, "column"},
    {"ttl_virtual_x_of", 0, "column"},
    {"ttl_fabric_send", 1, "column"},
    {"ttl_fabric_send", 3, "to"},
    {"ttl_fabric_send", 6, "flag"},
    {"ttl_fabric_inc", 1, "column"},
    {"ttl_fabric_inc", 2, "counter"},
    {"ttl_fabric_set", 1, "column"},
    {"ttl_fabric_set", 3, "flag"},
    {"ttl_fabric_count", 1, "column"},
    {"ttl_fabric_count", 3, "flag"},
    {"ttl_fabric_write", 1, "column"},
    {"ttl_fabric_write", 3, "to"},
    {"ttl_virtual_y", 0, "row"},
    {"get_noc_addr", 0, "x"},
    {"get_noc_addr", 1, "y"},
    {"ttl_multicast_addr", 0, "x0"},
    {"ttl_multicast_addr", 1, "y0"},
    {"ttl_multicast_addr", 2, "x1"},
    {"ttl_multicast_addr", 3, "y1"},
    {"noc_semaphore_set", 1, "next"},
    {"noc_semaphore_wait_min", 1, "needed"},
};

static StringRef roleOf(Value value) {
  for (OpOperand &use : value.getUses())
    if (auto call = dyn_cast<emitc::CallOpaqueOp>(use.getOwner()))
      for (const Role &role : kRoles)
        if (call.getCallee() == role.callee && use.getOperandNumber() == role.operand)
          return role.name;
  return {};
}

static StringRef nameByUse(Value value) {
  if (StringRef role = roleOf(value); !role.empty())
    return role;
  // A variable is used through the loads from it.
  for (Operation *user : value.getUsers())
    if (auto load = dyn_cast<emitc::LoadOp>(user))
      if (StringRef role = roleOf(load.getResult()); !role.empty())
        return role;
  if (isa<emitc::LValueType>(value.getType()))
    return "carried";
  return value.getType().isInteger(1) ? "condition" : "value";
}

std::string CppPrinter::declare(Value value, StringRef otherwise) {
  StringRef wanted = wantedName(value);
  std::string name = names.add(wanted.empty() ? otherwise : wanted);
  expressions.setName(value, name);
  return name;
}

//===--------------------------------------------------------------------------===//
// Lines
//===--------------------------------------------------------------------------===//

llvm::raw_ostream &CppPrinter::line() { return stream.indent(2 * indentation); }

void CppPrinter::printDirective(const SourceRange &range) {
  stream << "#line " << range.line << " \"";
  stream.write_escaped(range.file);
  stream << "\"\n";
}

void CppPrinter::printComment(Location location) {
  SourceRange range = getSourceRange(location);
  if (lineDirectives) {
    if (range.line != 0)
      printDirective(range);
    return;
  }
  std::pair<std::string, int> place(range.file, range.line);
  if (range.line == 0 || (range.line == commentedLine && range.file == commentedFile))
    return;
  bool isQuoted = llvm::any_of(quoted, [&](auto &lines) { return lines.count(place); });
  if (isQuoted && range.file == commentedFile && range.line < commentedLine)
    return;
  commentedFile = range.file;
  commentedLine = range.line;
  quoted.back().insert(place);
  line() << "// " << toComment(llvm::sys::path::filename(range.file)) << ":" << range.line;
  if (sourceLine)
    if (std::optional<std::string> text = sourceLine(range.file, range.line))
      stream << ": " << toComment(*text);
  stream << "\n";
}

//===--------------------------------------------------------------------------===//
// Declarations
//===--------------------------------------------------------------------------===//

// A literal with a name is a constant of the program.
static bool isNamedConstant(Operation &op) {
  return isa<emitc::LiteralOp>(op) && !wantedName(op.getResult(0)).empty();
}

static bool isCompileTimeValue(Operation &op) {
  return op.getNumResults() == 1 &&
         (isNamedConstant(op) ||
          StringRef(cppType(op.getResult(0).getType())).starts_with("constexpr "));
}

// Returns the assignment of a variable's first value, if nothing is printed between the two
// ops.
static emitc::AssignOp firstAssignment(emitc::VariableOp variable) {
  Operation *next = variable->getNextNode();
  while (next && isWrittenAtUse(next))
    next = next->getNextNode();
  auto assign = dyn_cast_or_null<emitc::AssignOp>(next);
  return assign && assign.getVar() == variable.getResult() ? assign : emitc::AssignOp();
}

void CppPrinter::printVariable(emitc::VariableOp op) {
  emitc::AssignOp first = firstAssignment(op);
  std::string value = first ? " = " + expressions.write(first.getValue()) : "";
  std::string type = cppType(op.getType());
  line() << type << " " << declare(op.getResult(), nameByUse(op.getResult())) << value << ";\n";
  if (first)
    printedAlready.insert(first);
}

// Returns whether the text of `value` is printed after `limit`, in its block.
static bool isPrintedAfter(Value value, Operation &limit) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isWrittenAtUse(user))
      return isPrintedAfter(user->getResult(0), limit);
    Operation *inBlock = limit.getBlock()->findAncestorOpInBlock(*user);
    return inBlock && limit.isBeforeInBlock(inBlock);
  });
}

// For the user's `total = total + n`: the assignment to `total` of the new value, if
// nothing reads that value before the assignment. Null otherwise.
static emitc::AssignOp updateOfVariable(Operation &op) {
  Value result = op.getResult(0);
  for (Operation *user : result.getUsers()) {
    auto assign = dyn_cast<emitc::AssignOp>(user);
    if (!assign || assign->getBlock() != op.getBlock() ||
        wantedName(assign.getVar()) != wantedName(result))
      continue;
    bool readLater = llvm::any_of(assign.getVar().getUsers(), [&](Operation *read) {
      return isa<emitc::LoadOp>(read) && isPrintedAfter(read->getResult(0), op);
    });
    if (!readLater)
      return assign;
  }
  return {};
}

void CppPrinter::printDeclaration(Operation &op) {
  std::string right = expressions.writeOp(&op);
  if (op.getNumResults() == 0 || (op.use_empty() && !isCompileTimeValue(op))) {
    bool isExpression = isCppExpression(&op) && !isa<emitc::CallOpaqueOp>(op);
    line() << (isExpression ? "(void)(" + right + ")" : right) << ";\n";
    return;
  }
  Value result = op.getResult(0);
  if (emitc::AssignOp update = updateOfVariable(op)) {
    std::string variable = expressions.nameOf(update.getVar()).str();
    line() << variable << " = " << right << ";\n";
    expressions.setName(result, variable);
    printedAlready.insert(update);
    return;
  }
  std::string type = (isNamedConstant(op) ? "constexpr " : "") + cppType(result.getType());
  line() << type << " " << declare(result, nameByUse(result)) << " = " << right << ";\n";
}

//===--------------------------------------------------------------------------===//
// Control flow
//===--------------------------------------------------------------------------===//

LogicalResult CppPrinter::printNested(Region &region) {
  names.open();
  quoted.emplace_back();
  ++indentation;
  LogicalResult result = printBlock(region.front());
  --indentation;
  quoted.pop_back();
  names.close();
  return result;
}

LogicalResult CppPrinter::printFor(emitc::ForOp op) {
  static constexpr StringLiteral counters[] = {"i", "j", "k", "l", "m", "n"};
  std::string start = expressions.write(op.getLowerBound());
  std::string end = expressions.writeBound(op.getUpperBound());
  names.open();
  std::string counter = declare(op.getInductionVar(), counters[loopDepth % std::size(counters)]);
  std::string step = matchPattern(op.getStep(), m_One())
                         ? "++" + counter
                         : counter + " += " + expressions.write(op.getStep());
  line() << "for (int32_t " << counter << " = " << start << "; " << counter << " < " << end << "; "
         << step << ") {\n";
  llvm::SaveAndRestore<int> deeper(loopDepth, loopDepth + 1);
  LogicalResult result = printNested(op.getRegion());
  names.close();
  line() << "}\n";
  return result;
}

static bool printsNothing(Operation &op) {
  return isWrittenAtUse(&op) || isa<emitc::YieldOp, emitc::ReturnOp>(op);
}

LogicalResult CppPrinter::printElse(Region &region) {
  if (region.empty() || llvm::all_of(region.front(), printsNothing)) {
    line() << "}\n";
    return success();
  }
  auto printed =
      llvm::make_filter_range(region.front(), [](Operation &op) { return !printsNothing(op); });
  auto inner = dyn_cast<emitc::IfOp>(*printed.begin());
  if (inner && std::next(printed.begin()) == printed.end())
    return printIf(inner, "} else if (");
  line() << "} else {\n";
  LogicalResult result = printNested(region);
  line() << "}\n";
  return result;
}

LogicalResult CppPrinter::printIf(emitc::IfOp op, StringRef prefix) {
  line() << prefix << expressions.write(op.getCondition()) << ") {\n";
  if (failed(printNested(op.getThenRegion())))
    return failure();
  return printElse(op.getElseRegion());
}

LogicalResult CppPrinter::printEndless(emitc::DoOp op) {
  auto condition = dyn_cast<emitc::ExpressionOp>(op.getConditionRegion().front().front());
  if (!condition || !matchPattern(condition.getRootOp()->getResult(0), m_One()))
    return op.emitOpError("can be printed only with the condition 'true'");
  line() << "while (true) {\n";
  llvm::SaveAndRestore<int> deeper(loopDepth, loopDepth + 1);
  LogicalResult result = printNested(op.getBodyRegion());
  line() << "}\n";
  return result;
}

//===--------------------------------------------------------------------------===//
// Statements
//===--------------------------------------------------------------------------===//

LogicalResult CppPrinter::printStatement(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<emitc::ForOp>([&](auto loop) { return printFor(loop); })
      .Case<emitc::IfOp>([&](auto branch) { return printIf(branch, "if ("); })
      .Case<emitc::DoOp>([&](auto loop) { return printEndless(loop); })
      .Case<emitc::VariableOp>([&](auto variable) {
        printVariable(variable);
        return success();
      })
      .Case<emitc::AssignOp>([&](auto assign) {
        line() << expressions.write(assign.getVar()) << " = "
               << expressions.write(assign.getValue()) << ";\n";
        return success();
      })
      .Case<emitc::VerbatimOp>([&](auto verbatim) {
        line() << expressions.substitute(verbatim.getValue(), verbatim.getFmtArgs()) << "\n";
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (!isCppExpression(other) && !isa<emitc::CallOpaqueOp>(other))
          return other->emitOpError("cannot be printed as C++");
        printDeclaration(*other);
        return success();
      });
}

LogicalResult CppPrinter::printBlock(Block &block) {
  for (Operation &op : block) {
    if (printsNothing(op) || printedAlready.contains(&op))
      continue;
    bool compileTime = isCompileTimeValue(op);
    if (inCompileTimePart && !compileTime)
      stream << "\n";
    inCompileTimePart = compileTime;
    if (!compileTime)
      printComment(op.getLoc());
    if (failed(printStatement(op)))
      return failure();
  }
  return success();
}

LogicalResult CppPrinter::printBody(emitc::FuncOp function) {
  function.walk([&](emitc::CallOpaqueOp call) {
    names.reserve(call.getCallee());
    if (call.getCallee().starts_with("ttl_fabric"))
      names.reserve("fabric"); // closeFabric() names it
  });
  return printBlock(function.getBody().front());
}
