// A finding as one block of text: the first line in the form that editors know (FILE:LINE:COLUMN: error[ID]:
// sentence), the source line with a caret, who did what, the kernel, why it is wrong, what to do, where to
// read on, how to see it again.
//
// Interface: findings.h, text.c. Control characters in text that comes from the program are escaped.
#include "findings/findings.h"

enum { TAB = 8, LABEL = 8, MOST_OF_A_KIND = 10, FURTHER = 4, LONG_TEXT = 2048 };

// Sentences -------------------------------------------------------------------------------------------------

static void unnamed(const sl_object *o, char *out, size_t cap) {
  const char *unit = o->elem ? "element" : "byte";
  if (o->field)
    snprintf(out, cap, "%s %lld of what argument %u of the kernel points to at byte %u", unit,
             (long long)o->index, o->argument, o->field - 1);
  else if (o->argument)
    snprintf(out, cap, "%s %lld of argument %u of the kernel", unit, (long long)o->index, o->argument);
  else if (o->allocation)
    snprintf(out, cap, "%s %lld of allocation %u (%llu bytes)", unit, (long long)o->index, o->allocation,
             (unsigned long long)o->size);
  else snprintf(out, cap, "%s %lld of %s memory", unit, (long long)o->index, o->space);
}

char *sl_finding_object(const sl_finding *f, const sl_telling *t, char *out, size_t cap) {
  const sl_object *o = &f->object;
  char kernel[512], name[128], shown[512], member[320];
  const char *space = o->argument ? "" : o->space;
  snprintf(name, sizeof name, "%s", o->name);
  sl_demangle(f->kernel, kernel, sizeof kernel);
  if (!name[0] && o->field) sl__source_field(t, f, name, sizeof name);
  else if (!name[0] && o->argument) sl_source_param(t, f->file, kernel, o, name, sizeof name);
  if (!name[0]) unnamed(o, out, cap);
  else if (sl__source_member(t, f, name, member, sizeof member))
    snprintf(out, cap, "%s%s%s", space, space[0] ? " " : "", sl_printable(member, shown, sizeof shown));
  else if (o->scalar)
    snprintf(out, cap, "%s%s%s", space, space[0] ? " " : "", sl_printable(name, shown, sizeof shown));
  else
    snprintf(out, cap, "%s%s%s[%lld]", space, space[0] ? " " : "", sl_printable(name, shown, sizeof shown),
             (long long)o->index);
  return out;
}

char *sl__detail(const sl_finding *f, const sl_telling *t, const char *from, size_t n, char *out,
                 size_t cap) {
  char plain[128], object[512];
  unnamed(&f->object, plain, sizeof plain);
  const char *at = f->object.argument ? memmem(from, n, plain, strlen(plain)) : NULL;
  if (!at) snprintf(out, cap, "%.*s", (int)n, from);
  else
    snprintf(out, cap, "%.*s%s%.*s", (int)(at - from), from, sl_finding_object(f, t, object, sizeof object),
             (int)(n - (size_t)(at - from) - strlen(plain)), at + strlen(plain));
  return out;
}

char *sl_finding_what(const sl_finding *f, const sl_telling *t, char *out, size_t cap) {
  char object[512], text[LONG_TEXT], missing[160];
  const char *at = strstr(f->what, SL_THE_OBJECT);
  if (at)
    snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - f->what), f->what,
             sl_finding_object(f, t, object, sizeof object), at + 1,
             sl__mend_what(f, missing, sizeof missing));
  else snprintf(text, sizeof text, "%s", f->what);
  return sl_printable(text, out, cap);
}

static char *choose_text(const char *own, const char *usual, char *out, size_t cap) {
  return sl_printable(own[0] ? own : usual, out, cap);
}

char *sl_finding_why(const sl_finding *f, char *out, size_t cap) {
  return choose_text(f->mend.across ? sl__across_warps : f->why, sl_finding_kind_of(f->id)->why, out, cap);
}

char *sl_finding_advice(const sl_finding *f, char *out, size_t cap) {
  char mend[512];
  if (sl__mend_advice(f, mend, sizeof mend)[0]) return sl_printable(mend, out, cap);
  return choose_text(f->advice, sl_finding_kind_of(f->id)->advice, out, cap);
}

char *sl_finding_message(const sl_finding *f, const sl_telling *t, char *out, size_t cap) {
  char what[LONG_TEXT], why[LONG_TEXT], advice[LONG_TEXT];
  if (f->account[0]) return sl_printable(f->account, out, cap);
  snprintf(out, cap, "%s. %s. %s", sl_finding_what(f, t, what, sizeof what),
           sl_finding_why(f, why, sizeof why), sl_finding_advice(f, advice, sizeof advice));
  return out;
}

