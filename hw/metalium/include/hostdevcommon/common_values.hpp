// SPDX-License-Identifier: Apache-2.0
// Named values for semaphores.
#pragma once

#include <cstdint>

constexpr uint32_t INVALID = 0, VALID = 1;
