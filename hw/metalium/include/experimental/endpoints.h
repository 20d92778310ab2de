// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/endpoints.h"
namespace experimental {
using ::AllocatorBank;
using ::AllocatorBankType;
using ::MulticastEndpoint;
using ::Noc;
using ::UnicastEndpoint;
} // namespace experimental
