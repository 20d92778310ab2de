//===- PersistentMapTest.cpp - copies of maps that share entries --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/PersistentMap.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

using ttjit::frontend::PersistentMap;

namespace {

using Map = PersistentMap<int, int>;
using Model = std::map<int, int>;

Model contentsOf(const Map &map) {
  Model contents;
  int last = -1;
  map.forEach([&](int key, int value) {
    EXPECT_LT(last, key);
    last = key;
    contents[key] = value;
  });
  return contents;
}

TEST(PersistentMap, FindsWhatWasSet) {
  Map map;
  EXPECT_TRUE(map.empty());
  map.set(3, 30);
  map.set(1, 10);
  map.set(3, 31);
  EXPECT_EQ(*map.find(3), 31);
  EXPECT_EQ(map.find(2), nullptr);
  map.erase(3);
  map.erase(7);
  EXPECT_EQ(contentsOf(map), (Model{{1, 10}}));
}

TEST(PersistentMap, LowerBoundIsTheNextKey) {
  Map map;
  for (int key : {2, 4, 6})
    map.set(key, key * 10);
  EXPECT_EQ(*map.lowerBound(3).first, 4);
  EXPECT_EQ(*map.lowerBound(4).second, 40);
  EXPECT_EQ(map.lowerBound(7).first, nullptr);
}

TEST(PersistentMap, ChangesOfACopyStayInIt) {
  Map map;
  for (int key = 0; key < 100; ++key)
    map.set(key, key);
  Map copy = map;
  copy.set(50, -1);
  copy.erase(20);
  copy.set(200, 200);
  EXPECT_EQ(*map.find(50), 50);
  EXPECT_EQ(*map.find(20), 20);
  EXPECT_EQ(map.find(200), nullptr);
}

TEST(PersistentMap, DifferenceIsWhatChanged) {
  Map map;
  for (int key = 0; key < 1000; ++key)
    map.set(key, key);
  Map left = map, right = map;
  left.set(10, -10);
  left.set(1500, 1);
  right.erase(700);
  right.set(10, 11);
  std::vector<int> keys;
  left.forEachDifference(right, [&](int key, const int *a, const int *b) {
    keys.push_back(key);
    EXPECT_EQ(a != nullptr, left.contains(key));
    EXPECT_EQ(b != nullptr, right.contains(key));
  });
  EXPECT_EQ(keys, (std::vector<int>{10, 700, 1500}));
}

TEST(PersistentMap, VisitorMayChangeTheMaps) {
  Map left, right;
  for (int key = 0; key < 50; ++key)
    left.set(key, key);
  left.forEachDifference(right, [&](int key, const int *, const int *) { left.erase(key); });
  EXPECT_TRUE(left.empty());
}

// Makes versions from each other, as the walk makes states, and compares them with std::map.
TEST(PersistentMap, BehavesAsAMapInRandomHistories) {
  std::mt19937 random(7);
  std::vector<std::pair<Map, Model>> versions(1);
  for (int step = 0; step < 3000; ++step) {
    auto [map, model] = versions[random() % versions.size()];
    for (int change = 0; change < 4; ++change) {
      int key = static_cast<int>(random() % 60);
      if (random() % 3) {
        map.set(key, step);
        model[key] = step;
      } else {
        map.erase(key);
        model.erase(key);
      }
    }
    ASSERT_EQ(contentsOf(map), model);
    const auto &[other, otherModel] = versions[random() % versions.size()];
    Model joined = model;
    map.forEachDifference(other, [&](int key, const int *, const int *value) {
      if (value)
        joined[key] = *value;
      else
        joined.erase(key);
    });
    ASSERT_EQ(joined, otherModel);
    if (versions.size() < 40)
      versions.emplace_back(map, model);
    else
      versions[random() % versions.size()] = {map, model};
  }
}

} // namespace
