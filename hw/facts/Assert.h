//===- Assert.h - assertions that every build checks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// assert() checks nothing in this project: every build defines NDEBUG, because NDEBUG
// changes the layout of classes in LLVM's headers and the distributions' LLVM libraries
// define it. TTJIT_ASSERT checks in every build. Use it where going on would corrupt
// memory or give wrong results. A mistake of a user must give an error with a message
// instead.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_ASSERT_H
#define TTJIT_HW_FACTS_ASSERT_H

#include <cstdio>
#include <cstdlib>

namespace ttjit::hw {

/// Reports a broken assumption of this project's own code and ends the process.
[[noreturn]] inline void failAssertion(const char *file, int line, const char *text) {
  std::fprintf(stderr, "%s:%d: internal error: %s; please report it\n", file, line, text);
  std::abort();
}

} // namespace ttjit::hw

/// Ends the process with `text` unless `condition` holds.
#define TTJIT_ASSERT(condition, text)                                                              \
  (static_cast<bool>(condition) ? void(0) : ::ttjit::hw::failAssertion(__FILE__, __LINE__, text))

#endif // TTJIT_HW_FACTS_ASSERT_H
