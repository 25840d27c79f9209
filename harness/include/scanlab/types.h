// The names that every part shares: element types, operators, scan kinds. Plain C; kernels include it, too.
#ifndef SCANLAB_TYPES_H
#define SCANLAB_TYPES_H

#include <stdint.h>

// Element types. The number is part of the protocol between judge and runner: append only.
typedef enum sl_type {
  SL_F32 = 0,    // float
  SL_I32 = 1,    // int32_t
  SL_U32 = 2,    // uint32_t
  SL_AFFINE = 3, // sl_affine: the map x -> a*x + b modulo 2^32, 8 bytes
  SL_TYPE_COUNT
} sl_type;

// One affine map x -> a*x + b (mod 2^32). Composition is associative and not commutative.
typedef struct sl_affine {
  uint32_t a, b;
} sl_affine;

// Operators of a scan, with their identity. Element i is x[0] op x[1] op ... (left operand = lower index).
typedef enum sl_op {
  SL_ADD = 0,     // a + b (integers modulo 2^32); identity 0
  SL_MAX = 1,     // larger of a and b; identity: lowest value of the type (-INFINITY for f32)
  SL_COMPOSE = 2, // sl_affine only: "first a, then b": {a.a*b.a, b.a*a.b + b.b}; identity {1, 0}
  SL_OP_COUNT
} sl_op;

typedef enum sl_kind { SL_INCLUSIVE = 0, SL_EXCLUSIVE = 1 } sl_kind;

// Which tile scan lab 05 uses inside a block.
typedef enum sl_tile { SL_TILE_EFFICIENT = 0, SL_TILE_NAIVE = 1 } sl_tile;

#endif
