//===- CallCounts.cpp - how many calls an emitted kernel makes ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A call's kind follows from the function's name, in all generations of the API. Both branches of
// an `if` count. A loop whose bounds are no constants counts as one iteration.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/CallCounts.h"

#include "passes/metalium/InlineExpressions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

static std::optional<int64_t> constantOf(Value value) {
  if (auto cast = value.getDefiningOp<emitc::CastOp>())
    return constantOf(cast.getSource());
  int64_t number;
  auto literal = value.getDefiningOp<emitc::LiteralOp>();
  if (literal && !literal.getValue().getAsInteger(10, number))
    return number;
  return numberOf(value);
}

//===--------------------------------------------------------------------------===//
// One call
//===--------------------------------------------------------------------------===//

static int64_t CallCounts::*kindOnTheNoc(StringRef callee) {
  if (callee.starts_with("noc_semaphore"))
    return &CallCounts::semaphores;
  if (callee.contains("barrier") || callee.contains("flushed"))
    return &CallCounts::barriers;
  return callee.ends_with("set_trid") ? nullptr : &CallCounts::transfers;
}

// Returns null for a function that is none of the counted ones.
static int64_t CallCounts::*kindOf(StringRef callee) {
  if (callee.starts_with("noc_") || callee.starts_with("ttl_read_") ||
      callee.starts_with("ttl_write_"))
    return kindOnTheNoc(callee);
  if (callee.contains("reconfig"))
    return &CallCounts::reconfigurations;
  if (callee.contains("init") || callee == "compute_kernel_hw_startup")
    return &CallCounts::inits;
  if (callee == "tile_regs_acquire")
    return &CallCounts::sections;
  if (callee == "copy_tile" || callee == "copy_dest_values")
    return &CallCounts::copies;
  if (callee.starts_with("pack_tile") || callee == "pack_block")
    return &CallCounts::packs;
  if (callee.starts_with("tile_regs"))
    return nullptr;
  bool computes = callee.contains("_tile") || callee.ends_with("_dest") ||
                  callee == "unary_bcast" || callee == "matmul_block" || callee == "sfpu_reduce";
  return computes ? &CallCounts::tileOperations : nullptr;
}

// Returns the bytes of a transfer, if they are known. Pages have the size that their accessor
// names.
static std::optional<int64_t> bytesOf(emitc::CallOpaqueOp call) {
  StringRef callee = call.getCallee();
  auto constantAt = [](Operation *op, unsigned operand) {
    bool has = op && op->getNumOperands() > operand;
    return has ? constantOf(op->getOperand(operand)) : std::nullopt;
  };
  if (callee.ends_with("_page") || callee.ends_with("_tile"))
    return constantAt(call.getOperand(1).getDefiningOp(), 2);
  if (callee.ends_with("_row_part"))
    return constantAt(call, 4);
  if (!callee.ends_with("_pages"))
    return constantAt(call, 2);
  std::optional<int64_t> count = constantAt(call, 3),
                         size = constantAt(call, call.getNumOperands() - 1);
  return count && size ? std::optional(*count * *size) : std::nullopt;
}

static CallCounts countsOf(emitc::CallOpaqueOp call) {
  CallCounts counts;
  int64_t CallCounts::*kind = kindOf(call.getCallee());
  if (!kind)
    return counts;
  counts.*kind = 1;
  if (kind == &CallCounts::transfers)
    counts.bytes = bytesOf(call).value_or(0);
  return counts;
}

//===--------------------------------------------------------------------------===//
// A thread
//===--------------------------------------------------------------------------===//

static int64_t iterationsOf(emitc::ForOp loop) {
  std::optional<int64_t> first = constantOf(loop.getLowerBound()),
                         end = constantOf(loop.getUpperBound()), step = constantOf(loop.getStep());
  if (!first || !end || !step || *step < 1)
    return 1;
  return *first < *end ? llvm::divideCeil(*end - *first, *step) : 0;
}

static void count(Block &block, int64_t times, KernelCounts &counts) {
  for (Operation &op : block) {
    if (auto call = dyn_cast<emitc::CallOpaqueOp>(op)) {
      CallCounts one = countsOf(call);
      counts.written += one;
      for (auto [name, kind] : kCallKinds)
        counts.executed.*kind += times * (one.*kind);
    }
    auto loop = dyn_cast<emitc::ForOp>(op);
    int64_t inside = loop ? times * iterationsOf(loop) : times;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        count(inner, inside, counts);
  }
}

KernelCounts ttjit::countCalls(emitc::FuncOp function) {
  KernelCounts counts;
  for (Block &block : function.getBody())
    count(block, 1, counts);
  return counts;
}

int64_t ttjit::countCodeLines(StringRef text) {
  return llvm::count_if(llvm::split(text, '\n'), [](StringRef line) {
    line = line.trim();
    return !line.empty() && !line.starts_with("//") && !line.starts_with("#");
  });
}
