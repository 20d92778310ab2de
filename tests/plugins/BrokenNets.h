//===- BrokenNets.h - passes that break lowered pipes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_PLUGINS_BROKENNETS_H
#define TTJIT_TESTS_PLUGINS_BROKENNETS_H

/// Registers test-extra-credit, test-flag-first and test-slot-too-few.
void registerBrokenNets();

#endif // TTJIT_TESTS_PLUGINS_BROKENNETS_H
