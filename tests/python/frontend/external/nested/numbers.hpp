// SPDX-License-Identifier: Apache-2.0
#pragma once
constexpr int kAnswer = 42;
