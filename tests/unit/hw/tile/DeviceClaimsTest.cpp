//===- DeviceClaimsTest.cpp - the table of claims about the card --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/device-numerics.md says for each operation, width of DST and chip whether the results are
// the card's. This test makes that table from the tests in this program: a claim names its tests,
// and if one of them is missing, the cell is "not modelled". TTJIT_UPDATE_CLAIMS=1 writes the
// page.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Bits.h"
#include "tests/unit/hw/tile/DeviceChecks.h"

#include "hw/facts/TileOps.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

using namespace ttjit::hw;

namespace {

// A claim about operations that are no rows of hw/facts/TileOps.def.
struct Claim {
  const char *operation, *formats;
  // On Wormhole: "exact" if results were recorded, else "modelled". Blackhole is always "modelled".
  const char *onWormhole;
  std::vector<const char *> tests;
};

const Claim kClaims[] = {
    {"product of matrices",
     "bfloat16",
     "exact",
     {"DeviceVectors.DotProducts", "DeviceVectors.WholeTilesOnEveryLevel",
      "ScalarModel.AgreesOnRandomOperations", "Tile/DeviceTiles.ProductOfMatrices"}},
    {"product of matrices",
     "bfloat8_b, bfloat4_b, float32 as TF32",
     "modelled",
     {"ScalarModel.AgreesOnRandomOperations", "Tile/DeviceTiles.ProductOfMatrices",
      "Tile/DeviceTiles.SourceRegistersOfBlockFloats",
      "Tile/DeviceTiles.SourceRegistersOfFloat32"}},
    {"`add_tiles`, `sub_tiles`, `mul_tiles`",
     "bfloat16",
     "exact",
     {"DeviceVectors.ElementwiseOperations", "DeviceVectors.WholeTilesOnEveryLevel",
      "ScalarModel.AgreesOnRandomOperations"}},
    {"`add_tiles`, `sub_tiles`, `mul_tiles`",
     "bfloat8_b, bfloat4_b, float32 as TF32",
     "modelled",
     {"ScalarModel.AgreesOnRandomOperations", "Tile/DeviceTiles.SourceRegistersOfBlockFloats",
      "Tile/DeviceTiles.SourceRegistersOfFloat32"}},
    {"`reduce_sum`",
     "floats, one scaler in the whole tile",
     "modelled",
     {"Tile/DeviceTiles.SumOfColumns", "Tile/DeviceTiles.SumOfRowsPassesThroughASourceRegister",
      "Tile/DeviceTiles.SumOfAllElementsIsScaledTwice"}},
    {"`reduce_max`", "floats, scaler 1", "modelled", {"Tile/DeviceTiles.MaximaAreThoseOfTheData"}},
    {"copies, broadcasts, transposes",
     "floats",
     "modelled",
     {"Tile/DeviceTiles.CopiesDropDenormalsAndMinusZero",
      "Tile/DeviceTiles.SourceRegistersOfFloat32"}},
    {"reuse of a DST register by the matrix engine",
     "floats",
     "modelled",
     {"Tile/DeviceTiles.ReuseOfARegisterCutsIt"}},
    {"packing",
     "bfloat16, float32",
     "exact",
     {"DeviceVectors.WholeTilesOnEveryLevel", "Tile/DeviceTiles.PackerOfEachFormat"}},
    {"packing",
     "bfloat8_b",
     "exact",
     {"DeviceVectors.WholeTilesOnEveryLevel", "ScalarModel.AgreesOnRandomOperations"}},
    {"packing", "bfloat4_b", "modelled", {"ScalarModel.AgreesOnRandomOperations"}},
    {"accumulation in L1 (`store(acc=True)`)",
     "bfloat16, float32",
     "modelled",
     {"Tile/DeviceTiles.AccumulationInL1", "ScalarModel.AgreesOnRandomOperations"}},
    {"packing with `bfp8_pack_precise`",
     "bfloat8_b, bfloat4_b",
     "modelled",
     {"Tile/DeviceTiles.PreciseBlocksAreRoundedOnce"}},
    {"product of matrices",
     "float16",
     "modelled",
     {"Tile/DeviceHalves.ProductOfMatrices", "ScalarModel.AgreesOnRandomOperations"}},
    {"`add_tiles`, `sub_tiles`, `mul_tiles`",
     "float16",
     "modelled",
     {"Tile/DeviceHalves.ElementwiseOperations", "ScalarModel.AgreesOnRandomOperations"}},
    {"copies, packing, accumulation in L1",
     "float16",
     "modelled",
     {"Tile/DeviceHalves.CopiesAndPacking", "Tile/DeviceHalves.AccumulationInL1",
      "ScalarModel.AgreesOnRandomOperations"}},
    {"`reduce_sum`, broadcasts, transposes",
     "float16, 16-bit DST",
     "modelled",
     {"Tile/DeviceHalves.SumsInRegistersOf16Bits", "Tile/DeviceHalves.CopiesAndPacking"}},
    {"functions of the vector engine",
     "float16",
     "modelled",
     {"Tile/DeviceHalves.StoresOfTheVectorEngine", "ScalarModel.AgreesOnRandomOperations"}},
    {"product of matrices",
     "uint8, fp32 DST",
     "modelled",
     {"DeviceIntegers.ProductOfBytes", "ScalarModel.AgreesOnRandomOperations"}},
    {"copies, packing", "uint8, fp32 DST", "modelled", {"DeviceIntegers.PackerLimitsBytes"}},
    {"copies, packing", "uint16, fp32 DST", "modelled", {"DeviceIntegers.UInt16IsMoved"}},
    {"multiply-add of the vector engine",
     "",
     "exact",
     {"DeviceVectors.MultiplyAdds", "ScalarModel.AgreesOnRandomOperations"}},
};

std::set<std::string> existingTests() {
  std::set<std::string> names;
  const testing::UnitTest &program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite &suite = *program.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      std::string test = suite.GetTestInfo(k)->name();
      names.insert(fmt::format("{}.{}", suite.name(), test.substr(0, test.find('/'))));
    }
  }
  return names;
}

