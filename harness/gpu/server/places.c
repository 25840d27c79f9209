// Turns the place of a call in the host's program from offsets in its file into line, function and sentence.
//
// Interface: sl__asked, for a finding; sl__keep_place and sl__keep_freed, for allocations; sl__keep_launch;
// sl__keep_asked, for work in streams. The latest of each are kept. The client library takes addresses
// (libcudart/notice.c). addr2line (lines.c) turns them into functions, and, after -g, into lines.
#include "gpu/server/server.h"

static void terminate(char *s, size_t cap) { s[cap - 1] = 0; }

// From an offset to a line ----------------------------------------------------------------------------------

// nvcc compiles the host's part of a program as a file of its own, and puts what launches the kernels into
// another one beside it. A place in them is none that the program's author knows.
static bool is_made_by_nvcc(const char *file) {
  static const char *const ends[] = {".cudafe1.stub.c", ".cudafe1.cpp"};
  const size_t n = strlen(file);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (n >= strlen(ends[k]) && strcmp(file + n - strlen(ends[k]), ends[k]) == 0) return true;
  return false;
}

// Reads "FILE:LINE" or "FILE:LINE (discriminator 1)"; false for "??:0" and the toolkit's own files.
static bool read_line(const char *text, sl_asked *a) {
  const char *colon = strrchr(text, ':');
  long line = colon ? strtol(colon + 1, NULL, 10) : 0;
  size_t n = colon ? (size_t)(colon - text) : 0;
  if (line <= 0 || n == 0 || n >= sizeof a->file || text[0] == '?') return false;
  char file[sizeof a->file];
  snprintf(file, sizeof file, "%.*s", (int)n, text);
  if (sl_ptx_is_toolkit(file) || is_made_by_nvcc(file)) return false;
  snprintf(a->file, sizeof a->file, "%s", file);
  a->line = (uint32_t)line;
  return true;
}

// The length of a name without template arguments and parameters.
static size_t length_of(const char *name) {
  static const char nameless[] = "(anonymous namespace)";
  size_t n = 0;
  for (; name[n] && name[n] != '<'; n++) {
    if (name[n] != '(') continue;
    if (strncmp(name + n, nameless, sizeof nameless - 1) != 0) break;
    n += sizeof nameless - 2;
  }
  return n;
}

// "void add<Op<float> >(int*)" is "add<Op<float> >(int*)": only templates have their type told.
static const char *without_type(const char *name) {
  const char *at = name + strcspn(name, "(<");
  while (at > name && at[-1] != ' ') at--;
  return at;
}

// The compiler makes two functions for a launch: a stub, "__device_stub__ZN1a4fillEPi(int*)", and one with
// the kernel's name and line, "a::fill(int*)". Is [name] the second one for [stub]? Namespaces are skipped.
static bool is_kernel_of(const char *name, const char *stub) {
  char part[300];
  name = without_type(name);
  const char *end = name + length_of(name), *last = end;
  while (last > name && last[-1] != ':') last--;
  const int n = end - last < 250 ? (int)(end - last) : 250;
  snprintf(part, sizeof part, "%d%.*s", n, n, last);
  return n && stub && strstr(stub, part);
}

// Keeps the name without its parameters. The first one stays: it is the innermost.
static void note_function(const char *name, char *out, size_t cap) {
  name = without_type(name);
  if (!out[0] && name[0] != '?') snprintf(out, cap, "%.*s", (int)length_of(name), name);
}

// The first place that counts, and the line that called it, of addr2line's pairs of function and place.
static void first_place(char *text, sl_asked *a, char *function, size_t cap) {
  const char *stub = NULL;
  for (char *name = text, *place; name && *name; name = place ? strchr(place, '\0') + 1 : NULL) {
    place = strchr(name, '\n');
    if (!place) return;
    *place++ = 0;
    char *end = strchr(place, '\n');
    if (!end) return;
    *end = 0;
    if (strcmp(name, "_start") == 0) return;
    if (strstr(name, "__device_stub__")) {
      stub = name;
    } else if (!is_kernel_of(name, stub)) {
      sl_asked here = {0};
      const bool found = read_line(place, &here);
      if (found && a->line) {
        if (!strcmp(here.file, a->file)) a->caller = here.line;
        return;
      }
      if (found) snprintf(a->file, sizeof a->file, "%s", here.file), a->line = here.line, function[0] = 0;
      if (found || !a->line) note_function(name, function, cap);
    }
  }
}

// The latest answers are kept: the same call is asked for again and again.
typedef struct answer {
  char object[sizeof((sl_place *)0)->object], file[sizeof((sl_asked *)0)->file], function[128];
  uint64_t at[SL_PLACE_DEPTH];
  uint32_t n, line, caller;
} answer;
enum { ANSWERS = 64 };
static answer answers[ANSWERS];
static unsigned next_answer;

static answer *find_answer(const sl_place *p, const char *object) {
  for (answer *k = answers; k < answers + ANSWERS; k++)
    if (k->n && k->n == p->n && !memcmp(k->at, p->at, sizeof k->at) && !strcmp(k->object, object)) return k;
  return NULL;
}

