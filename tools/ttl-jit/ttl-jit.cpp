//===- ttl-jit.cpp - run TT-Lang scripts and .mlir programs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/Command.h"
#include "tools/ttl-jit/EmbeddedPython.h"

#include <cstdio>

int main(int argc, char **argv) {
  CommandResult result = runCommand({argv, argv + argc});
  int status =
      result.python ? runPython(result.python->file, result.python->arguments) : result.status;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  std::fputs("ttl-jit: cannot write to standard output\n", stderr);
  return status ? status : 1;
}
