// Reads start three iterations ahead; half of the nodes have only three iterations.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %reader = transform.structured.match ops{["ttl.datamovement_thread"]}
        attributes {name = "reader"} in %module : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %reader
        : (!transform.any_op) -> !transform.any_op
    %steady, %few = transform.ttl.insert_prefetch %loop {distance = 3, form = "pipeline"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
