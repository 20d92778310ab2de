//===- HostCalls.cpp - elements of blocks, calls of host functions ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/HostCalls.h"

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/functions/PythonFunction.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/DtypeNames.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Elements of blocks
//===--------------------------------------------------------------------------===//

static const Block &elementBlock(Walker &walker, Arguments &arguments) {
  requireDataMovement(walker, arguments);
  const Arguments::Item &item = arguments.require(0, "blk");
  const Block *block = item.value.getIf<Block>();
  if (!block)
    walker.diagnostics.fail(
        item.node,
        fmt::format("the first argument of {}() must be a block from wait() or reserve(), found {}",
                    arguments.function(), describe(item.value)));
  return *block;
}

static llvm::SmallVector<mlir::Value> coordinates(Walker &walker, Arguments &arguments,
                                                  const Block &block) {
  llvm::SmallVector<mlir::Value> coords;
  for (size_t i = 1; i < arguments.items.size() && arguments.items[i].keyword.empty(); ++i) {
    Arguments::Item &item = arguments.items[i];
    if (item.used) // it is the value to write
      continue;
    item.used = true;
    for (const Value &coord : item.value->items(walker).value_or(std::vector<Value>{item.value}))
      coords.push_back(walker.scalars.asIndex(item.node, coord));
  }
  arguments.checkNoMore();
  auto type = llvm::cast<ttl::BlockType>(block.info->block.getType());
  llvm::SmallVector<int64_t> extents = ttl::getElementExtents(type);
  // A block that is a row of tiles may be indexed by the position in the row alone.
  if (coords.size() == 1 && extents.size() == 2 && type.getCircularBuffer().getShape().size() == 1)
    coords.insert(coords.begin(), walker.indexConstant(arguments.node, 0));
  if (coords.size() != extents.size())
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("{}() must get {} coordinates for a block of {} elements, found {}",
                    arguments.function(), extents.size(), shapeText(extents), coords.size()));
  return coords;
}

static void checkFormat(Walker &walker, Arguments &arguments, const Block &block,
                        std::string_view formats = "float32 or bfloat16") {
  auto type = llvm::cast<ttl::BlockType>(block.info->block.getType());
  hw::DataFormat format = type.getCircularBuffer().getFormat();
  if (format != hw::DataFormat::Float32 && format != hw::DataFormat::Float16_b)
    walker.diagnostics.fail(
        arguments.node,
        fmt::format(
            "{}() can only be used with blocks of {}, found {}", arguments.function(), formats,
            text(py::str(walker.kernel.buffers[block.info->buffer].object.attr("dtype"_py)))));
}

static mlir::Value readElement(Walker &walker, Arguments &arguments, const Block &block) {
  llvm::SmallVector<mlir::Value> coords = coordinates(walker, arguments, block);
  return ttl::ElementReadOp::create(walker.builder, walker.location(arguments.node),
                                    walker.builder.getF32Type(), block.info->block, coords);
}

static Value elementRead(Walker &walker, Arguments &arguments) {
  const Block &block = elementBlock(walker, arguments);
  checkFormat(walker, arguments, block);
  return Scalar{readElement(walker, arguments, block)};
}

static Value elementWrite(Walker &walker, Arguments &arguments) {
  const Block &block = elementBlock(walker, arguments);
  checkFormat(walker, arguments, block);
  const Arguments::Item *item = arguments.takeKeyword("value");
  size_t rank =
      ttl::getElementExtents(llvm::cast<ttl::BlockType>(block.info->block.getType())).size();
  if (!item && arguments.items.size() == rank + 2) // as in element_write(blk, r, c, value)
    item = arguments.take(rank + 1, "value");
  if (!item)
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("the call of {}() lacks the argument value=", arguments.function()));
  mlir::Value value = walker.scalars.asF32(item->node, item->value);
  llvm::SmallVector<mlir::Value> coords = coordinates(walker, arguments, block);
  walker.kernel.noteWritten(block.info->buffer);
  ttl::ElementWriteOp::create(walker.builder, walker.location(arguments.node), value,
                              block.info->block, coords);
  return none();
}

// Reads an element of a block of integers as an index.
static Value readInteger(Walker &walker, Arguments &arguments, const Block &block) {
  mlir::OpBuilder &builder = walker.builder;
  mlir::Location loc = walker.location(arguments.node);
  mlir::Value number = mlir::arith::BitcastOp::create(builder, loc, builder.getI32Type(),
                                                      readElement(walker, arguments, block));
  mlir::Value holds =
      mlir::arith::CmpIOp::create(builder, loc, mlir::arith::CmpIPredicate::sge, number,
                                  walker.constant(arguments.node, int32_t(0)));
  ttl::AssertOp::create(builder, loc, holds,
                        "read_index: the element must be a number from 0 to 2147483647");
  return Scalar{number};
}

