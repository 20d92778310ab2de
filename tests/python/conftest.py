# SPDX-License-Identifier: Apache-2.0
"""Tests of Ctrl-C need it not ignored, as a shell has it ignored for background jobs."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
