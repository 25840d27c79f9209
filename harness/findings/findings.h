// Findings: the mistakes that the simulated GPU saw, and the words for them.
//
// The engine or an observer makes a finding. It travels as plain bytes and is printed in one form everywhere:
// one block of text (text.c) or one JSON object (json.c). kinds.def has what holds for every finding of a
// kind, and the checks that can be switched.
#pragma once

#include "base/base.h"

// The kind of a finding: a row of kinds.def. 0: none.
typedef enum sl_found {
  SL_FOUND_NOTHING,
#define SL_KIND(name, ...) SL_FOUND_##name,
#include "findings/kinds.def"
#undef SL_KIND
  SL_FOUND_COUNT
} sl_found;

// Who looks for the findings of a kind.
typedef enum sl_switch { SL_SWITCH_NONE, SL_SWITCH_KERNEL, SL_SWITCH_HOST } sl_switch;

// Checks as a set of bits: SL_CHECK_RACE_SHARED .., 0 for a kind without a switch.
enum {
#define SL_KIND(name, group, ...) SL_CHECK_##name = SL_SWITCH_##group ? 1 << SL_FOUND_##name : 0,
#include "findings/kinds.def"
#undef SL_KIND
#define SL_KIND(name, group, ...) | (SL_SWITCH_##group == SL_SWITCH_KERNEL ? SL_CHECK_##name : 0)
  SL_CHECK_ALL = 0 // what kernels do
#include "findings/kinds.def"
  ,
#undef SL_KIND
#define SL_KIND(name, ...) | SL_CHECK_##name
  SL_CHECK_EVERY = 0
#include "findings/kinds.def"
#undef SL_KIND
};

// One of the two parties, without its place. Empty or 0: not known.
typedef struct sl_party {
  char role[16];      // "reader", "writer", "waits"
  char insn[48];      // its instruction as a PTX mnemonic: "st.shared.u32"
  uint32_t col, trip; // column, from 1; trip through the innermost loop around it, from 1
  // A call of the host's program instead of a thread: insn is its name, host "call 17, in main()". Else "".
  char host[128];
} sl_party;

// The object that was touched.
typedef struct sl_object {
  char space[12];              // "shared", "global", "constant", "local"; "": nothing
  char name[128];              // name of a variable, demangled; "": none
  int64_t index;               // index of the element; of the byte if elem is 0
  uint32_t elem, bytes;        // bytes of an element, of the access
  uint32_t argument, n_params; // which argument of the kernel points to it, from 1; 0: none. How many it has
  uint32_t field;      // byte, from 1, of the pointer in an argument that is a struct; 0: it is the pointer
  uint32_t allocation; // which cudaMalloc it is, from 1; 0: none
  uint32_t scalar;     // boolean: one element, without index
  uint32_t access;     // sl_did: what an access to a bad address wanted
  uint64_t size;       // bytes of the whole object
} sl_object;

// What mends a race, in lines of the finding's file.
typedef enum sl_mend {
  SL_MEND_NOTHING,    // not known
  SL_MEND_BARRIER,    // a barrier between [from] and [to]
  SL_MEND_LOOP_START, // a barrier before [to], in every trip of a loop
  SL_MEND_LOOP_END,   // a barrier after [from], in every trip of a loop
  SL_MEND_SPLIT,      // line [from] reads, line [to] writes, and no barrier can stand between them
  SL_MEND_INDEX,      // two threads write one element: a barrier mends nothing
} sl_mend;
// What the words say beside the kind, where programs need to know it.
typedef enum sl_cause {
  SL_CAUSE_NOTHING,
  SL_CAUSE_LAUNCHES,   // the host's program launches kernels again and again
  SL_CAUSE_UNSTARTED,  // threads wait while other blocks have not started
  SL_CAUSE_FAR,        // the address is far from every allocation
  SL_CAUSE_STREAM,     // the other one is in another stream
  SL_CAUSE_STREAM_COPY // one of the two is a copy on the device, in another stream
} sl_cause;
// What a party did.
typedef enum sl_did {
  SL_DID_NOTHING,
  SL_DID_READ,
  SL_DID_WRITE,
  SL_DID_UPDATE,     // an atomic
  SL_DID_BEGIN_COPY, // an asynchronous copy, which may still be under way
  SL_DID_FREE,
  SL_DID_ALLOCATE
} sl_did;
// Where the two threads are.
typedef enum sl_among {
  SL_AMONG_NOBODY, // no two threads are told
  SL_AMONG_BLOCK,  // two warps of a block
  SL_AMONG_WARP,
  SL_AMONG_GRID,  // two blocks
  SL_AMONG_COPIES // two blocks that do the same: the place does not depend on the block's index
} sl_among;
typedef struct sl_mending {
  uint32_t how, among, from, to; // lines; from may be 0 with LOOP_START
  uint32_t across;               // boolean: the two are lanes of one warp, others that race are not
} sl_mending;