// Builds ttl.read_index(): reads an element as an index. The kernel faults if the element is not a
// number, is negative, or is above 2^31 - 1.
static Value readIndex(Walker &walker, Arguments &arguments) {
  const Block &block = elementBlock(walker, arguments);
  auto type = llvm::cast<ttl::BlockType>(block.info->block.getType());
  if (hw::isIntegerFormat(type.getCircularBuffer().getFormat()))
    return readInteger(walker, arguments, block);
  checkFormat(walker, arguments, block, "float32, bfloat16 or integers");
  mlir::Value value = readElement(walker, arguments, block);
  mlir::Location loc = walker.location(arguments.node);
  mlir::OpBuilder &builder = walker.builder;
  auto compare = [&](mlir::arith::CmpFPredicate predicate, float bound) -> mlir::Value {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, value,
                                       walker.constant(arguments.node, bound));
  };
  mlir::Value above = compare(mlir::arith::CmpFPredicate::OGE, 0.0f);
  mlir::Value below = compare(mlir::arith::CmpFPredicate::OLT, 2147483648.0f);
  mlir::Value holds = mlir::arith::AndIOp::create(builder, loc, above, below);
  ttl::AssertOp::create(
      builder, loc, holds,
      builder.getStringAttr(
          "read_index: the element must be a number from 0 to 2147483647, found {}"),
      value);
  return Scalar{walker.scalars.truncate(arguments.node, value)};
}

void addElementHandlers(HandlerTable &table) {
  table["raw_element_read"] = elementRead;
  table["raw_element_write"] = elementWrite;
  table["read_index"] = readIndex;
}

//===--------------------------------------------------------------------------===//
// Functions of the host
//===--------------------------------------------------------------------------===//

bool isHostFunction(py::handle object) {
  return py::isinstance(object, pythonModule<"ttl._host">().attr("HostFunction"_py));
}

static mlir::Value hostArgument(Walker &walker, const Arguments::Item &item) {
  if (!item.keyword.empty())
    walker.diagnostics.fail(
        item.node,
        "a host function can only be called with positional arguments: leave the keyword out");
  if (const Block *block = item.value.getIf<Block>()) {
    auto type = llvm::cast<ttl::BlockType>(block->info->block.getType());
    hw::DataFormat format = type.getCircularBuffer().getFormat();
    if (format != hw::DataFormat::Float32 && format != hw::DataFormat::Float16_b)
      walker.diagnostics.fail(item.node,
                              fmt::format("a block given to a host function must be of float32 or "
                                          "bfloat16, found a block of {}",
                                          ttl::getDtypeName(format).str()));
    if (block->info->reserved)
      walker.blocks.noteWritten(item.node, *block); // the function may fill it
    return block->info->block;
  }
  mlir::Type type = walker.scalars.typeOf(item.value);
  if (!type)
    walker.diagnostics.fail(item.node,
                            "the arguments of a host function must be numbers or blocks, found " +
                                describe(item.value));
  return walker.scalars.materialize(item.node, item.value, type);
}

// Returns the type of the result that the program declares. Without a declaration, it is float
// unless all numbers passed are ints.
static mlir::Type resultType(Walker &walker, const py::object &function,
                             llvm::ArrayRef<mlir::Value> operands) {
  auto kind = text(function.attr("result"_py));
  mlir::OpBuilder &builder = walker.builder;
  if (kind == "none")
    return {};
  if (kind != "any")
    return kind == "float" ? mlir::Type(builder.getF32Type())
           : kind == "int" ? mlir::Type(builder.getI32Type())
                           : mlir::Type(builder.getI1Type());
  bool hasInts = llvm::any_of(operands, [](mlir::Value v) { return v.getType().isInteger(); });
  bool hasFloats = llvm::any_of(operands, [](mlir::Value v) { return v.getType().isF32(); });
  return hasInts && !hasFloats ? mlir::Type(builder.getI32Type())
                               : mlir::Type(builder.getF32Type());
}

// Returns the function's unique name in this kernel; two functions may have the same name in
// Python.
static std::string hostName(Walker &walker, const py::object &function) {
  auto &known = walker.kernel.hostFunctions;
  std::string name = text(function.attr("name"_py)), unique = name;
  for (unsigned number = 2; known.contains(unique); ++number) {
    auto *python = static_cast<PythonFunction *>(known[unique].get());
    if (python->isOf(function))
      return unique;
    unique = fmt::format("{}_{}", name, number);
  }
  known[unique] = std::make_shared<PythonFunction>(function);
  return unique;
}

Value callHostFunction(Walker &walker, const py::object &function, Arguments &arguments) {
  llvm::SmallVector<mlir::Value> operands;
  for (Arguments::Item &item : arguments.items)
    operands.push_back(hostArgument(walker, item));
  mlir::OpBuilder &builder = walker.builder;
  auto optional = [&](const char *name) {
    py::object value = function.attr(name);
    return value.is_none() ? mlir::StringAttr() : builder.getStringAttr(text(value));
  };
  mlir::StringAttr library = optional("library");
  std::string name = library ? text(function.attr("name"_py)) : hostName(walker, function);
  mlir::Type type = resultType(walker, function, operands);
  auto call = ttl::CallHostOp::create(
      builder, walker.location(arguments.node), type ? mlir::TypeRange(type) : mlir::TypeRange(),
      builder.getStringAttr(name), library, operands, optional("device_function"));
  return type ? Value(Scalar{call.getResult()}) : none();
}

} // namespace ttjit::frontend
