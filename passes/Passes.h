//===- Passes.h - the passes of every stage of kernels --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_PASSES_H
#define TTJIT_PASSES_PASSES_H

#include "passes/buffers/Passes.h"
#include "passes/compute/Passes.h"
#include "passes/dst/Passes.h"
#include "passes/loops/Passes.h"
#include "passes/sync/Passes.h"
#include "passes/threads/Passes.h"
#include "passes/ttkernel/Passes.h"
#include "passes/ttl/Passes.h"

#endif // TTJIT_PASSES_PASSES_H
