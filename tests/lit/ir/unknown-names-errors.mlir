// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Names of attributes and types that a dialect does not have: the error lists a similar name, or all names.

// expected-error @+1 {{#ttkernel.tensor_accessor_args is not supported: the layout of a tensor is part of its type, as in tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>}}
func.func private @f() attributes {a = #ttkernel.tensor_accessor_args<layout = sharded>}

// -----

// expected-error @+1 {{unknown attribute of ttkernel: 'reduce_typ'; did you mean reduce_type?}}
func.func private @f() attributes {a = #ttkernel.reduce_typ<sum>}

// -----

// expected-error @+1 {{unknown attribute of ttkernel: 'arguments'; expected thread, reduce_type, reduce_dim or bcast_type}}
func.func private @f() attributes {a = #ttkernel.arguments<>}

// -----

// expected-error @+1 {{unknown type of ttkernel: 'tensor_accessor'; did you mean TensorAccessor?}}
func.func private @f(!ttkernel.tensor_accessor)

// -----

// expected-error @+1 {{unknown type of ttkernel: 'local_semaphores_of_a_node'; expected cb, semaphore, l1_addr, l1_addr_ptr, noc_addr, TensorAccessorArgs or TensorAccessor}}
func.func private @f(!ttkernel.local_semaphores_of_a_node)

// -----

// expected-error @+1 {{unknown attribute of ttcore: 'core_rang'; did you mean core_range?}}
func.func private @f() attributes {a = #ttcore.core_rang<(0, 0), (1, 1)>}

// -----

// expected-error @+1 {{unknown type of ttcore: 'tiles'; expected tile}}
func.func private @f(!ttcore.tiles<32x32, f32>)

// -----

// expected-error @+1 {{unknown type of ttcore: 'memory'; expected tile}}
func.func private @f(!ttcore.memory)

// -----

// expected-error @+1 {{unknown attribute of ttcpp: 'effects'; did you mean effect?}}
func.func private @f() attributes {a = #ttcpp.effects<pop, 0, 2>}

// -----

// expected-error @+1 {{unknown attribute of ttl: 'tensor_encodng'; did you mean tensor_encoding?}}
func.func private @f() attributes {a = #ttl.tensor_encodng<dram>}

// -----

// expected-error @+1 {{unknown type of ttl: 'tensorSlice'; did you mean tensor_slice?}}
func.func private @f(!ttl.tensorSlice<[1, 1]>)

// -----

// expected-error @+1 {{unknown attribute of ttnn: 'ttnn_layuot'; did you mean ttnn_layout?}}
func.func private @f() attributes {a = #ttnn.ttnn_layuot<>}
