//===- NumbersText.h - a format string and the slots of its numbers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_NUMBERSTEXT_H
#define TTJIT_INTERP_OPS_NUMBERSTEXT_H

#include "interp/FunctionCompiler.h"

#include "ir/TTL/TTL.h"

namespace ttjit::interp {

/// The text and the numbers that a print or an assertion shows.
struct NumbersText : Detail {
  NumbersText(llvm::StringRef text, mlir::ValueRange numbers, FunctionCompiler &compiler)
      : format(text.str()) {
    for (mlir::Value number : numbers) {
      kinds += mlir::tt::ttl::getNumberKind(number.getType());
      slots.push_back(compiler.slotOf(number));
    }
  }

  llvm::SmallVector<uint32_t> wordsOf(const Frame &frame) const {
    llvm::SmallVector<uint32_t> words;
    for (SlotNumber slot : slots)
      words.push_back(frame.get<uint32_t>(slot));
    return words;
  }

  std::string format, kinds;
  llvm::SmallVector<SlotNumber> slots;
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_NUMBERSTEXT_H
