"""Makes a wheel and Debian packages of a build: tools/wheel and tools/deb."""
# SPDX-License-Identifier: Apache-2.0
