//===- BindThread.h - C++ of a kernel to a function of a thread -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Clang compiles a kernel for the card to a function kernel_main() without arguments. These steps
// change it into a function whose argument is the KernelThread that runs it:
//   1. All other functions are inlined.
//   2. ttl_current_thread() becomes the argument. Inits of the vector unit get their names.
//   3. An access through a pointer that was made from an integer goes to this core's L1, and
//      ttl_hw_l1_pointer checks its bounds (hw/abi/L1Pointer.h).
//   4. Every loop back-edge counts a step, and may switch to another thread.
//   5. Integer operations without a result, which Clang's sanitizer reports, become faults.
//   6. Before each call of the device's API, the thread stores the call's source position.
//   7. For debuggers, the kernel's variables are kept on the stack.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_BINDTHREAD_H
#define TTJIT_JIT_BINDTHREAD_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace ttjit::jit {

/// Returns the number of a source line in the program's table of positions.
using LineNumbers = std::function<uint32_t(llvm::StringRef file, unsigned line)>;

/// Replaces kernel_main by a function `name`, the only symbol that other modules see.
llvm::Error bindThread(llvm::Module &module, llvm::StringRef name, const LineNumbers &lines,
                       bool forDebugger);

} // namespace ttjit::jit

#endif // TTJIT_JIT_BINDTHREAD_H
