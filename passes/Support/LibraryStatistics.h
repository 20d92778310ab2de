//===- LibraryStatistics.h - pass statistics as the library has them -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Included before everything else where passes are defined. LLVM's headers choose the
// layout of mlir::Pass::Statistic by NDEBUG. Its constructor is in the library, which was
// built with NDEBUG; we keep our assertions. Without this the counters would have members
// that nobody initialises.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_LIBRARYSTATISTICS_H
#define TTJIT_PASSES_SUPPORT_LIBRARYSTATISTICS_H

#ifdef NDEBUG
#include "llvm/ADT/Statistic.h"
#else
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#endif

// After the headers above, so that assert() is on again.
#include <cassert>

#endif // TTJIT_PASSES_SUPPORT_LIBRARYSTATISTICS_H
