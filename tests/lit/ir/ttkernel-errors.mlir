// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Errors in ops of ttkernel. A transaction id has four bits.
func.func @f() {
  %id = arith.constant 16 : i32
  // expected-error @+1 {{'ttkernel.noc_async_read_set_trid' op the transaction id must be 0 to 15, found 16}}
  ttkernel.noc_async_read_set_trid(%id) : (i32) -> ()
  return
}

// -----

func.func @f() {
  %id = arith.constant -1 : i32
  // expected-error @+1 {{'ttkernel.noc_async_write_set_trid' op the transaction id must be 0 to 15, found -1}}
  ttkernel.noc_async_write_set_trid(%id) : (i32) -> ()
  return
}

// -----

func.func @f() {
  %id = arith.constant 16 : i32
  // expected-error @+1 {{'ttkernel.noc_async_read_barrier_with_trid' op the transaction id must be 0 to 15, found 16}}
  ttkernel.noc_async_read_barrier_with_trid(%id) : (i32) -> ()
  return
}

// -----

func.func @f() {
  %id = arith.constant 100 : i32
  // expected-error @+1 {{'ttkernel.noc_async_write_barrier_with_trid' op the transaction id must be 0 to 15, found 100}}
  ttkernel.noc_async_write_barrier_with_trid(%id) : (i32) -> ()
  return
}
