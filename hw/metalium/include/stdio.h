// SPDX-License-Identifier: Apache-2.0
// Some kernels include this header. It is empty, because kernels have no files.
#pragma once

#include <cstddef>

template <typename... Args>
__attribute__((unavailable("a kernel has no standard output; use DPRINT"))) int printf(Args...);
