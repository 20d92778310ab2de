//===- Scene.h - recordings that tests write by hand ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_TOOLS_TIMING_SCENE_H
#define TTJIT_TESTS_UNIT_TOOLS_TIMING_SCENE_H

#include "tools/timing/Estimator.h"

#include <algorithm>
#include <string>

namespace ttjit::timing {

/// A program that has buffers, and the steps that its threads take.
class Scene {
public:
  explicit Scene(std::string_view archName = "wormhole_b0", int columns = 1)
      : arch(*hw::lookupArch(archName)) {
    program.name = "scene";
    program.gridX = columns;
    program.numNodes = columns;
    program.compute.mathFidelity = hw::MathFidelity::HiFi4;
    recording.agents.resize(size_t(columns) * hw::kThreadsPerNode);
    program.locations.resize(1);
  }

  /// Adds a buffer whose blocks have one page. Returns its index.
  uint32_t buffer(uint32_t pages) {
    hw::BufferConfig config;
    config.name = "dfb";
    config.index = int(program.buffers.size());
    config.pageBytes = 2048;
    config.numPages = pages;
    program.buffers.push_back(config);
    return uint32_t(config.index);
  }

  Scene &at(hw::Processor processor, int node = 0) {
    agent = uint32_t(node) * hw::kThreadsPerNode + uint32_t(processor);
    return *this;
  }
  Scene &reader(int node = 0) { return at(hw::Processor::RISCV_1, node); }
  Scene &writer(int node = 0) { return at(hw::Processor::RISCV_0, node); }
  Scene &compute(int node = 0) { return at(hw::Processor::Compute, node); }

  Scene &add(StepKind kind, uint32_t object = 0, uint32_t count = 1) {
    recording.agents[agent].push_back({kind, 0, 0, 0, object, count});
    return *this;
  }
  Scene &cost(const std::string &text) {
    auto &texts = recording.costTexts;
    auto found = std::find(texts.begin(), texts.end(), text);
    uint32_t index = uint32_t(found - texts.begin());
    if (found == texts.end())
      texts.push_back(text);
    recording.hasCosts = true;
    return add(StepKind::Cost, index);
  }
  Scene &barrier(StepKind kind) { return add(kind, 0, uint32_t(hw::kAllIds)); }

  /// Adds a transfer by this thread.
  Scene &transfer(StepKind kind, Endpoint source, Endpoint destination, uint32_t bytes) {
    TransferRecord record{source, destination, bytes};
    record.lastX = destination.x;
    record.lastY = destination.y;
    recording.transfers.push_back(record);
    return add(kind, uint32_t(recording.transfers.size() - 1), bytes);
  }
  Scene &readPage(int bank, uint32_t bytes = 2048) {
    return transfer(StepKind::Read, {Endpoint::Bank, int16_t(bank), 0}, {}, bytes);
  }
  /// Makes the last transfer change a word. Returns the number of the change.
  uint32_t signal() {
    uint32_t index = uint32_t(recording.previousChange.size());
    recording.previousChange.push_back(kNone);
    recording.transfers.back().firstChange = index;
    recording.transfers.back().numChanges = 1;
    return index;
  }

  CostModel costs() const { return CostModel(arch, program.compute); }
  Ticks operator[](hw::TimeCost cost) const { return costs()[cost]; }

  ReplayResult replay(const Assumptions &assumptions = {}) const {
    CostModel model = costs();
    return Replay(recording, program, arch, model, assumptions).run();
  }
  Ticks end(const Assumptions &assumptions = {}) const { return replay(assumptions).end; }

  hw::ArchDesc arch;
  hw::Program program;
  Recording recording;

private:
  uint32_t agent = 0;
};

} // namespace ttjit::timing

#endif // TTJIT_TESTS_UNIT_TOOLS_TIMING_SCENE_H
