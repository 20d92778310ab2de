# SPDX-License-Identifier: Apache-2.0
import sys

from ttl_jit.diff import cli

sys.exit(cli.main())
