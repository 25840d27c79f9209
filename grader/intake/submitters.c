// Gradescope's submission_metadata.yml: whose the folders of its export are, and when they were handed in.
//
// Interface: sl__submitters. The file is a mapping from folder to {":submitters": [{":name", ":sid",
// ":email"}], ":created_at", ..}; libyaml reads it. Everything else in it (results, feedback) is passed over.
#include "intake/intake.h"

#include <yaml.h>

enum { MAX_FILE = 256 << 20, MAX_TEXT = 1000 }; // MAX_TEXT: bytes of a name, a number, an address

typedef struct metadata {
  sl_arena *a;
  yaml_document_t doc;
  sl_submitter *list;
  size_t n;
} metadata;

// NULL: it has no text, or more than a name can have.
static const char *text_of(metadata *m, const yaml_node_t *node) {
  if (!node || node->type != YAML_SCALAR_NODE || node->data.scalar.length > MAX_TEXT) return NULL;
  const char *text = sl__one_line(
      m->a, sl__str(m->a, "%.*s", (int)node->data.scalar.length, (const char *)node->data.scalar.value));
  return *text ? text : NULL;
}

// The value of [key] in a mapping, NULL if there is none.
static yaml_node_t *value_of(metadata *m, const yaml_node_t *map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const yaml_node_t *k = yaml_document_get_node(&m->doc, p->key);
    if (k && k->type == YAML_SCALAR_NODE && !strcmp((const char *)k->data.scalar.value, key))
      return yaml_document_get_node(&m->doc, p->value);
  }
  return NULL;
}

static void add_submitter(metadata *m, const char *folder, const yaml_node_t *who, const char *time) {
  const char *utc = sl__parse_time(m->a, time);
  m->list = sl__more(m->a, m->list, m->n, sizeof *m->list);
  m->list[m->n++] = (sl_submitter){.folder = folder,
                                   .name = text_of(m, value_of(m, who, ":name")),
                                   .number = text_of(m, value_of(m, who, ":sid")),
                                   .email = text_of(m, value_of(m, who, ":email")),
                                   .handed_in = utc,
                                   .odd_time = utc ? NULL : time};
}

static void add_submission(metadata *m, const char *folder, const yaml_node_t *of) {
  const yaml_node_t *list = value_of(m, of, ":submitters");
  const char *time = text_of(m, value_of(m, of, ":created_at"));
  if (!folder || !list || list->type != YAML_SEQUENCE_NODE) return;
  for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    add_submitter(m, folder, yaml_document_get_node(&m->doc, *i), time);
}

static bool walk_root(metadata *m) {
  const yaml_node_t *root = yaml_document_get_root_node(&m->doc);
  if (!root || root->type != YAML_MAPPING_NODE) return false;
  for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++)
    add_submission(m, text_of(m, yaml_document_get_node(&m->doc, p->key)),
                   yaml_document_get_node(&m->doc, p->value));
  return true;
}

bool sl__submitters(sl_arena *a, const char *path, sl_submitter **out, size_t *n, sl_error *e) {
  metadata m = {.a = a};
  size_t len;
  SL_FREED unsigned char *text = sl_read_file(path, MAX_FILE, &len, e);
  yaml_parser_t parser;
  if (!text) return false;
  size_t line = 0; // where the text stops being YAML
  bool ok = yaml_parser_initialize(&parser);
  if (ok) yaml_parser_set_input_string(&parser, text, len);
  ok = ok && yaml_parser_load(&parser, &m.doc);
  if (ok) {
    ok = walk_root(&m);
    yaml_document_delete(&m.doc);
  } else line = parser.problem_mark.line + 1;
  yaml_parser_delete(&parser);
  *out = m.list;
  *n = m.n;
  return ok || sl_fail(e, SL_EXIT_INPUT, "take the file as Gradescope exported it, or remove it",
                       "%s: is no list of submissions from Gradescope%s", path,
                       line ? sl__str(a, ": line %zu cannot be read", line) : "");
}
