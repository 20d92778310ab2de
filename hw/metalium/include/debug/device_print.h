// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "api/debug/device_print.h"
