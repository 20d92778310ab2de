// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/noc_semaphore.h"
namespace experimental {
using ::Noc;
using ::Semaphore;
} // namespace experimental
