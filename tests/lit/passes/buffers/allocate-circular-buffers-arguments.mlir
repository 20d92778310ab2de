// RUN: ttl-opt %s --ttl-allocate-circular-buffers=strict --split-input-file --verify-diagnostics
// RUN: ttl-opt %s --ttl-allocate-circular-buffers --split-input-file 2>&1 | FileCheck %s

// A kernel has 341 words for run-time arguments: tables of pipes and tensors may need more.
// CHECK: warning: 'many__net' needs 342 words of run-time arguments {{.*}} (the kernel runs, because the emulated core has more)
// CHECK-NOT: warning:

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.program @many(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1>} {
  // expected-note @+1 {{the table 'net.sources' takes 40 words}}
  %sources = ttl.create_node_table "net.sources" dense<0> : tensor<1x40xi32> : !ttl.node_table
  // expected-note @+1 {{the table 'net.destinations' takes 300 words}}
  %destinations = ttl.create_node_table "net.destinations" dense<0> : tensor<1x300xi32> : !ttl.node_table
  // expected-error @+1 {{'many__net' needs 342 words of run-time arguments on each core, but a kernel can have 341: let fewer pipes begin or end at one node, or use some of them in the other data movement thread, through a separate net}}
  ttl.thread @many__net on riscv_0 (%sources, %destinations, %a, %b) : !ttl.node_table, !ttl.node_table, !tensor, !tensor
}

func.func @many__net(%sources: !ttl.node_table, %destinations: !ttl.node_table, %a: !tensor, %b: !tensor)
    attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}

// -----

// Exactly 341 words; the other thread has words of its own.

ttl.program @enough() attributes {grid = #ttcore.grid<1>} {
  %sources = ttl.create_node_table "net.sources" dense<0> : tensor<1x341xi32> : !ttl.node_table
  %destinations = ttl.create_node_table "net.destinations" dense<0> : tensor<1x300xi32> : !ttl.node_table
  ttl.thread @enough__send on riscv_0 (%sources) : !ttl.node_table
  ttl.thread @enough__receive on riscv_1 (%destinations) : !ttl.node_table
}

func.func @enough__send(%sources: !ttl.node_table) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}
func.func @enough__receive(%destinations: !ttl.node_table) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}
