// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Spellings of the design documents that have no meaning here; the error says what to write instead.

// expected-error @+1 {{unknown memory space 'HBM': expected dram, l1, system or mmio}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<HBM, #ttl.layout<interleaved>>>)

// -----

// expected-error @+1 {{expected a memory space, such as dram, found #ttcore.grid<2x2>}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<#ttcore.grid<2x2>, #ttl.layout<interleaved>>>)

// -----

// expected-error @+1 {{expected the extents of a shard either as two extents tiles_per_shard or as shard, in elements}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[1]>>>)

// -----

// expected-error @+1 {{tiles_per_shard must be 1 to 16777216, found 9223372036854775807}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[9223372036854775807,1]>>>)

// -----

// expected-error @+1 {{unknown attribute of ttl: 'dims'; expected slice, layout, tensor_encoding, microcore_config, processor, fpu_binary, reduce_type, grid or placement}}
func.func private @f() attributes {a = #ttl.dims<2>}

// -----

// expected-error @+1 {{core_mask is not supported: name the cores with #ttcore.core_range_set<[<(0, 0), (3, 1)>]>}}
func.func private @f() attributes {a = #ttl.core_mask<[1]>}

// -----

// expected-error @+1 {{expected the name of the mesh: #ttcore.mesh<"mesh" = 1x2>}}
func.func private @f() attributes {a = #ttcore.mesh<2x2>}

// -----

// expected-error @+1 {{unknown layout: 'invalid'; expected tile or row_major}}
func.func private @f() attributes {a = #ttnn.layout<invalid>}

// -----

// expected-error @+1 {{expected the format of the tile's elements: !ttcore.tile<32x32, f32>}}
func.func private @f(!ttcore.tile<32x32>)

// -----

// expected-error @+1 {{ttl has no tile: write !ttcore.tile<32x32, f32>}}
func.func private @f(!ttl.tile<32x32>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(!ttl.dist_tensor<grid=[8,8]>)

// -----

func.func @f(%t: !ttcore.tile<32x32, f32>) {
  // expected-error @+1 {{custom op 'd2m.tile_add' is written in quotes: "d2m.tile_add"(%x) : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>; in the body of a ttl.compute write ttl.tile_add}}
  %r = d2m.tile_add(%t, %t)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'linalg.matmul' is not supported: of linalg, linalg.generic is read in a d2m.generic; in a ttl.kernel write ttl.compute, which has indexing_maps and iterator_types too and takes blocks}}
  linalg.matmul ins(%a)
  return
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' a kernel needs a name, and its tensors are its arguments: @name(%a : tensor<...>) attributes {grid = #ttcore.grid<8x8>}}}
ttl.kernel grid=[8,8] {
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' compute_config has no 'fidelity': it may have math_fidelity, fp32_dest_acc_en, dst_full_sync_en and math_approx_mode}}
ttl.kernel @k() attributes {grid = [2, 2], compute_config = {fidelity = "HiFi4"}} {
  ttl.datamovement_thread {
  }
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' math_fidelity of compute_config must be "LoFi", "HiFi2", "HiFi3" or "HiFi4", found "High"}}
ttl.kernel @k() attributes {grid = [2, 2], compute_config = {math_fidelity = "High"}} {
  ttl.datamovement_thread {
  }
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' fp32_dest_acc_en of compute_config must be true or false, found 1 : i64}}
ttl.kernel @k() attributes {grid = [2, 2], compute_config = {fp32_dest_acc_en = 1}} {
  ttl.datamovement_thread {
  }
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' expected numbers as grid, such as [8, 8], found ["a"]}}
ttl.kernel @k() attributes {grid = ["a"]} {
  ttl.datamovement_thread {
  }
}

// -----

// expected-error @+1 {{custom op 'ttl.kernel' unknown memory space 'HBM': expected dram, l1, system or mmio}}
ttl.kernel @k() attributes {grid = [2, 2], memory_space = "HBM"} {
  ttl.datamovement_thread {
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' a circular buffer is always in L1, found memory_space DRAM: leave memory_space out}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2, memory_space=DRAM
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' a circular buffer has no 'blocks': expected shape, element_type, buffer_factor, buffer_index, page_size, core_ranges or memory_space}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, blocks=2
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected shape, element_type and buffer_factor of the buffer, or its type: !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>}}
  %a = ttl.create_cb shape=[1,1], buffer_factor=2
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' the buffer has the type '!ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>', but its fields say '!ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>'}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2 : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 4000, but a tile of '!ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>' has 4096 bytes, and the next one begins page_size bytes behind its start, so they would overlap: leave page_size out}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2, page_size=4000
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{'ttl.create_cb' op has no attribute 'index', so no pass would read it: it may have}}
  %a = ttl.create_cb "a" {index = 2 : i32} : !ttl.cb<[1, 1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected two corners, such as [[0, 0], [1, 3]] for the columns 0 to 1 and the rows 0 to 3, or one slice per dimension, such as #ttl.slice<1, 4, 1>}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=[[0,0],1]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected two corners}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=[[0,0],[1,1],[1,1]]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected two corners}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=[[0,"a"],[1,1]]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' the second corner of a range must not be before the first: 0 is less than 1}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=[[0,1],[1,0]]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' a pipe has no 'to': expected src, dst or dst_range}}
  %p = ttl.create_pipe src=[0,0], to=[1,0]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected the node at which the pipe begins: src = [0, 0]}}
  %p = ttl.create_pipe dst=[1,0]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %p = ttl.create_pipe src=[0,0], dst=[1,0]
  ttl.datamovement_thread {
    // expected-error @+1 {{custom op 'ttl.if_pipe_src' expected one net of pipes: make it of the pipes with %net = ttl.create_pipenet %pipe1, %pipe2}}
    ttl.if_pipe_src %p, %p {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_semaphore' a semaphore has no 'value': expected initial_value or is_remote}}
  %s = ttl.create_semaphore initial_value = 0, value = 1
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore
  ttl.datamovement_thread {
    // expected-error @+1 {{custom op 'ttl.semaphore_wait' waits for one of two conditions: write ttl.semaphore_wait_eq or ttl.semaphore_wait_min, and ttl.semaphore_set after it to reset the semaphore}}
    ttl.semaphore_wait %s, 5 {reset_value = 0, comparison = "equal"}
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore
  ttl.datamovement_thread {
    // expected-error @+1 {{custom op 'ttl.semaphore_wait_eq' expected a number, or a value of type i32}}
    ttl.semaphore_wait_eq %s, num_cores
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore is_remote = true
  ttl.datamovement_thread {
    // expected-error @+1 {{'ttl.semaphore_number' op can only add to the semaphore of another node: use ttl.get_remote_semaphore}}
    ttl.semaphore_inc %s, 1
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore
  ttl.datamovement_thread {
    // expected-error @+1 {{'ttl.remote_semaphore_at' op core is outside the grid: coordinate 2 in dimension 0, which has extent 2}}
    %r = ttl.get_remote_semaphore %s, core=[2,0]
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore
  ttl.compute_thread {
    // expected-error @+1 {{'ttl.semaphore_number' op is only allowed in data movement threads, but this is a compute thread}}
    ttl.semaphore_set %s, 1
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  ttl.datamovement_thread {
    // expected-error @+1 {{custom op 'ttl.core' dims is the number of coordinates and must be at least 1, found 0; a dimension is chosen by the result: %y, %x = ttl.core}}
    %y = ttl.core(dims=0)
  }
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  ttl.datamovement_thread {
    // expected-error @+1 {{custom op 'ttl.atomic_barrier' is inserted by the compiler where semaphores need it: leave it out}}
    ttl.atomic_barrier
  }
}

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'ttl.tensor_accessor' cannot look up the type of '%a', because no earlier line defines it: define it first, or write the types of the operands}}
  %acc = ttl.tensor_accessor %a
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'ttl.tensor_accessor' expected a tensor, found a value of type 'i32'}}
  %acc = ttl.tensor_accessor %a
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'ttl.cb_wait' expected a circular buffer, found a value of type 'i32'}}
  %b = ttl.cb_wait %a : !ttl.block<...>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'ttl.tile_add' expected a tile, or a block of tiles, found a value of type 'i32'}}
  %b = ttl.tile_add %a, %a
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{custom op 'ttl.block_reduce_sum' needs the dimensions to reduce: write {dims = array<i64: 0, 1>} after the operands}}
  %b = ttl.block_reduce_sum %a, %a
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{custom op 'ttl.block_bcast' needs the dimensions and the shape of the result: write {dims = array<i64: 1>}}}
  %b = ttl.block_bcast %a
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
!block = !ttl.block<!e, !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>>
func.func @f(%a: !e, %y: !block) {
  // expected-error @+1 {{custom op 'ttl.compute_region' a region with outs stores its values there and has no results: leave out the name of the result, or outs}}
  %b = ttl.compute_region ins(%a) outs(%y) {
  ^bb0(%x: !e):
    %v = ttl.block_exp %x
    ttl.yield %v
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @f(%cb: !cb, %i: index) {
  // expected-error @+1 {{custom op 'ttl.get_tile' expected the tile's number in brackets after a block that was acquired with ttl.cb_wait: ttl.get_tile %block[%index]}}
  %t = ttl.get_tile %cb, %i
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
func.func @f(%a: !tensor, %cb: !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>, %i: index) {
  // expected-error @+1 {{'ttl.copy_buffer' op has indices for 3 dimensions, but the tensor has rank 2: write one per dimension, or the number of a shard or page}}
  %xf = ttl.copy %a[%i, %i, %i], %cb
  return
}

// -----

func.func @f(%cb: !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>, %i: index) {
  // expected-error @+1 {{custom op 'ttl.copy' expected a tensor or an accessor before the indices, found a value of type '!ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>'}}
  %xf = ttl.copy %cb[%i], %cb
  return
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected cores, such as #ttcore.core_range_set<[<(0, 0), (3, 1)>]>, found [1]}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2, core_ranges=[1]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected a number of 32 bits as buffer_index, found "x"}}
  %a = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2, buffer_index="x"
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2
  ttl.datamovement_thread {
    %b = ttl.cb_reserve %cb
    // expected-error @+1 {{'ttl.copy' op must copy between a block and a tensor slice or pipe}}
    %x = ttl.copy %b, %b
  }
}
