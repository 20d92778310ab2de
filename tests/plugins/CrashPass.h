//===- CrashPass.h - a pass that crashes on purpose -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_PLUGINS_CRASHPASS_H
#define TTJIT_TESTS_PLUGINS_CRASHPASS_H

/// Registers test-crash.
void registerCrashPass();

#endif // TTJIT_TESTS_PLUGINS_CRASHPASS_H