std::string rowOf(const std::string &operation, const std::string &formats,
                  const std::string &wormhole, const std::string &blackhole) {
  return fmt::format("| {} | {} | {} | {} |\n", operation, formats, wormhole, blackhole);
}

std::string claimTable(const std::set<std::string> &tests) {
  std::string text = "| operation | formats | Wormhole | Blackhole |\n| --- | --- | --- | --- |\n";
  for (const Claim &claim : kClaims) {
    bool isTested =
        std::ranges::all_of(claim.tests, [&](const char *name) { return tests.contains(name); });
    text += rowOf(claim.operation, claim.formats, isTested ? claim.onWormhole : "not modelled",
                  isTested ? "modelled" : "not modelled");
  }
  return text + rowOf("products", "integers of 32 and 16 bits", "not modelled", "not modelled") +
         rowOf("reductions", "integers", "not modelled", "not modelled") +
         rowOf("`reduce_max`", "float16", "not modelled", "not modelled") +
         rowOf("reductions, broadcasts, transposes", "float16, fp32 DST", "not modelled",
               "not modelled");
}

// Returns the names of rows in lines of at most 118 characters.
std::string listOf(const std::vector<std::string> &names) {
  std::string text, line;
  for (const std::string &name : names) {
    if (line.size() + name.size() > 114) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "`" : " `") + name + "`";
  }
  return text + line + "\n";
}

std::string functionLists() {
  std::map<TileOp, Evidence> checked;
  for (const DeviceCheck &check : deviceChecks())
    checked[check.op] = check.evidence;
  std::vector<std::string> byHash, byRule, byModel, unknown;
  for (const TileOpFacts &facts : kTileOps) {
    auto found = checked.find(facts.op);
    auto &list = found == checked.end()              ? unknown
                 : found->second == Evidence::Hashes ? byHash
                 : found->second == Evidence::Model  ? byModel
                                                     : byRule;
    list.push_back(facts.name);
  }
  return "Modelled, compared over all bfloat16 inputs with another implementation of the pinned "
         "source:\n\n" +
         listOf(byHash) + "\nModelled, compared with a rule over all bfloat16 inputs:\n\n" +
         listOf(byRule) +
         "\nModelled, compared with a second model over all bfloat16 inputs, and with the exact "
         "function:\n\n" +
         listOf(byModel) + "\nNot modelled:\n\n" + (unknown.empty() ? "none\n" : listOf(unknown));
}

// Returns the lists of functions in C++ kernels; empty if one of their tests is missing.
std::string cppLists(const std::set<std::string> &tests) {
  std::vector<std::string> floats, integers;
  for (const char *test :
       {"FollowTheirRules", "VariantsHaveTheirHashes", "QuotientOfANumber", "SumsDownColumns",
        "LogarithmAndExponentialWithAFactor", "ShiftsHaveAllDistances", "ComparisonsOfIntegers"})
    if (!tests.contains(std::string("DeviceFunctions.") + test))
      return "";
#define VECTOR_FUNCTION(name) floats.push_back(name);
#define VECTOR_FUNCTION_INT(name) integers.push_back(name);
#include "hw/facts/VectorFunctions.def"
  return "\nModelled functions that only kernels in C++ have, on floats:\n\n" + listOf(floats) +
         "\nand on integers, in registers of 32 bits:\n\n" + listOf(integers);
}

constexpr const char *kBegin = "<!-- claims: written by a test -->\n",
                     *kEnd = "<!-- end of claims -->\n";

TEST(DeviceClaims, ThePageHasThoseThatAreTested) {
  std::string page = textOf(TTJIT_DEVICE_PAGE);
  size_t begin = page.find(kBegin), end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  begin += std::string(kBegin).size();
  std::string text = "\n" + claimTable(existingTests()) + "\n" + functionLists() +
                     cppLists(existingTests()) + "\n";
  if (std::getenv("TTJIT_UPDATE_CLAIMS"))
    std::ofstream(TTJIT_DEVICE_PAGE) << page.substr(0, begin) + text + page.substr(end);
  else
    EXPECT_EQ(page.substr(begin, end - begin), text)
        << "run TTJIT_UPDATE_CLAIMS=1 build/bin/ttjit-unit-tile --gtest_filter='DeviceClaims.*'";
}

TEST(DeviceClaims, AClaimWithoutItsTestIsNone) {
  std::set<std::string> tests = existingTests();
  EXPECT_NE(claimTable(tests).find("| product of matrices | bfloat16 | exact | modelled |"),
            std::string::npos);
  tests.erase("DeviceVectors.DotProducts");
  EXPECT_NE(claimTable(tests).find("| product of matrices | bfloat16 | not modelled |"),
            std::string::npos);
}

} // namespace
