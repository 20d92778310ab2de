//===- UserCalls.h - names of calls in the user's kernel ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The message of a fault begins with the call that failed, in the language in which the author of
// the kernel wrote it: Python, an op of an .mlir file, or Metalium's C++.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_USERCALLS_H
#define TTJIT_HW_FACTS_USERCALLS_H

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

namespace ttjit::hw {

/// The language in which a kernel was written.
enum class KernelLanguage : uint8_t { Python, Mlir, Metalium };

/// Calls that kernels of several languages have.
enum class UserCall : uint8_t {
  Reserve,
  Push,
  Wait,
  Pop,
  Publish,
  Copy,
  Read,
  Write,
  WriteMulticast,
  WriteMulticastLoopback,
  WaitAny,
  SemaphoreWaitEqual,
  SemaphoreWaitMin,
  SemaphoreSet,
  SemaphoreSetRemote,
  SemaphoreSetMulticast,
  SemaphoreSetMulticastLoopback,
  SemaphoreInc,
  SemaphoreIncMulticast,
  ElementRead,
  ElementWrite,
};

struct UserCallNames {
  std::string_view op;     ///< the op of an .mlir file
  std::string_view python; ///< begins with a dot if the call is a method of a buffer or semaphore
  std::string_view metalium;
};

constexpr UserCallNames namesOf(UserCall call) {
  switch (call) {
  case UserCall::Reserve:
    return {"ttl.cb_reserve", ".reserve()", "cb_reserve_back"};
  case UserCall::Push:
    return {"ttl.cb_push", ".push()", "cb_push_back"};
  case UserCall::Wait:
    return {"ttl.cb_wait", ".wait()", "cb_wait_front"};
  case UserCall::Pop:
    return {"ttl.cb_pop", ".pop()", "cb_pop_front"};
  case UserCall::Publish:
    return {"ttl.cb_publish", ".publish()", "cb_publish"};
  case UserCall::Copy:
    return {"ttl.copy", "ttl.copy()", "NoC transfer"};
  case UserCall::Read:
    return {"ttl.copy", "ttl.copy()", "noc_async_read"};
  case UserCall::Write:
    return {"ttl.copy", "ttl.copy()", "noc_async_write"};
  case UserCall::WriteMulticast:
    return {"ttl.copy", "ttl.copy()", "noc_async_write_multicast"};
  case UserCall::WriteMulticastLoopback:
    return {"ttl.copy", "ttl.copy()", "noc_async_write_multicast_loopback_src"};
  case UserCall::WaitAny:
    return {"ttl.wait_any", "ttl.wait_any()", "semaphore_wait_any"};
  case UserCall::SemaphoreWaitEqual:
    return {"ttl.semaphore_wait_eq", ".wait_eq()", "noc_semaphore_wait"};
  case UserCall::SemaphoreWaitMin:
    return {"ttl.semaphore_wait_min", ".wait_ge()", "noc_semaphore_wait_min"};
  case UserCall::SemaphoreSet:
    return {"ttl.semaphore_set", ".set()", "noc_semaphore_set"};
  case UserCall::SemaphoreSetRemote:
    return {"ttl.semaphore_set", ".set()", "noc_semaphore_set_remote"};
  case UserCall::SemaphoreSetMulticast:
    return {"ttl.semaphore_set", ".set()", "noc_semaphore_set_multicast"};
  case UserCall::SemaphoreSetMulticastLoopback:
    return {"ttl.semaphore_set", ".set()", "noc_semaphore_set_multicast_loopback_src"};
  case UserCall::SemaphoreInc:
    return {"ttl.semaphore_inc", ".inc()", "noc_semaphore_inc"};
  case UserCall::SemaphoreIncMulticast:
    return {"ttl.semaphore_inc", ".inc()", "noc_semaphore_inc_multicast"};
  case UserCall::ElementRead:
    return {"ttl.raw_element_read", "ttl.raw_element_read()", "load"};
  case UserCall::ElementWrite:
    return {"ttl.raw_element_write", "ttl.raw_element_write()", "store"};
  }
  return {};
}

/// Returns whether `name` is a Python variable, perhaps with subscripts: "a_dfb",
/// "blocks[0]".
inline bool isVariable(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
    return false;
  std::string_view subscripts = name.substr(std::min(name.find('['), name.size()));
  for (char c : name.substr(0, name.size() - subscripts.size()))
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
      return false;
  return subscripts.empty() || subscripts.back() == ']';
}

/// Returns the text of a call in a language. `object` is the name of the buffer or semaphore, which
/// Python writes before a method. If it is empty, `kind` takes its place: "dfb.wait()".
inline std::string spell(UserCall call, KernelLanguage language, std::string_view object = {},
                         std::string_view kind = "dfb") {
  UserCallNames names = namesOf(call);
  if (language == KernelLanguage::Mlir)
    return std::string(names.op);
  if (language == KernelLanguage::Metalium)
    return std::string(names.metalium);
  if (!names.python.starts_with('.'))
    return std::string(names.python);
  return std::string(isVariable(object) ? object : kind).append(names.python);
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_USERCALLS_H
