"""The debugger of kernels: `ttl-jit debug FILE` and the commands of the interactive session."""
# SPDX-License-Identifier: Apache-2.0
