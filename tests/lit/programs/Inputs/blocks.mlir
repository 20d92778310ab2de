// Each buffer gets as many blocks as producer and consumer use together.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly})
      attributes {ttl.after_stage = "threads"} {
    %buffers = transform.structured.match ops{["ttl.create_cb"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %chosen = transform.ttl.optimize_buffer_factor %buffers {max_factor = 6}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
