//===- Assert.h - assertions that every build checks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// assert() checks nothing in this project: every build defines NDEBUG, because the
// distributions' LLVM libraries define it and it changes the layout of classes in LLVM's
// headers. TTJIT_ASSERT checks in every build. Use it where a wrong assumption would corrupt
// memory or give wrong results. For a user's mistake, report an error with a message
// instead.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_ASSERT_H
#define TTJIT_HW_FACTS_ASSERT_H

#include <cstdio>
#include <cstdlib>

namespace ttjit::hw {

/// Reports a wrong assumption in this project's own code and ends the process.
[[noreturn]] inline void failAssertion(const char *file, int line, const char *text) {
  std::fprintf(stderr, "%s:%d: internal error: %s; please report it\n", file, line, text);
  std::abort();
}

} // namespace ttjit::hw

/// Ends the process with `text` unless `condition` holds.
#define TTJIT_ASSERT(condition, text)                                                              \
  (static_cast<bool>(condition) ? void(0) : ::ttjit::hw::failAssertion(__FILE__, __LINE__, text))

#endif // TTJIT_HW_FACTS_ASSERT_H
