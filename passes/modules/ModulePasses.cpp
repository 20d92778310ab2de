//===- ModulePasses.cpp - the passes on modules of other compilers ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/modules/ModulePasses.h"

#include "passes/d2m/Passes.h"
#include "passes/dist/Passes.h"
#include "passes/import/Passes.h"
#include "passes/ttir/Passes.h"

void ttjit::registerModulePasses() {
  static const bool done = [] {
    registerD2mStagePasses();
    registerDistStagePasses();
    registerImportStagePasses();
    registerTtirStagePasses();
    return true;
  }();
  (void)done;
}

extern "C" __attribute__((visibility("default"))) void ttjit_register_module_passes() {
  ttjit::registerModulePasses();
}
