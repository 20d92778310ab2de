// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ttjit/circular_buffer.h"
