//===- Signals.cpp - how ttl-jit ends on SIGINT and SIGTERM -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/Signals.h"

#include <csignal>
#include <string_view>
#include <unistd.h>

static pid_t owner = 0; // the process that installed the handler

extern "C" {
static void endWithMessage(int signal) {
  if (getpid() != owner) {
    ::signal(signal, SIG_DFL);
    raise(signal); // the signal arrives when the handler returns
    return;
  }
  std::string_view text = signal == SIGINT ? "interrupted\n" : "terminated\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  _exit(128 + signal);
}
}

static bool hasHandler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == handler;
}

void endOnSignal(int signal) {
  if (!hasHandler(signal, SIG_DFL))
    return;
  owner = getpid();
  struct sigaction action = {};
  action.sa_handler = endWithMessage;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

struct DefaultActions::Saved {
  sigset_t mask;
};

DefaultActions::DefaultActions() : saved(new Saved) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM})
    sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &saved->mask);
  for (int signal : {SIGINT, SIGTERM})
    if (hasHandler(signal, endWithMessage))
      ::signal(signal, SIG_DFL);
}

DefaultActions::~DefaultActions() {
  endOnSignal(SIGTERM);
  pthread_sigmask(SIG_SETMASK, &saved->mask, nullptr);
  delete saved;
}
