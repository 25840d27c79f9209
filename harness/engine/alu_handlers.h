// The rows of an op_*.def as handlers: name, form, letters of the operands, class, types of d, a, b and c,
// value of d. Included before the .def. alu_forms.h makes rows of the table of forms (form.h) of them.
#undef UNARY
#undef BINARY
#undef TERNARY
#define UNARY(NAME, FORM, OPERANDS, CLASS, ...) static SL_UNARY(NAME, __VA_ARGS__)
#define BINARY(NAME, FORM, OPERANDS, CLASS, ...) static SL_BINARY(NAME, __VA_ARGS__)
#define TERNARY(NAME, FORM, OPERANDS, CLASS, ...) static SL_TERNARY(NAME, __VA_ARGS__)
