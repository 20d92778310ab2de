// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/compute_api.h"

/// The first argument is the destination, unlike in api/compute/copy_dest_values.h.
inline void copy_dest_values(uint32_t to, uint32_t from) {
  copy_dest_values<DataFormat::Float32>(from, to);
}
