// printf in kernels: formats one lane's call. Arguments lie in the lane's memory as the compiler packs them:
// 4 bytes for int and char, 8 for long, pointers and double, each aligned to its size.
#include <ctype.h>
#include "engine/core.h"

#define MAX_STRING 4096
#define MAX_FIELD 512

typedef struct sl_printer {
  sl_warp *w;
  int lane;
  uint64_t args; // address of the next argument
  int taken;     // arguments so far
  char out[8192];
  size_t n;
} sl_printer;

static uint64_t argument(sl_printer *p, unsigned bytes) {
  uint64_t v = 0;
  p->args = (p->args + bytes - 1) & ~(uint64_t)(bytes - 1);
  const void *at = sl__generic_ptr(p->w, p->lane, p->args, bytes);
  if (at) memcpy(&v, at, bytes);
  p->args += bytes;
  p->taken++;
  return v;
}

// A NUL-ended string of device memory; false: it is in none.
bool sl__device_string(sl_warp *w, int lane, uint64_t addr, char *out, size_t cap) {
  for (size_t k = 0; k + 1 < cap; k++) {
    const char *c = sl__generic_ptr(w, lane, addr + k, 1);
    if (!c) {
      out[k] = 0;
      return k > 0;
    }
    if (!(out[k] = *c)) return true;
  }
  out[cap - 1] = 0;
  return true;
}

static void put_text(sl_printer *p, const char *s, size_t n) {
  if (n > sizeof p->out - p->n) n = sizeof p->out - p->n;
  memcpy(p->out + p->n, s, n);
  p->n += n;
}

// Copies flags, width and precision of a conversion; takes the `*` of a width from the arguments. Returns
// what follows; NULL: a precision cannot be a `*`, and a GPU prints such a conversion as it stands.
static const char *spec(sl_printer *p, const char *f, char *out, size_t cap) {
  size_t n = 0;
  out[n++] = '%';
  while (*f && strchr("-+ #0123456789.*", *f)) {
    char num[16];
    int len = 1;
    if (*f == '*' && f[-1] == '.') return NULL;
    if (*f == '*') {
      int v = (int)argument(p, 4);
      len = snprintf(num, sizeof num, "%d", v > MAX_FIELD ? MAX_FIELD : v < -MAX_FIELD ? -MAX_FIELD : v);
    } else num[0] = *f;
    if (n + (size_t)len + 4 < cap) memcpy(out + n, num, (size_t)len), n += (size_t)len;
    f++;
  }
  out[n] = 0;
  return f;
}

static const char *length(const char *f, bool *wide, int *narrow) {
  *wide = false, *narrow = 0;
  for (; *f && strchr("hlLjzt", *f); f++) {
    if (*f == 'h') ++*narrow;
    else *wide = true;
  }
  return f;
}

static int64_t sign_extend(uint64_t v, bool wide, int narrow) {
  return wide ? (int64_t)v : narrow == 1 ? (int16_t)v : narrow >= 2 ? (int8_t)v : (int32_t)v;
}

static uint64_t zero_extend(uint64_t v, bool wide, int narrow) {
  return wide ? v : narrow == 1 ? (uint16_t)v : narrow >= 2 ? (uint8_t)v : (uint32_t)v;
}

// Widths beyond MAX_FIELD are cut, so that a field always fits.
static void limit_field(char *s) {
  for (char *c = s; *c; c++)
    if (isdigit((unsigned char)*c)) {
      char *e = c;
      while (isdigit((unsigned char)*e)) e++;
      if (e - c > 3) memmove(c + 3, e, strlen(e) + 1), e = c + 3;
      c = e - 1;
    }
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void convert_argument(sl_printer *p, char *s, size_t cap, char conv, bool wide, int narrow) {
  char text[MAX_STRING + 1100], str[MAX_STRING];
  size_t n = strlen(s);
  int len = 0;
  limit_field(s);
  n = strlen(s);
  if (n + 4 > cap) return;
  if (strchr("di", conv)) {
    memcpy(s + n, (char[]){'l', 'l', conv, 0}, 4);
    len = snprintf(text, sizeof text, s, (long long)sign_extend(argument(p, wide ? 8 : 4), wide, narrow));
  } else if (strchr("uxXo", conv)) {
    memcpy(s + n, (char[]){'l', 'l', conv, 0}, 4);
    len = snprintf(text, sizeof text, s,
                   (unsigned long long)zero_extend(argument(p, wide ? 8 : 4), wide, narrow));
  } else if (strchr("fFeEgGaA", conv)) {
    uint64_t bits = argument(p, 8);
    double d;
    memcpy(&d, &bits, 8);
    memcpy(s + n, (char[]){conv, 0}, 2);
    len = snprintf(text, sizeof text, s, d);
  } else if (conv == 'c') {
    memcpy(s + n, "c", 2);
    len = snprintf(text, sizeof text, s, (int)argument(p, 4));
  } else if (conv == 's') {
    memcpy(s + n, "s", 2);
    uint64_t a = argument(p, 8);
    if (!sl__device_string(p->w, p->lane, a, str, sizeof str))
      snprintf(str, sizeof str, "%s", a ? "(bad pointer)" : "(null)");
    len = snprintf(text, sizeof text, s, str);
  } else if (conv == 'p') {
    memcpy(s + n, "p", 2);
    len = snprintf(text, sizeof text, s, (void *)(uintptr_t)argument(p, 8));
  }
  if (len > 0) put_text(p, text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
}

int sl__device_printf(sl_warp *w, int lane, uint64_t format, uint64_t args) {
  sl_printer p = {.w = w, .lane = lane, .args = args};
  char fmt[MAX_STRING], s[64];
  const sl_launch *l = w->grid->l;
  if (!l->print || !sl__device_string(w, lane, format, fmt, sizeof fmt)) return -1;
  for (const char *f = fmt; *f;) {
    if (*f != '%') {
      size_t n = strcspn(f, "%");
      put_text(&p, f, n);
      f += n;
    } else if (f[1] == '%') {
      put_text(&p, "%", 1);
      f += 2;
    } else {
      bool wide;
      int narrow;
      const char *e = spec(&p, f + 1, s, sizeof s);
      if (!e) {
        put_text(&p, f++, 1);
        continue;
      }
      e = length(e, &wide, &narrow);
      if (!*e) break;
      convert_argument(&p, s, sizeof s, *e, wide, narrow);
      f = e + 1;
    }
  }
  l->print(l->print_ctx, p.out, p.n);
  return p.taken;
}
