//===- ApiTable.cpp - checks calls against Metalium's API ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ApiTable.h"

#include "passes/metalium/EmittedFunctions.h"

#include "hw/facts/TileOps.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;
using hw::MetaliumFunction;

namespace {
// A call without its values.
struct CallShape {
  StringRef callee;
  bool isCompute;
  int numTemplateArgs, numArgs;
};
} // namespace

//===--------------------------------------------------------------------------===//
// Rows of TileOps.def
//===--------------------------------------------------------------------------===//

static int numArgsOf(const hw::TileOpFacts &row) {
  switch (row.kind) {
  case hw::TileOpKind::UnaryInt:
  case hw::TileOpKind::Mask:
    return 2;
  default:
    return row.isInPlace() ? 1 + row.params : row.operands + 1;
  }
}

static bool isTileRow(const CallShape &call) {
  return llvm::any_of(hw::kTileOps, [&](const hw::TileOpFacts &row) {
    return (call.callee == row.init && call.numArgs == 0) ||
           (call.callee == row.call && call.numArgs == numArgsOf(row));
  });
}

//===--------------------------------------------------------------------------===//
// The whole table
//===--------------------------------------------------------------------------===//

static bool isNamed(const MetaliumFunction &row, StringRef name) {
  return name == StringRef(row.name.data(), row.name.size());
}

static bool isRow(const MetaliumFunction &row, const CallShape &call,
                  const hw::MetaliumVersion &version) {
  return isNamed(row, call.callee) && row.isIn(version.generation) &&
         (row.processor == MetaliumFunction::Processor::Compute) == call.isCompute &&
         hw::countParameters(row.templateParameters).allows(call.numTemplateArgs) &&
         hw::countParameters(row.parameters).allows(call.numArgs);
}

// Returns whether a call makes a TensorAccessor or its arguments, which are classes and so no rows
// of the table.
static bool isAccessor(const CallShape &call) {
  if (call.isCompute)
    return false;
  if (call.callee == "TensorAccessorArgs")
    return call.numTemplateArgs == 1 || call.numTemplateArgs == 2;
  return call.callee == "TensorAccessor" && call.numArgs == 3;
}

bool tometalium::isApiFunction(StringRef name) {
  return llvm::any_of(hw::kMetaliumFunctions,
                      [&](const MetaliumFunction &row) { return isNamed(row, name); }) ||
         llvm::any_of(hw::kTileOps, [&](const hw::TileOpFacts &row) {
           return name == row.call || name == row.init;
         });
}

static bool isDeclared(const CallShape &call, const hw::MetaliumVersion &version) {
  auto named = [&](const MetaliumFunction &row) { return isNamed(row, call.callee); };
  if (llvm::any_of(hw::kMetaliumFunctions, named))
    return llvm::any_of(hw::kMetaliumFunctions,
                        [&](const MetaliumFunction &row) { return isRow(row, call, version); });
  return isAccessor(call) || (call.isCompute && call.numTemplateArgs == 0 && isTileRow(call));
}

LogicalResult tometalium::checkCalls(emitc::FuncOp function, bool isCompute,
                                     const hw::MetaliumVersion &version) {
  WalkResult result = function.walk([&](emitc::CallOpaqueOp op) {
    if (op->hasAttr(kUserFunctionAttr) || !emittedFunction(op.getCallee()).empty())
      return WalkResult::advance();
    ArrayAttr templates = op.getTemplateArgsAttr();
    CallShape call{op.getCallee(), isCompute, templates ? static_cast<int>(templates.size()) : 0,
                   static_cast<int>(op.getNumOperands())};
    if (isDeclared(call, version))
      return WalkResult::advance();
    op.emitError("internal error: Metalium's API of generation '")
        << hw::kMetaliumGenerations[static_cast<int>(version.generation)] << "' has no '"
        << call.callee << "' with " << call.numTemplateArgs << " template arguments and "
        << call.numArgs << " arguments";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===--------------------------------------------------------------------------===//
// Headers
//===--------------------------------------------------------------------------===//

static std::string computeHeader(StringRef callee, const hw::MetaliumVersion &version) {
  for (const MetaliumFunction &row : hw::kMetaliumFunctions)
    if (isNamed(row, callee) && row.isIn(version.generation) &&
        row.processor == MetaliumFunction::Processor::Compute)
      return version.computeHeader(row.header);
  for (const hw::TileOpFacts &row : hw::kTileOps)
    if (callee == row.call || callee == row.init)
      return version.computeHeader(row.header);
  return {};
}

std::set<std::string> tometalium::headersFor(const std::set<std::string> &callees, bool isCompute,
                                             const hw::MetaliumVersion &version) {
  if (!isCompute) {
    std::set<std::string> headers{version.dataMovementHeader()};
    if (callees.count("TensorAccessor"))
      headers.insert(version.accessorHeader());
    if (callees.count("ttl_fabric"))
      for (StringRef header : {"edm_fabric/routing_plane_connection_manager.hpp",
                               "packet_header_pool.h", "tt_fabric_api.h"})
        headers.insert(("tt_metal/fabric/hw/inc/" + header).str());
    return headers;
  }
  std::set<std::string> headers{version.computeHeader("common.h")};
  for (const std::string &callee : callees)
    if (std::string header = computeHeader(callee, version); !header.empty())
      headers.insert(header);
  return headers;
}
