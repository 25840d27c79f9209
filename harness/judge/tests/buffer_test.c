// Unit tests of device buffers and of streams to and from the device, on the simulated GPU.

#include "base/unit.h"
#include "judge/buffer.h"
#include "judge/stream.h"

enum { PIECE = 16 << 20, BYTES = 2 * PIECE + 12 }; // three pieces, the last one short

static sl_device *device;
static uint32_t *data;
static sl_error e;

static int set_up(void **) {
  const sl_report_to report = {0};
  sl_gpu_options o = sl_gpu_options_default();
  device = sl_device_open(SL_BACKEND_SIM, &o, &report, &e);
  data = malloc(BYTES);
  for (size_t i = 0; data && i < BYTES / 4; i++) data[i] = (uint32_t)i * 2654435761u;
  return device && data ? 0 : (sl_error_print("buffer_test", &e), 1);
}

static int tear_down(void **) {
  free(data);
  return sl_device_close(device, &e) ? 0 : 1;
}

static sl_buffer make(const void *from, size_t bytes, sl_guards g) {
  sl_buffer b = {.name = "x", .data = from, .seed = 7};
  assert_true(sl_buffer_make(&b, device, g, bytes, &e));
  return b;
}

static void write_byte(const sl_buffer *b, size_t at, int change) {
  unsigned char byte;
  assert_true(sl_device_read(device, &byte, (char *)b->base + at, 1, &e));
  byte = (unsigned char)(byte + change);
  assert_true(sl_device_write(device, (char *)b->base + at, &byte, 1, &e));
}

// Where each of them is, in every piece, is what is found.
TEST(changed_bytes_are_found) {
  static const size_t places[] = {BYTES - 1, 2 * PIECE, 2 * PIECE - 1, PIECE + 5, PIECE, 4, 0};
  sl_buffer b = make(data, BYTES, (sl_guards){4, 0});
  size_t at;
  assert_true(sl_buffer_changed(&b, device, &at, &e) && at == BYTES);
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) { // each before those that are there
    write_byte(&b, b.lead + places[k], 1);
    assert_true(sl_buffer_changed(&b, device, &at, &e));
    assert_int_equal(at, places[k]);
  }
  sl_buffer_free(&b, device);
}

TEST(written_guards_are_found) {
  int64_t at;
  sl_buffer b = make(data, 400, (sl_guards){64, 128});
  static const struct {
    size_t at;
    int64_t element;
  } rows[] = {{464 + 127, 131}, {464, 100}, {63, -1}, {0, -16}};
  assert_true(sl_buffer_guards(&b, device, 4, &at, &e) && at == SL_INTACT);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    write_byte(&b, rows[k].at, 1);
    assert_true(sl_buffer_guards(&b, device, 4, &at, &e));
    assert_int_equal(at, rows[k].element);
  }
  sl_buffer_free(&b, device);
}

typedef struct seen {
  const uint32_t *words;
  size_t next;
  bool same;
} seen;

static void look(void *context, size_t from, size_t count, void *piece) {
  seen *s = context;
  s->same &= from == s->next && !memcmp((const char *)s->words + from, piece, count);
  s->next += count;
}

// An output holds the poison that sl_buffer_poison says, and pieces arrive in order and once.
TEST(poison_is_what_is_said) {
  sl_buffer b = make(NULL, BYTES, (sl_guards){0, 0});
  SL_FREED uint32_t *poison = sl_buffer_poison(&b);
  seen s = {poison, 0, true};
  assert_true(poison && sl_stream_read(device, b.base, BYTES, look, &s, &e));
  assert_true(s.same && s.next == BYTES);
  for (size_t i = 0; i < 1000; i++) assert_int_equal(poison[i] >> 16, 0xffa5); // a NaN as a float
  assert_true(poison[0] != poison[PIECE / 4] || poison[1] != poison[PIECE / 4 + 1]);
  sl_buffer_free(&b, device);
}

TEST(nothing_and_errors_are_told) {
  sl_error own = {0};
  seen s = {data, 0, true};
  assert_true(sl_stream_read(device, NULL, 0, look, &s, &own) && s.next == 0);
  assert_false(sl_stream_read(device, NULL, BYTES, look, &s, &own)); // no such memory
  assert_int_equal(own.code, SL_EXIT_INFRA);
  assert_int_equal(s.next, 0);
}

int main(void) { return RUN_TESTS(set_up, tear_down); }
