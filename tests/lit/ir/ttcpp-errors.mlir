// RUN: ttl-opt %s --split-input-file --verify-diagnostics

func.func @name() {
  // expected-error @below {{expects the name of a C++ function, found 'f(); g'}}
  ttcpp.call "f(); g" in "f.hpp"() : () -> ()
  return
}

// -----

func.func @header() {
  // expected-error @below {{must name a header without quotes, backslashes and line breaks, found 'f".hpp'}}
  ttcpp.call "f" in "f\22.hpp"() : () -> ()
  return
}

// -----

func.func @template_argument() {
  // expected-error @below {{takes only template arguments of i1, si32 and ui32, descriptors and ids of buffers, found "text"}}
  ttcpp.call "f" in "f.hpp" template ["text"]() : () -> ()
  return
}

// -----

func.func @argument(%x: f64) {
  // expected-error @below {{can pass only numbers, buffers and tensors, found 'f64'}}
  ttcpp.call "f" in "f.hpp"(%x) : (f64) -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @no_dependency(%a: !cb) {
  // expected-error @below {{passes a buffer that is not among its dependencies: argument 0}}
  ttcpp.call "f" in "f.hpp"(%a) : (!cb) -> ()
  return
}

// -----

func.func @no_buffer(%a: i32) {
  // expected-error @below {{can depend only on buffers, found 'i32'}}
  ttcpp.call "f" in "f.hpp"() uses (%a : i32) : () -> ()
  return
}

// -----

func.func @descriptor() {
  // expected-error @below {{names number 0 of its 0 dependencies}}
  ttcpp.call "f" in "f.hpp" template [#ttcpp.descriptor<0>]() : () -> ()
  return
}

// -----

func.func @effect() {
  // expected-error @below {{names number 1 of its 0 dependencies}}
  ttcpp.call "f" in "f.hpp"() effects [#ttcpp.effect<pop, 1, 1>] : () -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @no_pages(%a: !cb) {
  // expected-error @below {{must have effects of at least one page, found 0}}
  ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<pop, 0, 0>] : () -> ()
  return
}

// -----

func.func @no_effect() {
  // expected-error @below {{must have a list of #ttcpp.effect, found 1}}
  ttcpp.call "f" in "f.hpp"() effects [1 : i32] : () -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @inspected(%a: !cb) {
  // expected-error @below {{lists dependency 0 in effects and in inspected: a buffer can be in one of them only}}
  ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<pop, 0, 1>] inspects [0] : () -> ()
  return
}

// -----

func.func @address() {
  // expected-error @below {{names number 2 of its 0 arguments}}
  ttcpp.call "f" in "f.hpp"() {raw_addresses = array<i64: 2>} : () -> ()
  return
}

// -----

func.func @condition() {
  // expected-error @below {{with a condition must have a result, and neither dependencies nor unknown_access}}
  ttcpp.call "f" in "f.hpp"() {condition = 0 : i64} : () -> ()
  return
}

// -----

func.func @macros() {
  // expected-error @below {{must have macros of one line each, found 'A 1}}
  ttcpp.call "f" in "f.hpp"() {defines = ["A 1\0Aint x;"]} : () -> ()
  return
}

// -----

ttl.kernel @k() attributes {grid = [1, 1]} {
  ttl.unified_thread "k" {
    // expected-error @below {{expected the results of ttcpp.call ops, one of each thread}}
    %r = ttcpp.results
  }
}

// -----

func.func @results() {
  %a = ttcpp.call "f" in "f.hpp"() : () -> i32
  // expected-error @below {{expected to be in a ttl.unified_thread: elsewhere, use the result of the thread's own call}}
  %r = ttcpp.results %a
  return
}
