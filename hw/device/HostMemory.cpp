//===- HostMemory.cpp - memory limits of the host -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostMemory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

namespace ttjit::hw {

std::string describeBytes(uint64_t bytes) {
  constexpr double kMiB = 1 << 20, kGiB = 1 << 30;
  double number = static_cast<double>(bytes);
  return number < kGiB ? fmt::format("{:.1f} MiB", number / kMiB)
                       : fmt::format("{:.1f} GiB", number / kGiB);
}

uint64_t addressSpaceLimit() {
  rlimit limit = {};
  bool isLimited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return isLimited ? limit.rlim_cur : UINT64_MAX;
}

std::string whyNoAddressSpace(uint64_t bytes) {
  std::string text =
      fmt::format("the host does not give this process {} of address space", describeBytes(bytes));
  if (uint64_t limit = addressSpaceLimit(); limit != UINT64_MAX)
    text += fmt::format("; raise its limit of {} (ulimit -v)", describeBytes(limit));
  return text;
}

uint64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  uint64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:")
      return kibibytes * 1024;
    std::getline(file, name); // discards the unit
  }
  return UINT64_MAX;
}

size_t maxMappings() {
  constexpr size_t kUsual = 65530;
  std::ifstream file("/proc/sys/vm/max_map_count");
  size_t count = 0;
  return file >> count ? count : kUsual;
}

size_t countMappings() {
  std::ifstream file("/proc/self/maps");
  return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
}

} // namespace ttjit::hw
