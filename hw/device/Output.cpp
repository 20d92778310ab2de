//===- Output.cpp - what kernel threads print ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Output.h"

#include <fmt/format.h>

namespace ttjit::hw {

static std::string prefixOf(const ThreadContext &thread) {
  return fmt::format("({}, {}) {}: ", thread.x, thread.y, thread.config->name);
}

void Output::add(ThreadContext &thread, std::string_view text) {
  if (!machine.options.print)
    return;
  std::string &line = open[thread.agent];
  std::string lines;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    lines += prefixOf(thread) + line;
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
    machine.options.print(prefixOf(machine.grid.thread(agent)) + line + "\n");
  open.clear();
}

} // namespace ttjit::hw
