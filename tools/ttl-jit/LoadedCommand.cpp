//===- LoadedCommand.cpp - runCommand() of a library --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/LoadedCommand.h"

#include <cstdio>

#include <dlfcn.h>

CommandResult runLoadedCommand(const std::vector<std::string> &words, const std::string &packages) {
  std::string path = packages + "/" TTJIT_COMMAND_EXTENSION;
  CommandResult result;
  void *extension = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *run = extension ? dlsym(extension, kRunCommandSymbol) : nullptr;
  if (run) {
    reinterpret_cast<RunCommand *>(run)(words, result);
  } else {
    std::fprintf(stderr, "ttl-jit: cannot load its own library: %s\n", dlerror());
    result.status = 1;
  }
  return result;
}
