//===- ttl-jit.cpp - run TT-Lang scripts and .mlir programs -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/EmbeddedPython.h"
#include "tools/ttl-jit/LoadedCommand.h"
#include "tools/ttl-jit/QuickCommand.h"
#include "tools/ttl-jit/Signals.h"

#include <csignal>

static void handleSignals() {
  endOnSignal(SIGINT);
  endOnSignal(SIGTERM);
}

// Runs before the constructors of the libraries, which take longer than main() does before Python.
__attribute__((section(".preinit_array"), used)) static void (*const atStart)() = handleSignals;

int main(int argc, char **argv) {
  std::vector<std::string> words(argv, argv + argc);
  std::optional<CommandResult> quick = quickCommand(words);
  CommandResult result = quick ? *quick : runLoadedCommand(words, packageFolder());
  return finalStatus(result.python ? runPython(*result.python) : result.status);
}
