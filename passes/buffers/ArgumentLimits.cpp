//===- ArgumentLimits.cpp - checks the number of run-time arguments -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/ArgumentLimits.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Words of run-time arguments that a kernel may have on one core, common arguments
// included: max_runtime_args of tt-metal's kernel_types.hpp.
static constexpr int64_t kMaxWords = 341;

static int64_t wordsOf(Value resource) {
  if (auto table = resource.getDefiningOp<ttl::CreateNodeTableOp>())
    return table.getRowLength();
  return isa<RankedTensorType>(resource.getType());
}

static void noteTables(InFlightDiagnostic &diagnostic, ttl::ThreadOp thread) {
  for (Value resource : thread.getResources())
    if (auto table = resource.getDefiningOp<ttl::CreateNodeTableOp>())
      diagnostic.attachNote(table.getLoc())
          << "the table '" << table.getName() << "' takes " << table.getRowLength() << " words";
}

LogicalResult ttjit::checkArgumentLimits(ttl::ProgramOp program, bool strict) {
  bool fits = true;
  for (auto thread : program.getBody().getOps<ttl::ThreadOp>()) {
    int64_t words = 0;
    for (Value resource : thread.getResources())
      words += wordsOf(resource);
    if (words <= kMaxWords)
      continue;
    fits = false;
    InFlightDiagnostic diagnostic =
        strict ? thread.emitError() : emitWarning(WarningKind::Limit, thread);
    diagnostic << "'" << thread.getCallee() << "' needs " << words
               << " words of run-time arguments on each core, but a kernel can have " << kMaxWords
               << ": let fewer pipes begin or end at one node, or use some of them in the other "
                  "data movement thread, through a separate net"
               << (strict ? "" : " (the kernel runs, because the emulated core has more)");
    noteTables(diagnostic, thread);
  }
  return success(fits || !strict);
}