const char *sl_finding_note(const sl_finding *f) {
  return f->follows ? "This launch had made a bad access of memory before; it may follow from that" : "";
}

char *sl_finding_replay(const sl_finding *f, char *out, size_t cap) {
  bool ours = !strncmp(f->replay, "scanlab ", 8);
  snprintf(out, cap, "%s%s", ours ? sl_scanlab() : "", f->replay + (ours ? 7 : 0));
  return out;
}

static void put_dim(FILE *to, const uint32_t d[3]) {
  if (d[2] > 1) fprintf(to, "(%u,%u,%u)", d[0], d[1], d[2]);
  else if (d[1] > 1) fprintf(to, "(%u,%u)", d[0], d[1]);
  else fprintf(to, "%u", d[0]);
}

// "scan<<<4,256,2048>>>"; "" without a launch. Returns [out].
static char *finding_launch(const sl_finding *f, char *out, size_t cap) {
  char name[512], shown[512];
  out[0] = 0;
  if (!f->kernel[0]) return out;
  FILE *to = fmemopen(out, cap, "w");
  if (!to) return out;
  fputs(sl_printable(sl_demangle(f->kernel, name, sizeof name), shown, sizeof shown), to);
  if (f->grid[0]) {
    fputs("<<<", to);
    put_dim(to, f->grid), fputc(',', to), put_dim(to, f->threads);
    if (f->shared_bytes) fprintf(to, ",%llu", (unsigned long long)f->shared_bytes);
    fputs(">>>", to);
  }
  fclose(to);
  out[cap - 1] = 0;
  return out;
}

// Lines -----------------------------------------------------------------------------------------------------

static const char *colour(const sl_telling *t, const char *code) { return t && t->colour ? code : ""; }
#define RED "\033[1;31m"
#define BOLD "\033[1m"
#define BLUE "\033[34m"
#define PLAIN "\033[0m"

// What is left of a terminal's columns where `check` shows a finding two columns further in.
static int width_of(FILE *to) {
  return sl_columns(to == stderr ? STDERR_FILENO : STDOUT_FILENO, SL_COLUMNS) - 2;
}

// "  label   text", broken at blanks.
static void put_label(FILE *to, const sl_telling *t, const char *label, const char *text) {
  int column = LABEL + 2;
  fprintf(to, "  %s%-*s%s", colour(t, BLUE), LABEL - 1, label, colour(t, PLAIN));
  while (*text) {
    size_t n = strcspn(text, " "), gap = strspn(text + n, " ");
    if (column + (int)n + 1 > width_of(to) && column > LABEL + 2) {
      fprintf(to, "\n%*s", LABEL + 1, "");
      column = LABEL + 2;
    }
    fprintf(to, " %.*s%*s", (int)n, text, gap > 1 && text[n + gap] ? (int)gap - 1 : 0, "");
    column += (int)(n + gap);
    text += n + gap;
  }
  fputc('\n', to);
}

// Copies a line, tabs as blanks, unprintable bytes as '?'. *caret: column (from 0) of byte [col] (from 1).
static char *expand(const char *line, uint32_t col, size_t *caret) {
  char *out = malloc(TAB * strlen(line) + 1);
  size_t n = 0, bytes = 0; // columns so far, bytes so far
  *caret = 0;
  for (uint32_t k = 1; out && *line; line++, k++) {
    unsigned char c = (unsigned char)*line;
    if (k == col) *caret = n;
    size_t blanks = c == '\t' ? TAB - n % TAB : 0;
    if (c == '\t') memset(out + bytes, ' ', blanks), bytes += blanks, n += blanks;
    else out[bytes++] = c < 32 || c == 127 ? '?' : (char)c, n += (c & 0xc0) != 0x80;
  }
  if (out) out[bytes] = 0;
  return out;
}

static size_t skip_columns(const char *s, size_t columns) {
  size_t k = 0;
  while (s[k] && (columns || ((unsigned char)s[k] & 0xc0) == 0x80))
    columns -= ((unsigned char)s[k++] & 0xc0) != 0x80 && columns;
  return k;
}

