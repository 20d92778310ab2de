// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/noc.h"
namespace experimental {
using ::Noc;
using ::noc_traits_t;
} // namespace experimental
