//===- Output.cpp - what kernel threads print ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Output.h"

#include "hw/device/Machine.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

namespace ttjit::hw {

static std::string prefixOf(const Program &program, const ThreadContext &thread) {
  NodeCoord node = nodeOfDevice(program, thread.x, thread.y);
  std::string device = node.device < 0 ? "" : fmt::format("device {} ", node.device);
  return fmt::format("{}({}, {}) {}: ", device, node.x, node.y, thread.config->name);
}

void Output::add(ThreadContext &thread, std::string_view text) {
  if (!machine.options.print)
    return;
  std::string &line = open[thread.agent];
  std::string lines;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    lines += prefixOf(machine.program, thread) + line;
    lines += text.substr(0, end + 1);
    line.clear();
  }
  line += text;
  if (line.empty())
    open.erase(thread.agent);
  if (!lines.empty())
    scheduler.callOnHost(thread, [&] { machine.options.print(lines); });
}

void Output::finish(ThreadContext &thread) {
  if (open.contains(thread.agent))
    add(thread, "\n");
}

void Output::finishAll() {
  for (auto &[agent, line] : open)
    machine.options.print(prefixOf(machine.program, machine.grid.thread(agent)) + line + "\n");
  open.clear();
}

} // namespace ttjit::hw
