//===- public_functions.cpp - functions that a program calls ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The wrappers are in C++, because a wrapper written in Python would add a frame to each traceback.
// They call the function in the default floating-point environment, so that results do not depend
// on the program's environment.
//===--------------------------------------------------------------------------===//

#include "tools/python-extension/public_functions.h"

#include "hw/device/FloatEnvironment.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace py = pybind11;

using namespace ttjit;

namespace {

enum class FrameOwner { Packages, Library, Program };

// Returns the owner of the code that a frame runs, by the name of the frame's module.
FrameOwner ownerOf(py::handle frame) {
  py::dict globals = frame.attr("f_globals");
  std::string module = globals.contains("__name__") ? py::str(globals["__name__"]) : py::str();
  std::string package = module.substr(0, module.find('.'));
  if (package == "ttl" || package == "ttnn")
    return FrameOwner::Packages;
  bool isLibrary = package == "numpy" || package == "torch" || package == "_ttl_run" ||
                   (package != "__main__" &&
                    py::module_::import("sys").attr("stdlib_module_names").contains(package));
  return isLibrary ? FrameOwner::Library : FrameOwner::Program;
}

// Returns the traceback without the frames of our packages, and without those of libraries that our
// packages called.
py::object withoutOwnFrames(py::object traceback) {
  std::vector<py::object> kept;
  bool isBelowOurs = true; // the caller of this function is a public function of our packages
  for (; !traceback.is_none(); traceback = traceback.attr("tb_next")) {
    FrameOwner owner = ownerOf(traceback.attr("tb_frame"));
    if (owner == FrameOwner::Packages)
      isBelowOurs = true;
    else if (owner == FrameOwner::Program)
      isBelowOurs = false;
    if (!isBelowOurs)
      kept.push_back(traceback);
  }
  py::object make = py::module_::import("types").attr("TracebackType");
  py::object result = py::none();
  for (auto it = kept.rbegin(); it != kept.rend(); ++it)
    result = make(result, it->attr("tb_frame"), it->attr("tb_lasti"), it->attr("tb_lineno"));
  return result;
}

py::object callPublic(const py::object &function, const py::args &args, const py::kwargs &kwargs) {
  hw::DefaultFloatEnvironment environment;
  PyObject *result = PyObject_Call(function.ptr(), args.ptr(), kwargs.ptr());
  if (result)
    return py::reinterpret_steal<py::object>(result);
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  py::object frames = traceback ? py::reinterpret_steal<py::object>(traceback) : py::none();
  frames = withoutOwnFrames(std::move(frames));
  if (frames.is_none())
    PyException_SetTraceback(value, Py_None);
  PyErr_Restore(type, value, frames.is_none() ? nullptr : frames.release().ptr());
  throw py::error_already_set();
}

// Returns a default value as text that inspect.signature can read: `...` for an object that is no
// literal, such as the member of an enumeration.
std::string defaultValue(const py::object &value) {
  std::string text = py::repr(value);
  return text.starts_with('<') ? "..." : text;
}

// Appends the parameters that `names[begin]` to `names[end - 1]` name. `defaults` is a tuple of
// the default values of the last of them, or a dict of them all, or None.
void addParameters(std::vector<std::string> &parts, const py::tuple &names, size_t begin,
                   size_t end, const py::object &defaults) {
  for (size_t i = begin; i < end; ++i) {
    std::string text = py::str(names[i]);
    py::object value;
    if (py::isinstance<py::dict>(defaults) && defaults.contains(names[i]))
      value = defaults[names[i]];
    else if (py::isinstance<py::tuple>(defaults) && end - i <= py::len(defaults))
      value = py::tuple(defaults)[py::len(defaults) - (end - i)];
    if (value)
      text += "=" + defaultValue(value);
    parts.push_back(text);
  }
}

// Returns the text of inspect.signature(function). The import of ttnn would spend a third of its
// time there, so the usual case is handled here: a function without annotations.
std::string signatureOf(py::object function) {
  while (PyFunction_Check(function.ptr())) { // follow functools.wraps as inspect.signature does
    py::dict members = function.attr("__dict__");
    if (members.contains("__signature__"))
      return py::str(members["__signature__"]);
    if (!members.contains("__wrapped__"))
      break;
    function = members["__wrapped__"];
  }
  if (!PyFunction_Check(function.ptr()) || py::len(function.attr("__annotations__")) ||
      py::len(function.attr("__dict__")))
    return py::str(py::module_::import("inspect").attr("signature")(function));
  constexpr int kVariadic = 4, kKeywords = 8; // CPython's CO_VARARGS and CO_VARKEYWORDS
  py::object code = function.attr("__code__");
  auto count = [&](const char *name) { return code.attr(name).cast<size_t>(); };
  py::tuple names = code.attr("co_varnames");
  size_t positionalOnly = count("co_posonlyargcount"), positional = count("co_argcount");
  size_t all = positional + count("co_kwonlyargcount"), flags = count("co_flags");
  std::vector<std::string> parts;
  addParameters(parts, names, 0, positional, function.attr("__defaults__"));
  if (positionalOnly)
    parts.insert(parts.begin() + static_cast<ptrdiff_t>(positionalOnly), "/");
  if (flags & kVariadic)
    parts.push_back("*" + std::string(py::str(names[all])));
  else if (all > positional)
    parts.emplace_back("*");
  addParameters(parts, names, positional, all, function.attr("__kwdefaults__"));
  if (flags & kKeywords)
    parts.push_back("**" + std::string(py::str(names[all + (flags & kVariadic ? 1 : 0)])));
  return fmt::format("({})", fmt::join(parts, ", "));
}

// Makes the docstring of a bound function: "name(signature)", a line "--" and the text.
// inspect.signature and help() read this form.
std::string documentation(const std::string &name, const py::object &function, bool isMethod) {
  py::object text = function.attr("__doc__");
  if (std::string(py::str(function.attr("__qualname__"))).find("<locals>") != std::string::npos)
    return name; // keep this fast: each call of another function creates this one
  std::string signature = signatureOf(function);
  if (isMethod && signature.starts_with("(self"))
    signature.replace(0, 5, "($self");
  return fmt::format("{}{}\n--\n\n{}", name, signature,
                     text.is_none() ? std::string() : std::string(py::str(text)));
}

// Wraps a function for the program. The wrapper removes frames of our packages from tracebacks and
// computes in the default floating-point environment. `owner` is the class of a method, else None.
py::object publicFunction(const py::object &function, const py::object &owner) {
  auto call = [function](const py::args &args, const py::kwargs &kwargs) {
    return callPublic(function, args, kwargs);
  };
  std::string name = py::str(function.attr("__name__"));
  if (name == "__init__")
    name = "init"; // pybind11 treats __init__ as the constructor of one of its own classes
  bool isMethod = !owner.is_none();
  std::string doc = documentation(name, function, isMethod);
  py::options options;
  options.disable_function_signatures();
  if (isMethod)
    return py::cpp_function(call, py::name(name.c_str()), py::is_method(owner),
                            py::doc(doc.c_str()));
  std::string moduleName = py::str(function.attr("__module__"));
  py::object module = py::module_::import(moduleName.c_str());
  return py::cpp_function(call, py::name(name.c_str()), py::scope(module), py::doc(doc.c_str()));
}

// The attribute __signature__ of a class, which inspect.signature and help() read: the
// parameters of `constructor` without `self`. It is computed at the first use, because inspect
// is slow.
struct ClassSignature {
  py::object constructor;

