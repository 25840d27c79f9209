// From a reason and its fields to words: the rows of verdicts.def as templates.
//
// Interface: reason.h. A template is copied up to its end, or up to the > that closes the present clause. A
// clause is tried out first, and dropped if one of its fields is missing.
#include "judge/reason.h"
#include "base/base.h"

const char *const sl_status_names[] = {"pass", "fail", "error", "skip", "untried", NULL};

sl_status sl_status_find(const char *name) {
  int k = 0;
  while (k < SL_STATUS_COUNT && (!name || strcmp(name, sl_status_names[k]) != 0)) k++;
  return (sl_status)k;
}

static const sl_reason_row REASONS[] = {
#define SL_REASON(name, id, text, brief, hint) [SL_REASON_##name] = {id, text, brief, hint},
#include "judge/verdicts.def"
#undef SL_REASON
    [SL_REASON_COUNT] = {"", "", "", ""}};

const sl_reason_row *sl_reason_of(sl_reason r) {
  return &REASONS[(unsigned)r < SL_REASON_COUNT ? r : SL_REASON_COUNT];
}

sl_reason sl_reason_find(const char *id) {
  int k = 0;
  while (k < SL_REASON_COUNT && (!id || strcmp(id, REASONS[k].id) != 0)) k++;
  return (sl_reason)k;
}

bool sl_reason_is_leak(sl_reason r) { return r == SL_REASON_MEMORY_KEPT || r == SL_REASON_HANDLES_KEPT; }

static const char *pattern_text(const char *id) {
  static const char *const PATTERNS[][2] = {
#define SL_PATTERN(name, id, text) {id, text},
#include "reference/patterns.def"
#undef SL_PATTERN
  };
  for (size_t k = 0; k < sizeof PATTERNS / sizeof *PATTERNS; k++)
    if (!strcmp(id, PATTERNS[k][0])) return PATTERNS[k][1];
  return id;
}

// Templates -------------------------------------------------------------------------------------------------

typedef struct sl_words {
  const json_t *fields;
  FILE *to;
  bool lacks; // a field is missing
} sl_words;

static const char *put_template(sl_words *w, const char *at, char end);

static void put_field(sl_words *w, const char *name, const char *form) {
  const json_t *v = json_object_get(w->fields, name);
  const char *text = json_string_value(v);
  w->lacks |= !v;
  if (!v) fputc('?', w->to);
  else if (text && !strcmp(name, "pattern")) put_template(w, pattern_text(text), 0);
  else if (text) fputs(text, w->to);
  else if (!strcmp(form, "s")) fputs(sl_plural(json_integer_value(v)), w->to);
  else if (form[0] == '%') fprintf(w->to, form, json_number_value(v));
  else fprintf(w->to, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
}

// "{name}" or "{name:form}": returns what is behind it.
static const char *put_braces(sl_words *w, const char *at) {
  char name[32] = "", form[16] = "";
  int len = 0;
  if (sscanf(at, "{%31[a-z_]:%15[^}]}%n", name, form, &len) < 2 || !len)
    form[0] = 0, sscanf(at, "{%31[a-z_]}%n", name, &len);
  put_field(w, name, form);
  return at + (len ? len : 1);
}

static const char *put_clause(sl_words *w, const char *at) {
  SL_FREED char *text = NULL;
  sl_words inner = {.fields = w->fields, .to = sl_text_stream(&text)};
  at = put_template(&inner, at, '>');
  fclose(inner.to);
  if (!inner.lacks) fputs(text, w->to);
  return at + (*at == '>');
}

static const char *put_template(sl_words *w, const char *at, char end) {
  while (*at && *at != end)
    if (*at == '{') at = put_braces(w, at);
    else if (*at == '<') at = put_clause(w, at + 1);
    else fputc(*at++, w->to);
  return at;
}

bool sl_schedule_is_usual(const char *words) { return !words || !*words || !strcmp(words, "order=in"); }

static char *put_words(const char *text, const json_t *fields, char *out, size_t cap) {
  sl_words w = {.fields = fields, .to = fmemopen(out, cap, "w")};
  out[0] = 0;
  if (!w.to) return out;
  put_template(&w, "<call {call} (n = {n}<, as in {of}>): >", 0);
  put_template(&w, text, 0);
  if (!sl_schedule_is_usual(json_string_value(json_object_get(fields, "schedule"))))
    put_template(&w, " (under the schedule {schedule})", 0);
  fclose(w.to);
  out[cap - 1] = 0;
  return out;
}

char *sl_reason_text(sl_reason r, const json_t *fields, char *out, size_t cap) {
  return put_words(sl_reason_of(r)->text, fields, out, cap);
}

char *sl_reason_brief(sl_reason r, const json_t *fields, char *out, size_t cap) {
  const sl_reason_row *row = sl_reason_of(r);
  return put_words(row->brief[0] ? row->brief : row->text, fields, out, cap);
}
