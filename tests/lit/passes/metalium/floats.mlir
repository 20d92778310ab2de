// Python's // and % of floats are made from a remainder, which is a helper function that needs no
// library.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

//      CHECK:// The number that has these bits.
// CHECK-NEXT:inline float ttl_float(int32_t bits) { return __builtin_bit_cast(float, bits); }
// CHECK-EMPTY:
// CHECK-NEXT:// The exact remainder, with the sign of a. Each step subtracts b * 2**n, which is exact.
// CHECK-NEXT:inline float ttl_fmod(float a, float b) {
// CHECK-NEXT:  float rest = a < 0 ? -a : a;
// CHECK-NEXT:  float size = b < 0 ? -b : b;
// CHECK-NEXT:  if (!(rest - rest == 0) || !(size > 0)) {
// CHECK-NEXT:    return (rest - rest) / size; // NaN
// CHECK-NEXT:  }
// CHECK-NEXT:  while (rest >= size) {
// CHECK-NEXT:    float part = size;
// CHECK-NEXT:    while (part + part <= rest) {
// CHECK-NEXT:      part += part;
// CHECK-NEXT:    }
// CHECK-NEXT:    rest -= part;
// CHECK-NEXT:  }
// CHECK-NEXT:  return a < 0 ? -rest : rest;
// CHECK-NEXT:}
//      CHECK:  int32_t arg = get_arg_val<uint32_t>(0);
// CHECK-NEXT:  // k.py:3
// CHECK-NEXT:  float value = ttl_fmod(ttl_float(arg), 0.5f);
// CHECK-NEXT:  // k.py:5
// CHECK-NEXT:  cb_wait_front(cb0, static_cast<int32_t>(value == -0.0f ? -0.0f : value));

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

func.func @rest__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %n = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("k.py":1:1)
  %x = arith.bitcast %n : i32 to f32 loc("k.py":2:1)
  %half = arith.constant 5.000000e-01 : f32
  %minus = arith.constant -0.000000e+00 : f32
  %rest = arith.remf %x, %half : f32 loc("k.py":3:1)
  %none = arith.cmpf oeq, %rest, %minus : f32
  %chosen = arith.select %none, %minus, %rest : f32
  %count = arith.fptosi %chosen : f32 to i32 loc("k.py":4:1)
  ttkernel.cb_wait_front(%cb, %count) : (!cb, i32) -> () loc("k.py":5:1)
  func.return
} loc("k.py":1:1)
