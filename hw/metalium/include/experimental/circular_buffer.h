// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/circular_buffer.h"
namespace experimental {
using ::CircularBuffer;
#ifndef COMPILE_FOR_TRISC
using ::CircularBufferView;
using ::Noc;
using ::noc_traits_t;
using ::use;
#endif
} // namespace experimental
