//===- compiler_loader.h - loads the compiler in the background -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR and LLVM take longer to load than everything else that `import ttl` needs, and a program
// needs them only for its first kernel. So a thread loads them while the program goes on.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PYTHON_EXTENSION_COMPILER_LOADER_H
#define TTJIT_TOOLS_PYTHON_EXTENSION_COMPILER_LOADER_H

/// Starts to load the extension `_ttjit_compiler`, which is in the folder of this one, on a thread
/// of its own, if the host has an idle processor. A fork, and the end of the interpreter, wait for
/// the thread. Call it once.
void startLoadingCompiler();

/// Returns whether a library that the compiler needs is missing. Importing the compiler then fails.
bool lacksLibrary();

/// Waits until the thread has ended. Call it without the GIL.
void waitForCompiler();

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_COMPILER_LOADER_H
