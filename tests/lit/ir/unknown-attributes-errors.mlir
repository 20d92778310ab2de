// RUN: ttl-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'ttl.kernel' op has no attribute 'runtime_args', so no pass would read it: it may have grid, arch, compute_config, block_factors, compile_time_args}}
ttl.kernel @kernel() attributes {grid = #ttcore.grid<1x1>, runtime_args = [1 : i32]} {
  ttl.datamovement_thread "reader" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op has 1 : i32 in compile_time_args, which is no number of an argument: the kernel has 1 argument, counted from 0}}
ttl.kernel @kernel(%x: tensor<32x32xf32>) attributes {grid = #ttcore.grid<1x1>, compile_time_args = [0 : i32, 1 : i32]} {
  ttl.datamovement_thread "reader" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op has compile_time_args = 0 : i64: expected a list of numbers of arguments, such as [0, 2]}}
ttl.kernel @kernel(%x: tensor<32x32xf32>) attributes {grid = #ttcore.grid<1x1>, compile_time_args = 0} {
  ttl.datamovement_thread "reader" {
  }
}

// -----

ttl.kernel @kernel(%x: tensor<32x32xf32>) attributes {grid = #ttcore.grid<1x1>, compile_time_args = [0]} {
  ttl.datamovement_thread "reader" {
  }
}

// -----

ttl.kernel @kernel() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op has no attribute 'processor', so no pass would read it: besides its name, a thread may have microcore_hint, the processor that runs it}}
  ttl.datamovement_thread "reader" attributes {processor = "NOC1"} {
  }
}

// -----

func.func @f(%a: !ttl.semaphore) {
  // expected-error @+1 {{'ttl.semaphore_value' op has no attribute 'value', so no pass would read it: it has no attributes}}
  %v = ttl.semaphore_value %a {value = 1 : i32} : !ttl.semaphore
  return
}

// -----

func.func @f(%t: !ttcore.tile<32x32, f32>) {
  // expected-error @+1 {{'ttl.tile_exp' op has no attribute 'dst_index', so no pass would read it: it may have dst_idx}}
  %e = ttl.tile_exp %t {dst_index = 1 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{'ttl.block_reduce_sum' op has no attribute 'axis', so no pass would read it: it may have dims}}
  %b = ttl.block_reduce_sum %a {dims = array<i64: 1>, axis = 1 : i64} : (!e) -> tensor<2x1x!ttcore.tile<32x32, f32>>
  return
}

// -----

// Allowed: a mark that a schedule leaves, and an attribute of another dialect.
func.func @f(%t: !ttcore.tile<32x32, f32>) {
  %e = ttl.tile_exp %t {mark, tool.cost = 3 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  return
}
