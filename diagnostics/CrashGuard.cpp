//===- CrashGuard.cpp - a compiler that crashes becomes an error --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The signal handler copies the registers and the top of the stack, and jumps back to
// runGuarded(). The crashed code worked on the op of the module whose address is first in the
// copy: older frames, which come later, have the addresses of the ops around this op.
//===--------------------------------------------------------------------------===//

#include "diagnostics/CrashGuard.h"

#include "hw/device/SignalTrap.h"

#include "mlir/IR/Visitors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdlib>
#include <sys/time.h>
#include <unordered_set>

using namespace ttjit;
using namespace ttjit::diagnostics;

#if defined(__SANITIZE_ADDRESS__)
#define NO_ASAN __attribute__((no_sanitize_address))
#else
#define NO_ASAN
#endif

namespace {

constexpr size_t kMaxWords = 8192;
constexpr uintptr_t kPageBytes = 4096;

// The words that the signal handler copies: allocated before, because a handler must not allocate.
struct WordBuffer {
  std::array<uintptr_t, kMaxWords> words;
  size_t count = 0;
};

class CrashTrap : hw::SignalTrap {
public:
  explicit CrashTrap(WordBuffer &buffer) : SignalTrap(hw::HandlerCheck::All), buffer(buffer) {}

  // Where the handler jumps to.
  sigjmp_buf place;
  int signal = 0;
  bool usedUpStack = false;

private:
  NO_ASAN bool onSignal(const hw::TrappedSignal &trapped) override {
    signal = trapped.number;
    uintptr_t stack = hw::stackPointer(trapped.context);
    uintptr_t distance = std::max(stack, trapped.address) - std::min(stack, trapped.address);
    usedUpStack = signal == SIGSEGV && distance < 16 * kPageBytes;
    // After a stack overflow, copy from two pages above the address: below it, no page is mapped.
    uintptr_t first = usedUpStack ? std::max(stack, trapped.address + 2 * kPageBytes) : stack;
    copy(trapped.context, reinterpret_cast<const uintptr_t *>(first & ~uintptr_t(7)));
    siglongjmp(place, 1);
  }

  // Copies up to this object: it is in a frame that is older than the frames of the crashed code.
  NO_ASAN void copy(const ucontext_t &context, const uintptr_t *from) {
    buffer.count = 0;
    for (uintptr_t word : hw::registersOf(context))
      buffer.words[buffer.count++] = word;
    const auto *end = reinterpret_cast<const uintptr_t *>(this);
    while (from < end && buffer.count < kMaxWords)
      buffer.words[buffer.count++] = *from++;
  }

  WordBuffer &buffer;
};

WordBuffer &wordBuffer() {
  thread_local std::unique_ptr<WordBuffer> buffer;
  if (!buffer)
    buffer = std::make_unique<WordBuffer>();
  return *buffer;
}

extern "C" void giveUp(int) {
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

// Ends the process if malloc() does not return in kSeconds: the crashed code then holds its lock.
void probeHeap() {
  constexpr int kSeconds = 5;
  struct sigaction action = {}, oldAction = {};
  action.sa_handler = giveUp;
  sigaction(SIGALRM, &action, &oldAction);
  itimerval limit = {{0, 0}, {kSeconds, 0}}, oldLimit = {};
  setitimer(ITIMER_REAL, &limit, &oldLimit);
  for (size_t bytes : {size_t(32), size_t(4096), size_t(1) << 17}) {
    void *volatile block = std::malloc(bytes);
    std::free(block);
  }
  setitimer(ITIMER_REAL, &oldLimit, nullptr);
  sigaction(SIGALRM, &oldAction, nullptr);
}

} // namespace

std::optional<Crash> diagnostics::runGuarded(llvm::function_ref<void()> work) {
  WordBuffer &buffer = wordBuffer();
  CrashTrap trap(buffer);
  if (sigsetjmp(trap.place, /*savemask=*/1) == 0) {
    work();
    return std::nullopt;
  }
  probeHeap();
  return Crash{
      trap.signal, trap.usedUpStack, {buffer.words.begin(), buffer.words.begin() + buffer.count}};
}

std::string diagnostics::describe(const Crash &crash) {
  if (crash.usedUpStack)
    return "SIGSEGV: the stack is used up";
  switch (crash.signal) {
  case SIGFPE:
    return "SIGFPE: arithmetic exception";
  case SIGILL:
    return "SIGILL: illegal instruction";
  case SIGBUS:
    return "SIGBUS: bus error";
  case SIGABRT:
    return "SIGABRT: the code called abort()";
  default:
    return "SIGSEGV: invalid memory access";
  }
}

std::string diagnostics::crashMessage(const Crash &crash, const std::string &where) {
  return fmt::format("internal error: the compiler crashed {} ({}); please report it together with "
                     "the program",
                     where, describe(crash));
}

// A set that finds every word. A DenseSet cannot: it reserves two values for its empty places, and
// one of them, -1, is often on a stack.
using Addresses = std::unordered_set<uintptr_t>;

// Returns the ops inside `root`; if the IR is damaged, those that a walk reaches before it crashes.
static Addresses opsInside(mlir::Operation *root) {
  constexpr size_t kMaxOps = 1 << 20; // a damaged list of ops may have no end
  Addresses ops;
  size_t count = 0;
  (void)runGuarded([&] {
    root->walk([&](mlir::Operation *op) {
      if (op != root)
        ops.insert(reinterpret_cast<uintptr_t>(op));
      return ++count < kMaxOps ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
    });
  });
  return ops;
}

// Returns the op whose address is first among the words, or null. A walk that may erase its op also
// holds the next op: if the words have the op before the one found, too, returns the one before.
static mlir::Operation *chooseOp(const Crash &crash, const Addresses &ops) {
  for (uintptr_t word : crash.words) {
    if (!ops.contains(word))
      continue;
    auto *op = reinterpret_cast<mlir::Operation *>(word);
    mlir::Operation *previous = op->getPrevNode();
    bool hasBoth = llvm::is_contained(crash.words, reinterpret_cast<uintptr_t>(previous));
    return previous && hasBoth ? previous : op;
  }
  return nullptr;
}

mlir::Location diagnostics::locationOf(const Crash &crash, mlir::Operation *root) {
  mlir::Operation *op = chooseOp(crash, opsInside(root));
  return op ? op->getLoc() : root->getLoc();
}