static void keep_answer(const sl_place *p, const char *object, const sl_asked *a, const char *function) {
  answer *k = &answers[next_answer++ % ANSWERS];
  *k = (answer){.n = p->n, .line = a->line, .caller = a->caller};
  memcpy(k->at, p->at, sizeof k->at);
  snprintf(k->object, sizeof k->object, "%s", object);
  snprintf(k->file, sizeof k->file, "%s", a->file);
  snprintf(k->function, sizeof k->function, "%s", function);
}

static void find_line(const sl_place *p, const char *object, sl_asked *a, char *function, size_t cap) {
  if (!p->n) return;
  const answer *k = find_answer(p, object);
  if (!k) {
    SL_FREED char *out = sl__lines_ask(object, p->at, p->n < SL_PLACE_DEPTH ? p->n : SL_PLACE_DEPTH);
    if (out) first_place(out, a, function, cap);
    keep_answer(p, object, a, function);
    return;
  }
  snprintf(a->file, sizeof a->file, "%s", k->file);
  snprintf(function, cap, "%s", k->function);
  a->line = k->line, a->caller = k->caller;
}

void sl__asked(const sl_place *p, sl_asked *a) {
  char object[sizeof p->object], function[128] = "", at[64] = "";
  *a = (sl_asked){0};
  snprintf(object, sizeof object, "%.*s", (int)sizeof p->object - 1, p->object);
  snprintf(a->call, sizeof a->call, "%.*s", (int)sizeof p->call - 1, p->call);
  find_line(p, object, a, function, sizeof function);
  if (p->n && !a->line)
    snprintf(at, sizeof at, " at %.24s+0x%llx, no -g", sl_base_name(object), (unsigned long long)p->at[0]);
  if (p->ordinal) snprintf(a->where, sizeof a->where, "call %u", p->ordinal);
  if (function[0] || at[0])
    sl_append(a->where, sizeof a->where, ", ", "%s%.36s%s", function[0] ? "in " : "", function,
              function[0] ? at : at + 1);
}

void sl__host_party(const sl_asked *a, const char *role, sl_party *p) {
  snprintf(p->role, sizeof p->role, "%s", role);
  snprintf(p->insn, sizeof p->insn, "%s", strcmp(a->call, "__cudaLaunchKernel") ? a->call : "<<<>>>");
  snprintf(p->host, sizeof p->host, "%s", a->where);
}

void sl__asked_here(const sl_place *p, const char *role, sl_finding *f) {
  sl_asked a;
  sl__asked(p, &a);
  snprintf(f->file, sizeof f->file, "%s", a.file);
  f->line = a.line;
  sl__host_party(&a, role, &f->me);
}

// Allocations and launches ----------------------------------------------------------------------------------

static void keep_copy(sl_place *to, const void *from) {
  memcpy(to, from, sizeof *to);
  terminate(to->object, sizeof to->object), terminate(to->call, sizeof to->call);
}

static sl_kept_place *slot_of(sl_server *s, uint32_t number) {
  if (!s->kept) s->kept = calloc(SL_MAX_PLACES, sizeof *s->kept);
  return s->kept && number ? &s->kept[number % SL_MAX_PLACES] : NULL;
}

void sl__keep_place(sl_server *s, uint32_t number, const void *place) {
  sl_kept_place *k = slot_of(s, number);
  if (!k) return;
  *k = (sl_kept_place){.number = number};
  keep_copy(&k->made, place);
}

void sl__keep_freed(sl_server *s, uint32_t number, const void *place) {
  sl_kept_place *k = slot_of(s, number);
  if (k && k->number == number) keep_copy(&k->freed, place);
}

const sl_kept_place *sl__place_of(const sl_server *s, uint32_t number) {
  const sl_kept_place *k = s->kept && number ? &s->kept[number % SL_MAX_PLACES] : NULL;
  return k && k->number == number ? k : NULL;
}

void sl__keep_launch(sl_server *s, uint64_t launch, const void *place) {
  sl_kept_launch *k = &s->launches[launch % SL_MAX_LAUNCHES];
  if (!k->place && !(k->place = malloc(sizeof *k->place))) return;
  k->launch = launch;
  keep_copy(k->place, place);
}

const sl_place *sl__launch_place(const sl_server *s, uint64_t launch) {
  const sl_kept_launch *k = &s->launches[launch % SL_MAX_LAUNCHES];
  return k->launch == launch ? k->place : NULL;
}

void sl__places_free(sl_server *s) {
  for (int k = 0; k < SL_MAX_LAUNCHES; k++) free(s->launches[k].place);
  memset(s->launches, 0, sizeof s->launches);
  free(s->kept);
  free(s->asked);
  s->kept = NULL, s->asked = NULL, s->n_asked = 0;
}

// Work ------------------------------------------------------------------------------------------------------

static bool find_asked(void *server, uint64_t asked, sl_asked *out) {
  const sl_server *s = server;
  if (!asked || asked > s->n_asked || s->n_asked - asked >= SL_MAX_ASKED) return false;
  sl__asked(&s->asked[(asked - 1) % SL_MAX_ASKED], out);
  return true;
}

uint64_t sl__keep_asked(sl_server *s, const void *place) {
  if (!s->asked && !(s->asked = calloc(SL_MAX_ASKED, sizeof *s->asked))) return 0;
  keep_copy(&s->asked[s->n_asked % SL_MAX_ASKED], place);
  sl_gpu_on_asked(s->gpu, find_asked, s);
  return ++s->n_asked;
}
