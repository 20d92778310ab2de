//===- ttl-lsp-server.cpp - language server for .mlir files -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The server parses text while the user types it in an editor, and the parser recurses once per
// bracket. No guard checks that text first, so the server runs on a stack that has room for deep
// text. Only the used part of the stack takes memory.
//===--------------------------------------------------------------------------===//

#include "ir/modules/AllDialects.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include <pthread.h>

namespace {

struct Server {
  int argc;
  char **argv;
  int status = 1;
};

void *run(void *argument) {
  auto &server = *static_cast<Server *>(argument);
  mlir::DialectRegistry registry = ttjit::allDialects();
  ttjit::registerTransforms(registry);
  server.status = mlir::failed(mlir::MlirLspServerMain(server.argc, server.argv, registry));
  return nullptr;
}

} // namespace

// If the system has no address space for a large stack, uses a smaller one.
int main(int argc, char **argv) {
  Server server{argc, argv};
  for (size_t bytes = size_t(16) << 30; bytes >= size_t(8) << 20; bytes /= 4) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    bool started = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                   pthread_create(&thread, &attributes, run, &server) == 0;
    pthread_attr_destroy(&attributes);
    if (!started)
      continue;
    pthread_join(thread, nullptr);
    return server.status;
  }
  run(&server);
  return server.status;
}
