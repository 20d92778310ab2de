# SPDX-License-Identifier: Apache-2.0
"""ttl-diff: runs programs on each engine, in several orders, after each stage of the compiler and
without each optimisation, and reports results that differ. It also writes random programs, and makes
programs smaller that show a difference."""