static void put_source(FILE *to, const sl_telling *t, const char *file, uint32_t line, uint32_t col) {
  enum { MOST = 88, BESIDE = 17 }; // columns of source; of its number, two times "...", and check's indent
  const size_t room = (size_t)(sl_columns(STDOUT_FILENO, MOST + BESIDE) - BESIDE);
  char shown[LONG_TEXT];
  size_t caret = 0;
  SL_FREED char *text = sl_source_line(t, file, line), *flat = text ? expand(text, col, &caret) : NULL;
  if (!flat) return;
  if (!col) caret = strspn(flat, " ");
  char *from = flat;
  bool cut = caret + 10 > room;
  if (cut) from += skip_columns(flat, caret - room / 2), caret = room / 2 + 3;
  bool longer = from[skip_columns(from, room)] != 0;
  from[skip_columns(from, room)] = 0;
  fprintf(to, " %s%5u |%s %s%s%s\n       %s|%s %*s%s^%s\n", colour(t, BLUE), line, colour(t, PLAIN),
          cut ? "..." : "", sl_printable(from, shown, sizeof shown), longer ? "..." : "", colour(t, BLUE),
          colour(t, PLAIN), (int)caret, "", colour(t, RED), colour(t, PLAIN));
}

// Who did something, and where. file "": that of the finding.
typedef struct told_party {
  const sl_party *p;
  const uint32_t *block, *thread;
  const char *file;
  uint32_t line;
} told_party;

static void put_party(FILE *to, const sl_telling *t, const told_party *who) {
  const sl_party *p = who->p;
  const uint32_t *b = who->block, *th = who->thread;
  char text[LONG_TEXT], *end = text + sizeof text, *at = text;
  if (p->host[0]) at += snprintf(at, (size_t)(end - at), "%s%s%s", p->insn, p->insn[0] ? "  " : "", p->host);
  else
    at += snprintf(at, (size_t)(end - at), "block (%u,%u,%u) thread (%u,%u,%u)", b[0], b[1], b[2], th[0],
                   th[1], th[2]);
  if (p->insn[0] && !p->host[0]) at += snprintf(at, (size_t)(end - at), "  %s", p->insn);
  if (who->line)
    at += snprintf(at, (size_t)(end - at), who->file[0] ? "  %s:%u" : "  %sline %u", who->file, who->line);
  if (p->trip) snprintf(at, (size_t)(end - at), ", loop trip %u", p->trip);
  put_label(to, t, p->role[0] ? p->role : "by", text);
}

static void put_parties(FILE *to, const sl_finding *f, const sl_telling *t) {
  char file[1024];
  bool same = !strcmp(f->file, f->other_file);
  if (f->details[0]) { // they name all parties
    if (f->other_line) put_source(to, t, f->other_file, f->other_line, f->other.col);
    return;
  }
  if (f->grid[0] || f->me.host[0]) put_party(to, t, &(told_party){&f->me, f->block, f->thread, "", f->line});
  if (!f->other_line && !f->other.host[0]) return;
  put_party(to, t,
            &(told_party){&f->other, f->other_block, f->other_thread,
                          same ? "" : sl_source_name(t, f->other_file, file, sizeof file), f->other_line});
  if (!same || f->other_line != f->line) put_source(to, t, f->other_file, f->other_line, f->other.col);
}

// "waits block (0,0,0) ..\n": the first word is the label.
static void put_details(FILE *to, const sl_finding *f, const sl_telling *t) {
  char label[32], line[LONG_TEXT], shown[LONG_TEXT];
  for (const char *p = f->details; *p; p = sl_next_line(p)) {
    size_t n = strcspn(p, "\n"), word = strcspn(p, " ");
    snprintf(label, sizeof label, "%.*s", (int)(word < n ? word : n), p);
    sl__detail(f, t, p + word + 1, word < n ? n - word - 1 : 0, line, sizeof line);
    put_label(to, t, label, sl_printable(line, shown, sizeof shown));
  }
}

// Describes the array.
static void put_array(FILE *to, const sl_finding *f, const sl_telling *t) {
  const sl_object *o = &f->object;
  char text[256], *end = text + sizeof text, *at = text;
  if (!o->size || !strstr(f->what, SL_THE_OBJECT)) return;
  if (o->argument) at += snprintf(at, (size_t)(end - at), "argument %u of the kernel, ", o->argument);
  if (o->allocation) at += snprintf(at, (size_t)(end - at), "allocation %u, ", o->allocation);
  at += snprintf(at, (size_t)(end - at), "%llu bytes", (unsigned long long)o->size);
  const unsigned long long n = o->elem ? o->size / o->elem : 0;
  if (o->elem && !o->scalar)
    snprintf(at, (size_t)(end - at), " (%llu element%s of %u)", n, sl_plural(n), o->elem);
  put_label(to, t, "array", text);
}

static void put_kernel(FILE *to, const sl_finding *f, const sl_telling *t) {
  char launch[1024], text[LONG_TEXT];
  if (!finding_launch(f, launch, sizeof launch)[0]) return;
  if (f->grid[0]) snprintf(text, sizeof text, "%s  launch %llu", launch, (unsigned long long)f->launch);
  else snprintf(text, sizeof text, "%s", launch);
  put_label(to, t, "kernel", text);
}

