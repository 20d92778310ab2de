// RUN: ttl-opt %s --split-input-file --verify-diagnostics

func.func @barrier(%id: i32) {
  // expected-error @+1 {{'ttl.dma_barrier' op needs 'reads' or 'writes' to wait for a transfer id, because the ids of the two directions are independent}}
  ttl.dma_barrier id %id
  return
}
