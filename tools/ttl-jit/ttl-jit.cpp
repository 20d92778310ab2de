//===- ttl-jit.cpp - run TT-Lang scripts and .mlir programs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/Command.h"
#include "tools/ttl-jit/EmbeddedPython.h"

int main(int argc, char **argv) {
  CommandResult result = runCommand({argv, argv + argc});
  return finalStatus(result.python ? runPython(*result.python) : result.status);
}
