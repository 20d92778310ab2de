//===- NodeTables.cpp - tables with one number for each node ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/NodeTables.h"

#include "frontend/walk/context/Kernel.h"
#include "ir/TTL/DiscardableAttrs.h"

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static ttl::CreateNodeTableOp createTable(Kernel &kernel, const std::string &name,
                                          const std::vector<int32_t> &numbers) {
  OpBuilder builder(kernel.builder.getContext());
  mlir::Block &body = kernel.op.getBody().front();
  builder.setInsertionPoint(&body,
                            llvm::find_if(body, [](Operation &op) { return ttl::isThread(&op); }));
  auto type =
      RankedTensorType::get({static_cast<int64_t>(numbers.size()), 1}, builder.getI32Type());
  Location loc = NameLoc::get(builder.getStringAttr(name), kernel.op.getLoc());
  return ttl::CreateNodeTableOp::create(builder, loc, ttl::NodeTableType::get(builder.getContext()),
                                        name, DenseIntElementsAttr::get(type, ArrayRef(numbers)));
}

ttl::CreateNodeTableOp createNodeTable(Kernel &kernel, const std::string &name,
                                       const std::vector<int32_t> &ofDevice) {
  std::vector<int32_t> numbers = ofDevice;
  while (std::ssize(numbers) < kernel.devices * kernel.nodesOfDevice())
    numbers.insert(numbers.end(), ofDevice.begin(), ofDevice.end());
  return createTable(kernel, name, numbers);
}

ttl::CreateNodeTableOp createCommonNumber(Kernel &kernel, const std::string &name, int32_t bits,
                                          Type type) {
  ttl::CreateNodeTableOp table = createTable(kernel, name, {bits});
  table->setAttr(ttl::kCommonNumberAttr, TypeAttr::get(type));
  return table;
}

mlir::Value nodeTable(Kernel &kernel, const std::string &name,
                      const std::vector<int32_t> &numbers) {
  mlir::Value &known = kernel.nodeTables[numbers];
  if (!known)
    known = createNodeTable(kernel, name, numbers);
  return known;
}

} // namespace ttjit::frontend
