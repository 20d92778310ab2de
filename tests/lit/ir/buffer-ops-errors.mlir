// RUN: ttl-opt %s --split-input-file --verify-diagnostics

func.func @barrier(%id: i32) {
  // expected-error @+1 {{'ttl.dma_barrier' op waits for one transfer id without 'reads' or 'writes': ids of the two directions are independent}}
  ttl.dma_barrier id %id
  return
}
