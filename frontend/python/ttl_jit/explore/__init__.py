# SPDX-License-Identifier: Apache-2.0
"""The command `ttl-jit explore`: a campaign of runs of a script with --explore."""
