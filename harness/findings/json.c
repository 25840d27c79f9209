// A finding as one JSON object: the same facts as the block of text, each under its own key.
//
// Interface: sl_finding_json (findings.h). docs/reference/sim.md lists the keys. Strings are escaped by
// sl_printable (control characters, broken UTF-8), then quotes and backslashes here.
#include "base/base.h"
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

static void put_string(FILE *to, const char *s) {
  char *clean = malloc(4 * strlen(s) + 1);
  fputc('"', to);
  for (const char *p = clean ? sl_printable(s, clean, 4 * strlen(s) + 1) : ""; *p; p++) {
    if (*p == '"' || *p == '\\') fputc('\\', to);
    fputc(*p, to);
  }
  fputc('"', to);
  free(clean);
}

static void put_text(FILE *to, const char *key, const char *value) {
  fprintf(to, ", \"%s\": ", key);
  put_string(to, value);
}

static void put_triple(FILE *to, const char *key, const uint32_t v[3]) {
  fprintf(to, ", \"%s\": [%u, %u, %u]", key, v[0], v[1], v[2]);
}

static void put_source(FILE *to, const sl_telling *t, const char *file, uint32_t line) {
  char *source = sl_source_line(t, file, line);
  if (source) put_text(to, "source", source);
  free(source);
}

// The parts that both parties have. The first key has been written.
static void put_party(FILE *to, const sl_party *p) {
  if (p->col) fprintf(to, ", \"column\": %u", p->col);
  if (p->role[0]) put_text(to, "role", p->role);
  if (p->insn[0]) put_text(to, "instruction", p->insn);
  if (p->trip) fprintf(to, ", \"trip\": %u", p->trip);
  if (p->host[0]) put_text(to, "host", p->host);
}

static void put_object(FILE *to, const sl_finding *f, const sl_telling *t) {
  const sl_object *o = &f->object;
  char text[512];
  if (!o->space[0]) return;
  fprintf(to, ", \"array\": {\"text\": ");
  put_string(to, sl_finding_object(f, t, text, sizeof text));
  put_text(to, "name", o->name);
  put_text(to, "space", o->space);
  fprintf(to, ", \"index\": %lld, \"bytes\": %u, \"element_bytes\": %u, \"size\": %llu", (long long)o->index,
          o->bytes, o->elem, (unsigned long long)o->size);
  if (o->argument) fprintf(to, ", \"argument\": %u", o->argument);
  if (o->allocation) fprintf(to, ", \"allocation\": %u", o->allocation);
  fputc('}', to);
}

static void put_launch(FILE *to, const sl_finding *f) {
  if (!f->grid[0]) return;
  fprintf(to, ", \"launch\": %llu, \"shared_bytes\": %llu", (unsigned long long)f->launch,
          (unsigned long long)f->shared_bytes);
  put_triple(to, "grid", f->grid);
  put_triple(to, "block_size", f->threads);
}

static void put_other(FILE *to, const sl_finding *f, const sl_telling *t) {
  char text[1024];
  fprintf(to, ", \"other\": {\"file\": ");
  put_string(to, sl_source_name(t, f->other_file, text, sizeof text));
  fprintf(to, ", \"line\": %u", f->other_line);
  if (f->other_line || f->other.host[0]) {
    if (!f->other.host[0]) put_triple(to, "block", f->other_block), put_triple(to, "thread", f->other_thread);
    put_party(to, &f->other);
    put_source(to, t, f->other_file, f->other_line);
  }
  fputc('}', to);
}

// A list of the lines.
static void put_details(FILE *to, const sl_finding *f) {
  const char *sep = ", \"details\": [";
  char line[sizeof f->details];
  for (const char *p = f->details; *p; sep = ", ") {
    size_t n = strcspn(p, "\n");
    snprintf(line, sizeof line, "%.*s", (int)n, p);
    fputs(sep, to);
    put_string(to, line);
    p += n + (p[n] == '\n');
  }
  fputc(']', to);
}

static void put_kind(FILE *to, const sl_finding *f, const sl_telling *t) {
  char text[2048];
  put_text(to, "severity", sl_finding_kind_of(f->id)->severity);
  put_text(to, "what", sl_finding_what(f, t, text, sizeof text));
  put_text(to, "why", sl_finding_why(f, text, sizeof text));
  put_text(to, "advice", sl_finding_advice(f, text, sizeof text));
  sl_finding_page(f->id, text, sizeof text);
  put_text(to, "page", text);
  put_text(to, "replay", sl_finding_replay(f, text, sizeof text));
}

char *sl_finding_json(const sl_finding *f, const sl_telling *t) {
  char *out = NULL, text[2048];
  size_t len;
  FILE *to = open_memstream(&out, &len);
  if (!to) return NULL;
  fputs("{\"id\": ", to);
  put_string(to, sl_found_name(f->id));
  put_text(to, "message", f->message);
  put_text(to, "kernel", sl_demangle(f->kernel, text, sizeof text));
  put_text(to, "mangled", f->kernel);
  put_text(to, "file", sl_source_name(t, f->file, text, sizeof text));
  fprintf(to, ", \"line\": %u", f->line);
  put_party(to, &f->me);
  put_source(to, t, f->file, f->line);
  if (f->grid[0] && !f->me.host[0]) put_triple(to, "block", f->block), put_triple(to, "thread", f->thread);
  put_launch(to, f);
  put_object(to, f, t);
  put_other(to, f, t);
  if (f->details[0]) put_details(to, f);
  put_kind(to, f, t);
  fprintf(to, ", \"count\": %llu, \"more\": %llu}", (unsigned long long)f->count,
          (unsigned long long)f->more);
  fclose(to);
  return out;
}
