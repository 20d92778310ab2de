// SPDX-License-Identifier: Apache-2.0
// C++ has the type and its two values without a header.
#pragma once
