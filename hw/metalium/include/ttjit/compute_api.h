//===- compute_api.h - the whole compute API ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every header of Metalium's compute API includes this one, so each of them declares all functions.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/copies.h"
#include "ttjit/elements.h"
#include "ttjit/formats.h"
#include "ttjit/left_out.h"
#include "ttjit/older.h"
#include "ttjit/products.h"
#include "ttjit/tilize.h"
#include "ttjit/vector.h"
