//===- KernelSelectors.cpp - threads that a unified body names ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/KernelSelectors.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

using namespace mlir::tt;

namespace ttjit::frontend {

std::vector<std::string> selectedThreads(Walker &walker, const Arguments::Item &selector,
                                         unsigned most) {
  const Static *object = selector.value.getIf<Static>();
  if (!object)
    walker.diagnostics.failNeedsStatic(
        selector.node, "kernel= must be known at compile time, found " + describe(selector.value));
  py::object limit = most ? py::object(py::int_(most)) : py::none();
  try {
    return pythonModule<"ttl._selectors">()
        .attr("threads_of"_py)(walker.kernel.call, object->object, limit)
        .cast<std::vector<std::string>>();
  } catch (py::error_already_set &error) {
    if (py::isinstance(error.value(), pythonModule<"ttl._errors">().attr("Located"_py)))
      walker.diagnostics.fail(selector.node, text(error.value().attr("message"_py)));
    walker.staticEval.report(selector.node, error);
  }
}

void selectThread(Walker &walker, const Arguments::Item &selector) {
  std::vector<std::string> threads = selectedThreads(walker, selector, /*most=*/1);
  mlir::OpBuilder &builder = walker.builder;
  if (walker.kind != ThreadKind::Unified ||
      builder.getInsertionPoint() == builder.getInsertionBlock()->begin())
    return;
  mlir::Operation *release = &*std::prev(builder.getInsertionPoint());
  if (llvm::isa<ttl::CBPushOp, ttl::CBPopOp>(release))
    release->setAttr(ttl::kSelectorAttr, builder.getStringAttr(threads.front()));
}

} // namespace ttjit::frontend
