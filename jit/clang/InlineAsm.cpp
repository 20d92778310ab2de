//===- InlineAsm.cpp - assembly in kernels in C++ -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/clang/InlineAsm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

#include <algorithm>

using namespace llvm;

// Returns the instructions of the text: lines, or parts of lines between semicolons.
static SmallVector<StringRef> instructionsOf(StringRef text) {
  SmallVector<StringRef> parts, instructions;
  SplitString(text, parts, ";\n");
  for (StringRef part : parts)
    if (!part.trim().empty())
      instructions.push_back(part.trim());
  return instructions;
}

static void report(raw_ostream &errors, const DebugLoc &loc, StringRef text) {
  if (const DILocation *place = loc.get()) {
    while (const DILocation *caller = place->getInlinedAt())
      place = caller;
    errors << place->getFilename() << ":" << place->getLine() << ":" << place->getColumn();
  } else {
    errors << "<unknown>:1:1";
  }
  std::string shown = text.str(); // LLVM's operands are $0, those of C++ are %0
  std::replace(shown.begin(), shown.end(), '$', '%');
  errors << ": error: the host cannot execute the assembly '" << shown
         << "', which is the card's; only 'nop' and statements without text can stay\n";
}

bool ttjit::jit::removeAsm(Module &module, raw_ostream &errors) {
  bool isFree = true;
  if (SmallVector<StringRef> all = instructionsOf(module.getModuleInlineAsm()); !all.empty()) {
    report(errors, {}, all.front());
    isFree = false;
  }
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!code)
        continue;
      SmallVector<StringRef> all = instructionsOf(code->getAsmString());
      if (all.empty())
        continue;
      if (all_of(all, [](StringRef each) { return each == "nop"; }) && call->use_empty()) {
        call->eraseFromParent();
        continue;
      }
      report(errors, call->getDebugLoc(), all.front());
      isFree = false;
    }
  return isFree;
}
