// SPDX-License-Identifier: Apache-2.0
// Values of semaphores.
#pragma once

#include <cstdint>

constexpr uint32_t INVALID = 0, VALID = 1;
