//===- CacheApi.h - the cache in front of L1 ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// L1 of the emulated device has no cache in front of it. A kernel in Metalium C++ empties the
// card's cache before it looks at what others have written, again and again if it waits for that.
// Kernels that are lowered from IR do not use this function.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_CACHEAPI_H
#define TTJIT_HW_ABI_CACHEAPI_H

#include "hw/abi/KernelApi.h"

extern "C" {

/// Lets other threads run if this one has taken some steps since it last did: it may be waiting for
/// them. Otherwise it would look in vain until its steps are used up.
ttjit::hw::Status ttl_hw_invalidate_l1_cache(ttjit::hw::KernelThread *);
}

#endif // TTJIT_HW_ABI_CACHEAPI_H
