// The reads of two iterations are made together.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %reader = transform.structured.match ops{["ttl.datamovement_thread"]}
        attributes {name = "reader"} in %module : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %reader
        : (!transform.any_op) -> !transform.any_op
    %groups, %rest = transform.ttl.insert_prefetch %loop {distance = 2, form = "groups"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
