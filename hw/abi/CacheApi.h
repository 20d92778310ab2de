//===- CacheApi.h - the cache in front of L1 ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// On the card, L1 has a cache. A kernel in Metalium C++ invalidates it before it reads what other
// cores have written; a kernel that waits for a word does so in a loop. The emulated L1 has no
// cache. Kernels that are lowered from IR do not use this function.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_CACHEAPI_H
#define TTJIT_HW_ABI_CACHEAPI_H

#include "hw/abi/KernelApi.h"

extern "C" {

/// Lets other threads run if this thread has made some steps since they last ran. The thread may
/// wait for them in a loop, which would otherwise use up all its steps.
ttjit::hw::Status ttl_hw_invalidate_l1_cache(ttjit::hw::KernelThread *);
}

#endif // TTJIT_HW_ABI_CACHEAPI_H
