# ===- _habits.py - names of other libraries, and what to write instead -------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

_SUM = "reduce_sum(x, dims=[...])"
_MEAN = "reduce_mean(x, dims=[...])"
_NORM = ("compose it of reduce_mean(), rsqrt() and broadcast(): ttl.broadcast(ttl.reduce_mean(x, dims=[-1]), "
         "dims=[-1], shape=x.shape) is the mean of each row, in all columns")
_SOFTMAX = ("compose it of exp(), reduce_max(), reduce_sum() and broadcast(): ttl.broadcast(ttl.reduce_max(x, "
            "dims=[-1]), dims=[-1], shape=x.shape) is the maximum of each row, in all columns")
_JOIN = "copy each part into a block, and each block to its slice of the result"
_SHAPE = "a block keeps its shape: make the buffer with the shape that is needed"

# Functions of numpy, torch and ttnn that programs try to call on blocks -> what to write instead.
_FUNCTIONS = {
    "absolute": "abs(x)",
    "amax": "reduce_max(x, dims=[...])",
    "amin": "-ttl.reduce_max(-x, dims=[...])",
    "astype": "typecast(x, dtype)",
    "bmm": "matmul(a, b)",
    "cast": "typecast(x, dtype)",
    "clip": "clamp(x, lo, hi)",
    "divide": "div(a, b)",
    "dot": "matmul(a, b)",
    "full": "fill(value, shape=...)",
    "full_like": "fill(value, shape=x.shape)",
    "greater": "gt(a, b)",
    "less": "lt(a, b)",
    "mean": _MEAN,
    "mm": "matmul(a, b)",
    "multiply": "mul(a, b)",
    "negative": "neg(x)",
    "ones_like": "ones(shape=x.shape)",
    "reciprocal": "recip(x)",
    "subtract": "sub(a, b)",
    "sum": _SUM,
    "zeros_like": "zeros(shape=x.shape)",
}
_OTHERS = {
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp"), _SOFTMAX),
    **dict.fromkeys(("layer_norm", "rms_norm", "std", "var"), _NORM),
    **dict.fromkeys(("cat", "concat", "concatenate", "stack"), _JOIN),
    **dict.fromkeys(("reshape", "view", "flatten"), _SHAPE),
}


def advice(name):
    """Returns the end of the message about a function that `ttl` lacks and other libraries have, or
    None for other names."""
    if name in _FUNCTIONS:
        form = _FUNCTIONS[name]
        return f"; write {form if form.startswith('-') else 'ttl.' + form}"
    return f"; {_OTHERS[name]}" if name in _OTHERS else None
