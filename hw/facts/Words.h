//===- Words.h - words of messages ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_WORDS_H
#define TTJIT_HW_FACTS_WORDS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ttjit::hw {

/// Returns "1 page" or "2 pages". `noun` is a noun whose plural ends with -s.
inline std::string plural(int64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_WORDS_H