#define SL_REPLAY_MAX 1024

// Marks the place in sl_finding.what where the object's name goes.
#define SL_THE_OBJECT "\x01"

typedef struct sl_finding {
  sl_found id;
  char what[1024];                               // what happened: one sentence, without a full stop
  char kernel[1024], file[512], other_file[512]; // kernel: mangled
  uint32_t line, other_line, block[3], thread[3];
  uint32_t other_block[3], other_thread[3]; // valid if other_line is not 0
  uint64_t count;                           // how many of this kind at this place
  uint64_t more;                            // further places of this kind that are not kept
  uint32_t rank;                            // a place keeps one finding of the highest rank
  uint32_t early;                           // boolean: other kinds follow from it (causes.c)
  // The rest may be empty; then the kind's own texts, or less, are printed.
  char why[320], advice[320]; // one sentence each, without a full stop
  char account[1024];         // what ended the launch, in a paragraph that tells more than the fields
  char details[1200];         // further lines, each ended by \n: "waits block (0,0,0) .."
  sl_party me, other;
  sl_object object;
  sl_mending mend;               // it stands for the advice
  uint32_t follows;              // boolean: the launch had made a bad access before
  uint32_t cause;                // sl_cause
  uint64_t launch, shared_bytes; // number of the launch, from 0, or of the next one; dynamic shared memory
  uint32_t grid[3], threads[3];  // the launch's configuration; 0: the finding belongs to no launch
  char replay[SL_REPLAY_MAX];    // the command that shows it again
} sl_finding;

// kinds.c: what is true of every finding of a kind ----------------------------------------------------------

typedef struct sl_finding_kind {
  const char *id, *severity, *title, *why, *advice; // severity: "error", "warning", "note"
} sl_finding_kind;
const sl_finding_kind *sl_finding_kind_of(sl_found id); // the row; for an unknown number one that says so
bool sl_found_is_note(sl_found id);                     // no mistake by itself: it counts as no finding
const char *sl_found_name(sl_found id);                 // "race.shared"
#define SL_FINDING_PAGES "docs/reference/findings/"
bool sl_finding_same_place(const sl_finding *a, const sl_finding *b); // then they are told as one
// Ends every text of a finding that another process has sent. False: it is of no kind.
bool sl_finding_accept(sl_finding *f);
void sl_finding_page(sl_found id, char *out, size_t cap); // "docs/reference/findings/race.shared.md"

// traits.c: what stands in JSON as one of a few words -------------------------------------------------------

typedef enum sl_trait { SL_TRAIT_ACCESS, SL_TRAIT_CAUSE, SL_TRAIT_MEND, SL_TRAITS } sl_trait;
extern const char *const sl_trait_keys[SL_TRAITS];           // "access", "cause", "mend"
const char *sl_trait_word(sl_trait which, uint32_t value);   // "stream"; "": none
uint32_t sl_trait_of(const sl_finding *f, sl_trait which);   // the value
bool sl_trait_exists(sl_trait which, const char *wildcards); // does a word fit?

// causes.c: puts causes before what follows from them.
void sl_findings_sort(sl_finding *f, size_t n);

// checks.c: names with commas. "-NAME" takes one away; a list that begins with "-NAME" starts from "all".
bool sl_checks_read(const char *text, uint32_t *out, sl_error *e);
extern const char sl_checks_help[]; // the names

// demangle.c: "_ZN3cub4scanIfLi8EEEvPT_" is "cub::scan<float, 8>": names and template arguments, without the
// parameters. What it cannot read stays as it is. Returns [out].
char *sl_demangle(const char *name, char *out, size_t cap);
// Is parameter [k] of the kernel, from 0, a pointer to int? PTX does not tell int from unsigned.
bool sl_param_is_int(const char *mangled, int k);

