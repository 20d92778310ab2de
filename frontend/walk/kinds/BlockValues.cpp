//===- BlockValues.cpp - attributes and methods of blocks ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/blocks/Stores.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/functions/KernelSelectors.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"
#include "ir/TTL/TTL.h"

#include "llvm/ADT/StringMap.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

static std::string describeShape(std::string_view what, mlir::Type type) {
  return fmt::format("{} of shape {}", what, shapeText(ttl::getBlockShape(type)));
}

// Returns " of int32" or the like for a block of integers, for messages; empty for one of floats.
static std::string_view describeIntegers(mlir::Type type) {
  switch (ttl::getComputedType(type)) {
  case ttcore::DataType::Int32:
    return " of int32";
  case ttcore::DataType::UInt32:
    return " of uint32";
  default:
    return "";
  }
}

std::string Block::describe() const { return describeShape("a block", info->type); }
std::string BlockExpr::describe() const {
  mlir::Type type = value.getType();
  return describeShape("a block expression", type).append(describeIntegers(type));
}

//===--------------------------------------------------------------------------===//
// How loops and branches carry blocks: a counted block as its number
//===--------------------------------------------------------------------------===//

mlir::Type Block::carriedType(const Walker &) const {
  return info->ticket ? mlir::Type() : info->type;
}
std::vector<Value> Block::parts() const {
  return info->ticket ? std::vector<Value>{*info->ticket} : std::vector<Value>();
}
Value Block::withParts(std::vector<Value> parts) const {
  auto other = std::make_shared<BlockInfo>(*info);
  other->block = {};
  other->isCarried = true;
  other->ticket = parts.front();
  return Block{other};
}
bool Block::isLike(const ValueKind &other) const {
  auto *block = dynamic_cast<const Block *>(&other);
  return block && info->ticket && block->info->ticket && block->info->buffer == info->buffer &&
         block->info->reserved == info->reserved;
}

mlir::Type BlockExpr::carriedType(const Walker &) const { return value.getType(); }

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

// Says what to write in place of an attribute that blocks of buffers have, or arrays of other
// libraries; empty for other names.
static std::string adviceFor(const Value &self, const std::string &name) {
  static const llvm::StringMap<const char *> ofArrays = {
      {"T", "write transpose()"},
      {"astype", "write ttl.typecast(x, dtype)"},
      {"to", "write ttl.typecast(x, dtype)"},
      {"sum", "write ttl.math.reduce_sum(x, dims=[...])"},
      {"mean", "write ttl.math.reduce_mean(x, dims=[...])"},
      {"reshape", "a block keeps its shape; ttl.math.squeeze() and unsqueeze() remove and add "
                  "dimensions of extent 1"},
      {"view", "a block keeps its shape; ttl.math.squeeze() and unsqueeze() remove and add "
               "dimensions of extent 1"},
  };
  if (self.is<BlockExpr>() && (name == "push" || name == "pop" || name == "store"))
    return "only a block that reserve() or wait() returned has it; write an expression into such "
           "a block with store()";
  if (name == "wait" || name == "reserve")
    return "a buffer has it, and gives blocks; wait() of what ttl.copy() returns completes a copy";
  auto it = ofArrays.find(name);
  return it != ofArrays.end() ? it->second : "";
}

[[noreturn]] static void failNoAttribute(Walker &walker, py::handle node, const Value &self,
                                         const std::string &name) {
  if (std::string advice = adviceFor(self, name); !advice.empty())
    walker.diagnostics.fail(
        node, fmt::format("{} has no attribute or method '{}': {}", describe(self), name, advice));
  py::set known;
  for (const auto &entry : apiHandlers())
    known.add(entry.first().str());
  known.add("shape");
  if (self.is<Block>())
    for (const char *own : {"dtype", "store", "push", "pop"})
      known.add(own);
  py::object similar = pythonModule<"ttl._source">().attr("similar"_py)(name, known);
  walker.diagnostics.fail(
      node,
      fmt::format("{} has no attribute or method '{}'{}", describe(self), name,
                  similar.is_none() ? std::string("; it has shape and the functions of ttl.math")
                                    : fmt::format("; did you mean '{}'?", text(similar))));
}

// Evaluates an attribute that both blocks and block expressions have.
static Value commonAttribute(Walker &walker, py::handle node, const Value &self,
                             const std::string &name) {
  if (name == "shape")
    return Static{
        py::tuple(py::cast(std::vector<int64_t>(ttl::getBlockShape(self->irValue().getType()))))};
  if (!apiHandlers().count(name))
    failNoAttribute(walker, node, self, name);
  return Method{self, name};
}

Value Block::attribute(Walker &walker, py::handle node, const Value &self,
                       const std::string &name) const {
  if (name == "dtype")
    return Static{walker.kernel.buffers[info->buffer].object.attr("dtype"_py)};
  if (name == "push" || name == "pop" || name == "store")
    return Method{self, name};
  return commonAttribute(walker, node, self, name);
}

Value BlockExpr::attribute(Walker &walker, py::handle node, const Value &self,
                           const std::string &name) const {
  return commonAttribute(walker, node, self, name);
}

//===--------------------------------------------------------------------------===//
// Methods
//===--------------------------------------------------------------------------===//

// Calls a function of the API as a method: `x.exp()` is `ttl.exp(x)`.
static Value callFunction(Walker &walker, const Value &self, const std::string &name,
                          Arguments &arguments) {
  arguments.items.insert(arguments.items.begin(), {"", self, arguments.node});
  return apiHandlers().find(name)->second(walker, arguments);
}

static Value releaseBlock(Walker &walker, const Block &block, const std::string &name,
                          Arguments &arguments) {
  const Arguments::Item *kernel = arguments.takeKeyword("kernel");
  arguments.checkNoMore();
  if (block.info->reserved != (name == "push"))
    walker.diagnostics.fail(
        arguments.node,
        block.info->reserved
            ? "pop() cannot release a block that reserve() acquired: publish it with push()"
            : "push() cannot release a block that wait() acquired: free it with pop()",
        {{"the block was acquired", block.info->acquired}});
  walker.blocks.release(arguments.node, block);
  if (kernel)
    selectThread(walker, *kernel);
  return noneOf(name);
}

static Value storeBlock(Walker &walker, const Block &block, Arguments &arguments) {
  const Value &value = arguments.require(0, "expr").value;
  const Arguments::Item *acc = arguments.takeKeyword("acc");
  if (acc && !acc->value.is<Static>())
    walker.diagnostics.fail(acc->node, "acc= must be True or False, known at compile time; found " +
                                           describe(acc->value));
  arguments.checkNoMore();
  bool accumulate = acc && py::bool_(acc->value.getIf<Static>()->object);
  Value named = walker.held.named(arguments.node, block, /*isUsed=*/true);
  if (accumulate)
    addToBlock(walker, arguments.node, *named.getIf<Block>(), value);
  else
    storeToBlock(walker, arguments.node, *named.getIf<Block>(), value, /*accumulate=*/false);
  return noneOf("store");
}

Value Block::callMethod(Walker &walker, const Value &self, const std::string &name,
                        Arguments &arguments) const {
  if (name == "push" || name == "pop")
    return releaseBlock(walker, *this, name, arguments);
  if (name == "store")
    return storeBlock(walker, *this, arguments);
  return callFunction(walker, walker.held.named(arguments.node, self, /*isUsed=*/true), name,
                      arguments);
}

Value BlockExpr::callMethod(Walker &walker, const Value &self, const std::string &name,
                            Arguments &arguments) const {
  return callFunction(walker, self, name, arguments);
}

} // namespace ttjit::frontend
