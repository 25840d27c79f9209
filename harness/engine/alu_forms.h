// The rows of an op_*.def as rows of a table of forms; see alu_handlers.h.
#undef UNARY
#undef BINARY
#undef TERNARY
#define UNARY(NAME, FORM, OPERANDS, CLASS, ...) {FORM, OPERANDS, NAME, CLASS},
#define BINARY UNARY
#define TERNARY UNARY
