// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "functions.hpp"

#if defined(COMPILE_FOR_TRISC)
inline void run(uint32_t in, uint32_t out) { copy_one(in, out); }
#elif defined(COMPILE_FOR_NCRISC)
template <typename Accessor> inline void run(const Accessor &source, uint32_t out) {
  read_page(source, out, 0);
}
#else
template <typename Accessor> inline void run(uint32_t in, const Accessor &to) {
  write_page(to, in, 0);
}
#endif
