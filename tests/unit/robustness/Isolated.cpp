//===- Isolated.cpp - work that may kill its process --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "Isolated.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ttjit::test;

namespace {

constexpr size_t kTextBytes = 1 << 20;
constexpr size_t kMaxChildren = 64;

// Memory that the parent shares with the children.
struct Shared {
  std::atomic<size_t> next;                // the first item that no child has taken
  std::atomic<size_t> taken[kMaxChildren]; // the item that each child has taken
  std::atomic<size_t> done;                // number of items that have ended in any way
  std::atomic<size_t> used;                // number of bytes in `text`
  char text[kTextBytes];                   // "item reason\0" for each item with a mistake
};

void report(Shared &shared, size_t item, const std::string &reason) {
  std::string line = std::to_string(item) + " " + reason.substr(0, 2000);
  size_t at = shared.used.fetch_add(line.size() + 1);
  if (at + line.size() < kTextBytes)
    std::memcpy(shared.text + at, line.c_str(), line.size() + 1);
}

[[noreturn]] void runChild(Shared &shared, unsigned slot, size_t count, unsigned seconds,
                           const std::function<std::string(size_t)> &work) {
  int null = std::getenv("TTJIT_KEEP_STDERR") ? dup(STDERR_FILENO) : open("/dev/null", O_WRONLY);
  dup2(null, STDERR_FILENO); // hides the stack dumps of items that crash
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    std::signal(signal, SIG_DFL);
  while (true) {
    size_t item = shared.next.fetch_add(1);
    shared.taken[slot] = item;
    if (item >= count)
      _exit(0);
    alarm(seconds);
    std::string reason = work(item);
    alarm(0);
    ++shared.done;
    if (!reason.empty())
      report(shared, item, reason);
  }
}

std::string describe(int status) {
  if (!WIFSIGNALED(status))
    return "ended its process with status " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM)
    return "took too long";
  return std::string("died by a signal: ") + strsignal(WTERMSIG(status));
}

} // namespace

std::vector<ItemFailure> ttjit::test::runIsolated(size_t count,
                                                  const std::function<std::string(size_t)> &work,
                                                  unsigned seconds) {
  void *memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return {{0, "no shared memory"}};
  auto &shared = *new (memory) Shared();
  std::vector<ItemFailure> failures;
  std::map<pid_t, unsigned> slots;
  auto start = [&](unsigned slot) {
    pid_t child = fork();
    if (child == 0)
      runChild(shared, slot, count, seconds, work);
    slots[child] = slot;
  };
  unsigned children = std::min<size_t>(kMaxChildren, std::thread::hardware_concurrency());
  for (unsigned slot = 0; slot < std::max(1u, children); ++slot)
    start(slot);
  while (!slots.empty()) {
    int status = 0;
    pid_t child = waitpid(-1, &status, 0);
    auto it = slots.find(child);
    if (it == slots.end())
      continue;
    unsigned slot = it->second;
    slots.erase(it);
    if (status == 0)
      continue;
    failures.push_back({shared.taken[slot], describe(status)});
    ++shared.done;
    start(slot);
  }
  for (size_t at = 0; at < std::min<size_t>(shared.used, kTextBytes - 2100);) {
    std::string line = shared.text + at;
    failures.push_back({std::stoul(line), line.substr(line.find(' ') + 1)});
    at += line.size() + 1;
  }
  if (shared.done != count)
    failures.push_back(
        {0, "only " + std::to_string(shared.done) + " of " + std::to_string(count) + " items ran"});
  munmap(memory, sizeof(Shared));
  return failures;
}
