// RUN: ttl-opt %s --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @twice(%a: !cb) {
  // expected-error @+1 {{'ttl.cb_reset' op the buffers must be distinct, but number 1 is named twice}}
  ttl.cb_reset 0 "ttl.reset_dfbs" %a, %a : !cb, !cb
  return
}

// -----

func.func @negative() {
  // expected-error @+1 {{'ttl.cb_reset' op the number of a reset must be 0 to 1023, found -1}}
  ttl.cb_reset -1 "ttl.reset_dfbs"
  return
}

// -----

func.func @too_large() {
  // expected-error @+1 {{'ttl.cb_reset' op the number of a reset must be 0 to 1023, found 1024}}
  ttl.cb_reset 1024 "ttl.reset_dfbs"
  return
}
