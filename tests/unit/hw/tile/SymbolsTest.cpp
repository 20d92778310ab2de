//===- SymbolsTest.cpp - levels do not leak into each other -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// If the AVX-512 kernels emit an inline function, the linker may keep this copy for the whole
// program. So each object file of the kernels may define one function only, and nothing that the
// linker merges.
//===--------------------------------------------------------------------------===//

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string outputOf(const std::string &command) {
  std::string output;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return output;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, count);
  pclose(pipe);
  return output;
}

std::vector<std::string> definedGlobals(const std::string &object) {
  std::vector<std::string> names;
  std::istringstream lines(outputOf("nm --extern-only --defined-only -C '" + object + "'"));
  for (std::string line; std::getline(lines, line);)
    names.push_back(line.substr(line.find(' ') + 1));
  return names;
}

} // namespace

TEST(Symbols, EachLevelDefinesOneFunction) {
  std::istringstream objects(TTJIT_TILE_OBJECTS);
  int count = 0;
  for (std::string object; std::getline(objects, object, ':'); ++count) {
    std::vector<std::string> names = definedGlobals(object);
    ASSERT_EQ(names.size(), 1u) << object << ": " << testing::PrintToString(names);
    bool fillsTable = names[0].find("T ttjit::hw::fillTileKernels_v") != std::string::npos ||
                      names[0].find("T ttjit::hw::fillDeviceKernels_v") != std::string::npos ||
                      names[0].find("T ttjit::hw::fillHalfKernels_v") != std::string::npos;
    EXPECT_TRUE(fillsTable) << names[0];
  }
  EXPECT_GE(count, 1);
}
