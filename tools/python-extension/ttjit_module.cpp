//===- ttjit_module.cpp - the Python extension _ttjit --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend's bindings over a session whose options come from TTL_*
// environment variables; ttl-jit sets them from its flags.
//===--------------------------------------------------------------------------===//

#include "frontend/Bindings.h"
#include "tools/session/Render.h"
#include "tools/session/Session.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdio>

namespace py = pybind11;
using namespace ttjit;
using namespace ttjit::session;

/// Dumps go beside what Python prints to standard error.
static void writeToStderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

static std::shared_ptr<Session> makeSession() {
  Options options;
  if (UsageError error = readEnvironment(options))
    throw py::value_error(*error);
  return std::make_shared<Session>(std::move(options), writeToStderr);
}

static std::vector<std::string> reportTexts(Session &session) {
  std::vector<std::string> texts;
  for (const KernelReport &report : session.takeReports())
    texts.push_back(render(report));
  return texts;
}

PYBIND11_MODULE(_ttjit, m) {
  std::shared_ptr<Session> session = makeSession();
  m.def(
      "take_reports", [session] { return reportTexts(*session); },
      "What kernels compiled or launched since the last call cost, as text");
  m.def(
      "render_error",
      [](std::string_view severity, std::string_view message, const hw::SourceLocation &location,
         std::optional<std::string> line) {
        return renderMessage(severity, message, location, std::move(line));
      });
  frontend::registerBindings(m, session);
  if (session->options().stats)
    py::module_::import("atexit").attr("register")(
        py::cpp_function([session] {
          for (const std::string &text : reportTexts(*session))
            writeToStderr(text);
        }));
}