// source.c: the user's source text --------------------------------------------------------------------------

// Which source text may be read, and how it is shown.
typedef struct sl_telling {
  const char *source; // the one file whose lines may be shown (found by its base name); ending in "/": any of
                      // that folder; "": none; NULL: any that is named
  const char *program; // files newer than it have changed and are not shown; NULL: all are shown
  bool colour;
} sl_telling;

// The place as it is printed: relative to the working folder, or as [t] names it. Returns [out].
char *sl_source_name(const sl_telling *t, const char *file, char *out, size_t cap);
// A line without its end, malloc'ed; NULL if it may not be shown or does not exist.
char *sl_source_line(const sl_telling *t, const char *file, uint32_t line);
// Name of parameter [k] (from 1) of kernel [name] with [n] parameters, as [file] defines it. False: none.
bool sl_source_param(const sl_telling *t, const char *file, const char *kernel, const sl_object *o, char *out,
                     size_t cap);
// The name of parameter [k] (from 1) of [kernel] as the text [source] defines it. False: not found.
bool sl_source_parameter_name(const char *source, const char *kernel, uint32_t k, char *out, size_t cap);
// For members.c: the text without comments, malloc'ed; the text of such a parameter.
char *sl__source_text(const sl_telling *t, const char *file);
bool sl__source_parameter(const char *text, const char *kernel, uint32_t k, uint32_t n, const char **from,
                          const char **end);

// members.c: array [name] has elements of a struct, which the source defines: "c->published", "s[3].head".
// False: it has none, or the struct cannot be read.
bool sl__source_member(const sl_telling *t, const sl_finding *f, const char *name, char *out, size_t cap);

// The members of the struct that [name] points to, or is a shared array of: "key, place". False: it is none
// in [source], or not each member has [bytes].
bool sl_source_members(const char *source, const char *name, uint64_t bytes, char *out, size_t cap);

// Of an argument that is a struct: the member that points to the array, "to.keys".
bool sl__source_field(const sl_telling *t, const sl_finding *f, char *out, size_t cap);

// text.c: a line of details, [n] characters, with the finding's array as the source names it. Returns [out].
char *sl__detail(const sl_finding *f, const sl_telling *t, const char *from, size_t n, char *out, size_t cap);

// mend.c: what is missing, to be put behind "race on ..", and what to do; "" if unknown. Return [out].
char *sl__mend_what(const sl_finding *f, char *out, size_t cap);
char *sl__mend_advice(const sl_finding *f, char *out, size_t cap);
extern const char sl__across_warps[]; // why it is wrong, where mend.across

// text.c ----------------------------------------------------------------------------------------------------

// "shared temp[511]", "d_out[17]", "element 17 of argument 2 of the kernel". Returns [out].
char *sl_finding_object(const sl_finding *f, const sl_telling *t, char *out, size_t cap);
// The first line's sentence; one sentence why; one what to do. Return [out].
char *sl_finding_what(const sl_finding *f, const sl_telling *t, char *out, size_t cap);
char *sl_finding_why(const sl_finding *f, char *out, size_t cap);
char *sl_finding_advice(const sl_finding *f, char *out, size_t cap);
// One paragraph: the account, if there is one; else the three sentences. Returns [out].
char *sl_finding_message(const sl_finding *f, const sl_telling *t, char *out, size_t cap);
const char *sl_finding_note(const sl_finding *f); // one sentence on what was found before; "": none
// The command that shows it again, to be typed in the project's folder; "" if it is not known.
// Returns [out].
char *sl_finding_replay(const sl_finding *f, char *out, size_t cap);

// Prints at most ten findings of a kind, then how many more there are, in lines of at most SL_COLUMNS.
void sl_findings_print(FILE *to, const sl_finding *f, size_t n, const sl_telling *t);
// The same as text, each first line whole, for records; malloc'ed, NULL when memory has run out.
char *sl_findings_text(const sl_finding *f, size_t n, const sl_telling *t);
// Is it a terminal that wants colour (NO_COLOR is not set)?
bool sl_wants_colour(int fd);

// json.c: one object of jansson's, which the caller owns; the same as text, malloc'ed, NULL: no memory.
struct json_t *sl_finding_value(const sl_finding *f, const sl_telling *t);
char *sl_finding_json(const sl_finding *f, const sl_telling *t);
