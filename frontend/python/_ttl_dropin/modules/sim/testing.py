# SPDX-License-Identifier: Apache-2.0
"""Functions with which scripts of the simulator compare results."""

from ttl.utils.correctness import assert_close


def assert_pcc(tensor_a, tensor_b, rtol=1e-5, atol=1e-8):
    """Fails unless the tensors have one shape and one dtype, and all elements are close."""
    assert tensor_a.dtype == tensor_b.dtype, (
        f"the tensors have different dtypes: {tensor_a.dtype} and {tensor_b.dtype}"
    )
    assert_close(tensor_a, tensor_b, rtol, atol)
