//===- Corpus.h - the kernels of tests/corpus -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel of the corpus, one per file. The first lines of the file may name options for
// the run and the status with which it must end:
//   // options: --start-from=loops
//   // status: fault
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_CORPUS_CORPUS_H
#define TTJIT_TESTS_UNIT_CORPUS_CORPUS_H

#include "tools/mlir-run/ExitStatus.h"
#include "tools/options/OptionTable.h"

#include <filesystem>

namespace ttjit::test {

struct CorpusKernel {
  std::string path, text;
  options::Options options;
  mlir_run::ExitStatus expected = mlir_run::ExitStatus::Success;
};

/// Returns the paths of every .mlir file of the corpus and of the programs of tests/lit/programs
/// that run without options and end successfully, sorted.
std::vector<std::filesystem::path> corpusFiles();

/// Fails the test if the first lines of a file cannot be understood.
CorpusKernel readKernel(const std::filesystem::path &file);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_CORPUS_CORPUS_H