  py::object get(const py::object &instance, const py::object & /*owner*/) const {
    if (!instance.is_none())
      throw py::attribute_error("__signature__");
    py::object signature = py::module_::import("inspect").attr("signature")(constructor);
    py::list parameters(signature.attr("parameters").attr("values")());
    parameters.attr("pop")(0);
    return signature.attr("replace")(py::arg("parameters") = parameters);
  }
};

py::object publicMethods(py::object owner) {
  py::dict members(owner.attr("__dict__").attr("copy")());
  for (auto [name, member] : members) {
    auto text = name.cast<std::string>();
    bool isHook = text == "__new__" || text == "__repr__" || text == "__reduce__";
    bool isPrivate = text.starts_with("_") && !text.starts_with("__");
    if (text == "__init__" && !members.contains("__signature__"))
      owner.attr("__signature__") = ClassSignature{py::reinterpret_borrow<py::object>(member)};
    if (!isHook && !isPrivate && PyFunction_Check(member.ptr()))
      owner.attr(text.c_str()) = publicFunction(py::reinterpret_borrow<py::object>(member), owner);
  }
  return owner;
}

} // namespace

void registerPublicFunctions(py::module_ &module) {
  module.def(
      "public", [](const py::object &function) { return publicFunction(function, py::none()); },
      "Wraps a function so that tracebacks of its exceptions end in the program's own call.");
  py::class_<ClassSignature>(module, "ClassSignature",
                             "The attribute __signature__ of a class, from its constructor.")
      .def(py::init<py::object>(), py::arg("constructor"))
      .def("__get__", &ClassSignature::get);
  module.def("public_methods", publicMethods,
             "Wraps the methods of a class so that tracebacks of their exceptions end in the "
             "program's own call.");
}
