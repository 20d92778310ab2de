# SPDX-License-Identifier: Apache-2.0
"""Commands for gdb: load ttl_gdb.py with gdb's `source`."""
