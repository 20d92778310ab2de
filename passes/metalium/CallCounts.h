//===- CallCounts.h - how many calls an emitted kernel makes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel costs on the card, as far as its text tells: calls of each kind, and the bytes of
// the transfers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_CALLCOUNTS_H
#define TTJIT_PASSES_METALIUM_CALLCOUNTS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <utility>

namespace ttjit {

struct CallCounts {
  int64_t inits = 0;            ///< of an operation, or of the whole hardware; uninits, too
  int64_t reconfigurations = 0; ///< of formats, and switches of accumulation in L1
  int64_t sections = 0;         ///< of DST
  int64_t tileOperations = 0;
  int64_t copies = 0; ///< of tiles to DST and within DST
  int64_t packs = 0;
  int64_t transfers = 0; ///< over the NoC
  int64_t bytes = 0;     ///< of transfers whose size is a constant
  int64_t barriers = 0;  ///< flushes, too
  int64_t semaphores = 0;

  inline CallCounts &operator+=(const CallCounts &other);
};

/// The counts with their names, in the order in which they are printed.
inline constexpr std::pair<const char *, int64_t CallCounts::*> kCallKinds[] = {
    {"inits", &CallCounts::inits},         {"reconfigurations", &CallCounts::reconfigurations},
    {"sections", &CallCounts::sections},   {"tile_operations", &CallCounts::tileOperations},
    {"copies", &CallCounts::copies},       {"packs", &CallCounts::packs},
    {"transfers", &CallCounts::transfers}, {"bytes", &CallCounts::bytes},
    {"barriers", &CallCounts::barriers},   {"semaphores", &CallCounts::semaphores},
};

CallCounts &CallCounts::operator+=(const CallCounts &other) {
  for (auto [name, count] : kCallKinds)
    this->*count += other.*count;
  return *this;
}

struct KernelCounts {
  int64_t lines = 0;   ///< of C++ that are neither comments nor includes
  CallCounts written;  ///< each call in the text once
  CallCounts executed; ///< calls in a loop of known length as often as the loop runs

  KernelCounts &operator+=(const KernelCounts &other) {
    lines += other.lines;
    written += other.written;
    executed += other.executed;
    return *this;
  }
};

/// Returns the counts of a kernel, as in program.json.
inline llvm::json::Object describeCounts(const KernelCounts &counts) {
  llvm::json::Object written, executed;
  for (auto [name, count] : kCallKinds) {
    written[name] = counts.written.*count;
    executed[name] = counts.executed.*count;
  }
  return llvm::json::Object{
      {"lines", counts.lines}, {"written", std::move(written)}, {"executed", std::move(executed)}};
}

/// Counts the calls of a thread that was converted to EmitC. Sets all but the lines.
KernelCounts countCalls(mlir::emitc::FuncOp function);

/// Counts the lines of a file.
int64_t countCodeLines(llvm::StringRef text);

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_CALLCOUNTS_H