// Breaks the sentence at [columns]; 0: leaves it in one line.
static void put_finding_head(FILE *to, const sl_finding *f, const sl_telling *t, int columns) {
  char file[1024], place[1100] = "", what[LONG_TEXT];
  const sl_finding_kind *k = sl_finding_kind_of(f->id);
  int column = (int)(strlen(k->severity) + strlen(k->id) + strlen("[]:"));
  if (f->file[0] && f->me.col)
    snprintf(place, sizeof place, "%s:%u:%u:", sl_source_name(t, f->file, file, sizeof file), f->line,
             f->me.col);
  else if (f->file[0])
    snprintf(place, sizeof place, "%s:%u:", sl_source_name(t, f->file, file, sizeof file), f->line);
  if (place[0]) column += fprintf(to, "%s%s%s ", colour(t, BOLD), place, colour(t, PLAIN));
  if (place[0]) column -= (int)(strlen(colour(t, BOLD)) + strlen(colour(t, PLAIN)));
  fprintf(to, "%s%s[%s]:%s", colour(t, RED), k->severity, k->id, colour(t, PLAIN));
  SL_FREED char *text = sl_path(" %s", sl_finding_what(f, t, what, sizeof what));
  if (columns) sl_print_words(to, text, column, FURTHER, columns);
  else fprintf(to, "%s\n", text);
}

static void put_replay(FILE *to, const sl_finding *f, const sl_telling *t) {
  char text[SL_REPLAY_MAX + 8], shown[2 * SL_REPLAY_MAX];
  sl_finding_replay(f, text, sizeof text);
  fprintf(to, "  %s%-*s%s %s\n", colour(t, BLUE), LABEL - 1, "replay",
          colour(t, PLAIN), // one line, to be copied
          sl_printable(text, shown, sizeof shown));
}

static void finding_print(FILE *to, const sl_finding *f, const sl_telling *t, int columns) {
  char text[LONG_TEXT], page[128];
  put_finding_head(to, f, t, columns);
  put_source(to, t, f->file, f->line, f->me.col);
  put_parties(to, f, t);
  put_details(to, f, t);
  put_array(to, f, t);
  put_kernel(to, f, t);
  if (f->count > 1) {
    snprintf(text, sizeof text, "%llu at this place", (unsigned long long)f->count);
    put_label(to, t, "times", text);
  }
  if (sl_finding_note(f)[0]) put_label(to, t, "note", sl_finding_note(f));
  if (sl_finding_why(f, text, sizeof text)[0]) put_label(to, t, "why", text);
  if (sl_finding_advice(f, text, sizeof text)[0]) put_label(to, t, "do", text);
  sl_finding_page(f->id, page, sizeof page);
  put_label(to, t, "read", page);
  if (f->replay[0]) put_replay(to, f, t);
}

// All of them -----------------------------------------------------------------------------------------------

static uint64_t hidden_of(const sl_finding *f, size_t n, sl_found id, size_t *shown) {
  uint64_t hidden = 0;
  *shown = 0;
  for (size_t k = 0; k < n; k++)
    if (f[k].id == id) hidden += f[k].more + (++*shown > MOST_OF_A_KIND);
  return hidden;
}

// How many findings of the same kind stand before it.
static size_t rank(const sl_finding *f, size_t k) {
  size_t before = 0;
  for (size_t i = 0; i < k; i++) before += f[i].id == f[k].id;
  return before;
}

static void findings_print(FILE *to, const sl_finding *f, size_t n, const sl_telling *t, int columns) {
  for (size_t k = 0; k < n; k++) {
    size_t of_kind, before = rank(f, k);
    uint64_t hidden = hidden_of(f, n, f[k].id, &of_kind);
    if (before >= MOST_OF_A_KIND) continue;
    if (k) fputc('\n', to);
    finding_print(to, &f[k], t, columns);
    bool last = before + 1 == of_kind || before + 1 == MOST_OF_A_KIND;
    if (last && hidden)
      fprintf(to, "\n(+%llu more %s)\n", (unsigned long long)hidden, sl_found_name(f[k].id));
  }
}

void sl_findings_print(FILE *to, const sl_finding *f, size_t n, const sl_telling *t) {
  findings_print(to, f, n, t, SL_COLUMNS);
}

char *sl_findings_text(const sl_finding *f, size_t n, const sl_telling *t) {
  char *text = NULL;
  FILE *to = sl_text_stream(&text);
  findings_print(to, f, n, t, 0);
  fclose(to);
  return text;
}

bool sl_wants_colour(int fd) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fd) && !(no && no[0]) && !(term && !strcmp(term, "dumb"));
}
