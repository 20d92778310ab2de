// SPDX-License-Identifier: Apache-2.0
// A data movement kernel that includes every standard header that the host has.
#include "hostdevcommon/common_values.hpp"
#include "hostdevcommon/kernel_structs.h"
#include <algorithm>
#include <array>
#include <assert.h>
#include <bit>
#include <cassert>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits.h>
#include <limits>
#include <numeric>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tuple>
#include <type_traits>
#include <utility>

using std::uint32_t;
static_assert(std::numeric_limits<uint32_t>::max() == UINT32_MAX &&
              std::numeric_limits<int32_t>::min() == INT32_MIN);
static_assert(std::numeric_limits<int8_t>::max() == 127 &&
              std::numeric_limits<uint8_t>::max() == 255);
static_assert(std::numeric_limits<int64_t>::max() == INT64_MAX &&
              std::numeric_limits<float>::infinity() > 3e38f);
static_assert(std::numeric_limits<bool>::max() && INT_MAX == 2147483647 && CHAR_BIT == 8);
static_assert(std::is_same_v<std::decay_t<const int &>, int> &&
              std::is_same_v<std::make_unsigned_t<int>, unsigned>);
static_assert(std::is_same_v<std::conditional_t<true, int, float>, int> &&
              std::is_integral_v<uint8_t> && !std::is_integral_v<float>);
static_assert(std::is_same_v<std::underlying_type_t<tt::CBIndex>, uint8_t>);
static_assert(std::is_trivially_copyable_v<std::array<int, 3>>);
static_assert(tt::CBIndex::c_63 == 63 && tt::CB::c_out0 == 16 && tt::CB::c_intermed7 == 31 &&
              tt::dataflow0 == 8);
static_assert(std::max({1, 5, 3}) == 5 && std::min(2u, 3u) == 2 && std::clamp(7, 0, 5) == 5);
static_assert(std::gcd(12, 18) == 6 && std::lcm(4, 6) == 12);
static_assert(std::bit_cast<uint32_t>(1.0f) == 0x3f800000 && std::popcount(7u) == 3 &&
              std::countl_zero(1u) == 31 && std::countr_zero(8u) == 3 && std::bit_width(5u) == 3);
struct Two {
  int a, b;
};
static_assert(offsetof(Two, b) == 4);
constexpr auto sorted() {
  std::array<int, 5> v{5, 3, 1, 4, 2};
  std::sort(v.begin(), v.end());
  return v;
}
static_assert(sorted() == std::array<int, 5>{1, 2, 3, 4, 5});
constexpr int added() {
  auto v = sorted();
  return std::accumulate(v.begin(), v.end(), 0);
}
static_assert(added() == 15);
constexpr auto t = std::make_tuple(1, 2.5f, true);
static_assert(std::get<0>(t) == 1 && std::get<1>(t) == 2.5f && std::get<2>(t) &&
              std::tuple_size_v<decltype(t)> == 3);
constexpr int sum(std::pair<int, int> p) {
  auto [a, b] = p;
  return a + b;
}
static_assert(sum({3, 4}) == 7 && sum(std::make_pair(1, 2)) == 3);
template <size_t... i> constexpr size_t total(std::index_sequence<i...>) { return (i + ... + 0); }
static_assert(total(std::make_index_sequence<5>()) == 10);
template <typename T, std::enable_if_t<std::is_enum_v<T>, int> = 0> constexpr int kind(T) {
  return 1;
}
template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0> constexpr int kind(T) {
  return 2;
}
static_assert(kind(tt::c_0) == 1 && kind(3u) == 2);
constexpr int structured() {
  std::array<int, 2> a{1, 2};
  auto [x, y] = a;
  int s = x * 10 + y;
  for (int v : a)
    s += v;
  return s;
}
static_assert(structured() == 15);
static_assert(std::apply([](auto... v) { return (v + ... + 0); }, std::make_tuple(1, 2, 3)) == 6);
constexpr int lower() {
  std::array a{1, 3, 5, 7};
  return int(std::lower_bound(a.begin(), a.end(), 5) - a.begin()) * 10 +
         int(std::upper_bound(a.begin(), a.end(), 5) - a.begin());
}
static_assert(lower() == 23);
constexpr bool finds() {
  std::array a{1, 3, 5, 7};
  std::reverse(a.begin(), a.end());
  return a[0] == 7 && a[3] == 1 && *std::find(a.begin(), a.end(), 3) == 3 &&
         std::all_of(a.begin(), a.end(), [](int v) { return v % 2; }) &&
         std::count(a.begin(), a.end(), 5) == 1 && *std::max_element(a.begin(), a.end()) == 7;
}
static_assert(finds());
static_assert(VALID == 1 && INVALID == 0);
static_assert(std::abs(-3) == 3 && std::abs(-2.5f) == 2.5f);

void kernel_main() {
  static constexpr std::array<uint32_t, 4> factors{1, 10, 100, 1000};
  uint32_t number = 0;
  for (size_t i = 0; i < factors.size(); ++i)
    number += factors[i] * (uint32_t(i) + get_arg_val<uint32_t>(0));
  cb_reserve_back(tt::CBIndex::c_0, 1);
  uint32_t l1 = get_write_ptr(tt::CBIndex::c_0);
  auto *words = reinterpret_cast<uint32_t *>(l1);
  memset(words, 0, 4096);
  uint32_t own[3] = {number, std::min(number, 7u), VALID};
  std::memcpy(words + 1, own, sizeof own);
  memmove(words + 2, words + 1, sizeof own);
  std::fill_n(words + 8, 3, 9u);
  assert(memcmp(words + 2, own, sizeof own) == 0);
  constexpr auto args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(args, get_common_arg_val<uint32_t>(1));
  noc_async_write_tile(0, to, l1);
  noc_async_write_barrier();
}
