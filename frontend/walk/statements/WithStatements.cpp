//===- WithStatements.cpp - with statements -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/control/PathJoin.h"
#include "frontend/walk/functions/Printing.h"
#include "frontend/walk/statements/Statements.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

void Statements::withNode(py::handle node) {
  std::vector<std::pair<py::handle, Block>> acquired;
  std::vector<std::pair<py::handle, std::string>> signposts;
  for (py::handle item : listOf(node, "items"_py)) {
    py::object context = item.attr("context_expr"_py), target = item.attr("optional_vars"_py);
    if (std::optional<std::string> name = signpostName(walker, context)) {
      if (!target.is_none())
        walker.diagnostics.fail(target, "a signpost has no value: leave 'as' out");
      signpost(walker, context, *name, 1);
      signposts.emplace_back(item, *name);
      continue;
    }
    Value value = walker.evaluate(context);
    if (const Block *block = value.getIf<Block>())
      acquired.emplace_back(item, *block);
    else
      walker.diagnostics.fail(context, "the expression after 'with' must be dfb.wait(), "
                                       "dfb.reserve() or ttl.signpost(), found " +
                                           describe(value) +
                                           (value.is<Method>()   ? ": call it, with '()'"
                                            : value.is<Static>() ? "; enter other contexts around "
                                                                   "the call of the operation"
                                                                 : ""));
    if (!target.is_none())
      assign(target, value);
  }
  auto counts = [&] {
    return llvm::map_to_vector(
        acquired, [&](auto &entry) { return walker.counted.releasesOf(entry.second); });
  };
  auto before = counts();
  run(listOf(node, "body"_py));
  auto after = counts();
  for (auto [i, entry] : llvm::enumerate(acquired))
    leaveWith(entry.first.attr("context_expr"_py), entry.second, before[i] != after[i]);
  for (auto &[item, name] : llvm::reverse(signposts))
    signpost(walker, item.attr("context_expr"_py), name, 2);
}

// Releases a block that is counted, unless the thread released it before.
static void releaseIfHeld(Walker &walker, py::handle node, const Block &block) {
  Branch branch = walker.controlFlow.open(node, walker.counted.isHeld(node, block));
  walker.counted.release(node, block);
  walker.controlFlow.close(branch);
}

// Releases the block at the end of its with statement, if the program did not release it before.
void Statements::leaveWith(py::handle node, const Block &block, bool isUnsure) {
  if (block.info->ticket)
    return isUnsure ? releaseIfHeld(walker, node, block) : walker.counted.release(node, block);
  if (!walker.state.isHeld(*block.info))
    return;
  walker.blocks.release(node, block);
  std::prev(walker.builder.getInsertionPoint())
      ->setAttr(ttl::kEndsWithAttr, walker.builder.getUnitAttr());
}

} // namespace ttjit::frontend
