// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Types and attributes with wrong parameters.

// expected-error @+1 {{the hardware has no 32x8 tiles (heights 1, 2, 4, 8, 16, 32; widths 16, 32)}}
func.func private @f(!ttcore.tile<32x8, f32>)

// -----

// expected-error @+1 {{a tile must have two dimensions, found 1}}
func.func private @f(!ttcore.tile<32, f32>)

// -----

// expected-error @+1 {{unknown tile format: 'f31'; did you mean f32?}}
func.func private @f(!ttcore.tile<32x32, f31>)

// -----

// expected-error @+1 {{a grid must have at least one dimension}}
func.func private @f() attributes {grid = #ttcore.grid<>}

// -----

// expected-error @+1 {{the extents of a grid must be at least 1, found 0}}
func.func private @f() attributes {grid = #ttcore.grid<0x2>}

// -----

// expected-error @+1 {{a grid can have at most 1048576 nodes}}
func.func private @f() attributes {grid = #ttcore.grid<1025x1024>}

// -----

// expected-error @+1 {{a grid can have at most 1048576 nodes}}
func.func private @f() attributes {grid = #ttcore.grid<4294967296x4294967296>}

// -----

// expected-error @+1 {{the block of a circular buffer must have at least one dimension}}
func.func private @f(!ttl.cb<[], f32, 2>)

// -----

// expected-error @+1 {{the extents of a block must be at least 1, found 0}}
func.func private @f(!ttl.cb<[1, 0], f32, 2>)

// -----

// expected-error @+1 {{a circular buffer must have 1 to 32 blocks, found 33}}
func.func private @f(!ttl.cb<[1, 1], f32, 33>)

// -----

// expected-error @+1 {{the elements of a circular buffer must be tiles or scalars that the device can store, found 'i7'}}
func.func private @f(!ttl.cb<[1, 1], i7, 2>)

// -----

// expected-error @+1 {{a block must have the shape and element of its buffer, found 'tensor<1x1xf32>' in '!ttl.cb<[1, 2], f32, 2>'}}
func.func private @f(!ttl.block<tensor<1x1xf32>, !ttl.cb<[1, 2], f32, 2>>)

// -----

// expected-error @+1 {{the step of a slice must not be 0}}
func.func private @f() attributes {s = #ttl.slice<0, 4, 0>}

// -----

// expected-error @+1 {{a slice must not run against its step, found one from 4 to 0 with step 1}}
func.func private @f() attributes {s = #ttl.slice<4, 0, 1>}

// -----

// expected-error @+1 {{unknown memory layout: 'scattered'; expected interleaved, height_sharded,}}
func.func private @f() attributes {s = #ttl.layout<scattered>}

// -----

// expected-error @+1 {{expected 'tile', 'grid' or 'shard', found 'page'}}
func.func private @f() attributes {s = #ttl.layout<interleaved, page = 2x2>}

// -----

// expected-error @+1 {{a tile must have two dimensions, found 1}}
func.func private @f() attributes {s = #ttl.layout<interleaved, tile = 32>}

// -----

// expected-error @+1 {{the hardware has no 8x8 tiles (heights 1, 2, 4, 8, 16, 32; widths 16, 32)}}
func.func private @f() attributes {s = #ttl.layout<interleaved, tile = 8x8>}

// -----

// expected-error @+1 {{only sharded layouts can have 'grid' and 'shard'}}
func.func private @f() attributes {s = #ttl.layout<interleaved, grid = 2x2>}

// -----

// expected-error @+1 {{the memory of a tensor cannot be DST registers}}
func.func private @f() attributes {s = #ttl.tensor_encoding<dst, #ttl.layout<interleaved>>}

// -----

// expected-error @+1 {{a pipe must end either at one node or at a range of nodes}}
func.func private @f(!ttl.pipe<[0, 0], dst = []>)
