//===- FinalStatus.cpp - the exit status of ttl-jit ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/Command.h"

#include <cstdio>

int finalStatus(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  std::fputs("ttl-jit: cannot write to standard output\n", stderr);
  constexpr int kFailed = 1; // the value of ExitStatus::ScriptFailed
  return status ? status : kFailed;
}
