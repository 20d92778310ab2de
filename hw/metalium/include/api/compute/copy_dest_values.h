// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/compute_api.h"

/// The first argument is the source register, the second the destination.
inline void copy_dest_values(uint32_t from, uint32_t to) {
  copy_dest_values<DataFormat::Float32>(from, to);
}
