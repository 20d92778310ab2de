# ===- unsafe.py - ttl.unsafe: older names of element access ------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""Older names of access to single elements: element_read is ttl.raw_element_read, element_write
ttl.raw_element_write."""

from ttl import _api

element_read = _api.TABLE["raw_element_read"]
element_write = _api.TABLE["raw_element_write"]
