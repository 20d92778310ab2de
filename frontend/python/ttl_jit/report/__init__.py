# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit report`: the trace of a run as text, as a page, and as JSON."""
