// More semaphores than the chip has; one of them does not start at 0.
// feature: Semaphores

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @many_semaphores(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %s0 = ttl.create_semaphore "s0" : !ttl.semaphore
  %s1 = ttl.create_semaphore "s1" : !ttl.semaphore
  %s2 = ttl.create_semaphore "s2" : !ttl.semaphore
  %s3 = ttl.create_semaphore "s3" : !ttl.semaphore
  %s4 = ttl.create_semaphore "s4" : !ttl.semaphore
  %s5 = ttl.create_semaphore "s5" : !ttl.semaphore
  %s6 = ttl.create_semaphore "s6" : !ttl.semaphore
  %s7 = ttl.create_semaphore "s7" : !ttl.semaphore
  %s8 = ttl.create_semaphore "s8" : !ttl.semaphore
  %s9 = ttl.create_semaphore "s9" : !ttl.semaphore
  %s10 = ttl.create_semaphore "s10" : !ttl.semaphore
  %s11 = ttl.create_semaphore "s11" : !ttl.semaphore
  %s12 = ttl.create_semaphore "s12" : !ttl.semaphore
  %s13 = ttl.create_semaphore "s13" : !ttl.semaphore
  %s14 = ttl.create_semaphore "s14" : !ttl.semaphore
  %s15 = ttl.create_semaphore "s15" : !ttl.semaphore
  %s16 = ttl.create_semaphore "s16" : !ttl.semaphore
  %s17 = ttl.create_semaphore "s17" {initial_value = 1 : i32} : !ttl.semaphore
  ttl.datamovement_thread "t" {
    %v = arith.constant 1 : i32
    ttl.semaphore_set %s0, %v : !ttl.semaphore
    ttl.semaphore_set %s1, %v : !ttl.semaphore
    ttl.semaphore_set %s2, %v : !ttl.semaphore
    ttl.semaphore_set %s3, %v : !ttl.semaphore
    ttl.semaphore_set %s4, %v : !ttl.semaphore
    ttl.semaphore_set %s5, %v : !ttl.semaphore
    ttl.semaphore_set %s6, %v : !ttl.semaphore
    ttl.semaphore_set %s7, %v : !ttl.semaphore
    ttl.semaphore_set %s8, %v : !ttl.semaphore
    ttl.semaphore_set %s9, %v : !ttl.semaphore
    ttl.semaphore_set %s10, %v : !ttl.semaphore
    ttl.semaphore_set %s11, %v : !ttl.semaphore
    ttl.semaphore_set %s12, %v : !ttl.semaphore
    ttl.semaphore_set %s13, %v : !ttl.semaphore
    ttl.semaphore_set %s14, %v : !ttl.semaphore
    ttl.semaphore_set %s15, %v : !ttl.semaphore
    ttl.semaphore_set %s16, %v : !ttl.semaphore
    ttl.semaphore_wait_min %s17, %v : !ttl.semaphore
  }
}
func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @many_semaphores(%a) : !a
  return
}
