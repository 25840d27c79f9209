// Texts that mean the same, written by different people and systems: without marks, case and signs.
//
// Interface: sl__plain leaves letters and digits, in lower case. A letter with a mark is the letter, whether
// it is one character (as Windows writes it) or two (as macOS does). sl__plain_key does the same to what
// means a person, where a spreadsheet may have taken the zeros in front of a number.
#include "intake/intake.h"

#include <ctype.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

enum { MAX_LETTERS = 3, MAX_BYTES = 4 }; // letters a character has, bytes a letter has

// The plain letters of U+00C0 to U+017F.
static const char bare[] =
    "aaaaaaaceeeeiiiidnoooooxouuuuytsaaaaaaaceeeeiiiidnoooooxouuuuytyaaaaaaccccccccddddeeeeeeeeeegggg"
    "gggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof bare == 0x180 - 0xC0 + 1, "one letter for each");

// The others that Unicode takes apart into a letter and marks, behind that letter: Latin, Greek, Cyrillic,
// Arabic.
static const wchar_t marked_letters[] =
    L"aǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cḉ dḋḍḏḑḓ eȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gǧǵḡ hȟḣḥḧḩḫẖ iǐȉȋḭḯỉị jǰ kǩḱḳḵ "
    L"lḷḹḻḽ mḿṁṃ nǹṅṇṉṋ oơǿǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rȑȓṙṛṝṟ sșṡṣṥṧṩ tțṫṭṯṱẗ "
    L"uưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wẁẃẅẇẉẘ xẋẍ yȳẏẙỳỵỷỹ zẑẓẕ αά εέ ηή ιΐίϊ οό σς υΰϋύ ωώ аӑӓ гѓ "
    L"еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѵѷ әӛ өӫ \u0627\u0622\u0623\u0625 \u0648\u0624 "
    L"\u064A\u0626";

// Kana with a mark, which stand behind (one or two characters) those without.
static const wchar_t voiced[] =
    L"がぎぐげござじずぜぞだぢづでどばびぶべぼガギグゲゴザジズゼゾダヂヅデドバビブベボ";
static const wchar_t half_voiced[] = L"ぱぴぷぺぽパピプペポ";

static wchar_t without_mark(wchar_t c) {
  const wchar_t *at = c == L' ' ? NULL : wcschr(marked_letters, c);
  while (at && at > marked_letters && at[-1] != L' ') at--;
  if (at) return *at;
  return c - (wcschr(voiced, c) != NULL) - 2 * (wcschr(half_voiced, c) != NULL);
}

// Is it a mark that stands alone, a blank, or a sign such as a dash or an apostrophe?
static bool does_not_count(wchar_t c) {
  static const struct {
    wchar_t first, last;
  } ranges[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},     {0x2B0, 0x36F},
                {0x591, 0x5C7},   {0x64B, 0x65F},   {0x670, 0x670},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                {0x2000, 0x206F}, {0x20D0, 0x20FF}, {0x3000, 0x3004}, {0x3099, 0x309C}, {0x30FB, 0x30FB},
                {0xFE00, 0xFE2F}, {0xFEFF, 0xFEFF}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
    if (c >= ranges[k].first && c <= ranges[k].last) return true;
  return false;
}

// The plain form of a character: a letter or digit in lower case, or 0 for what does not count.
static wchar_t plain_character(wchar_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFF01 - '!'; // full-width forms
  if (c >= 0xC0 && c < 0x180) return (wchar_t)bare[c - 0xC0];
  if (c < 0x80) return isalnum((int)c) ? (wchar_t)tolower((int)c) : 0;
  if (c == 0x1E9E) return 's';
  return does_not_count(c) ? 0 : without_mark((wchar_t)towlower((wint_t)c));
}

// The second of the two letters that a system without this letter writes for it. 0: none.
static wchar_t second_letter(wchar_t c) {
  static const struct {
    wchar_t small, large;
    char second;
  } pairs[] = {{L'\u00DF', L'\u1E9E', 's'},
               {L'\u00E6', L'\u00C6', 'e'},
               {L'\u0153', L'\u0152', 'e'},
               {L'\u00FE', L'\u00DE', 'h'}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (c == pairs[k].small || c == pairs[k].large) return (wchar_t)pairs[k].second;
  return 0;
}

// The letters of a Korean syllable. Returns how many; 0: it is none.
static size_t take_syllable_apart(wchar_t c, wchar_t letters[MAX_LETTERS]) {
  const wchar_t at = c - 0xAC00;
  if (at < 0 || at >= 19 * 21 * 28) return 0;
  letters[0] = 0x1100 + at / (21 * 28), letters[1] = 0x1161 + at / 28 % 21, letters[2] = 0x11A7 + at % 28;
  return at % 28 ? 3 : 2;
}

// The plain letters of a character. Returns how many.
static size_t plain_letters(wchar_t c, wchar_t letters[MAX_LETTERS]) {
  size_t n = take_syllable_apart(c, letters);
  const wchar_t first = plain_character(c), second = second_letter(c);
  if (n) return n;
  if (first) letters[n++] = first;
  if (second) letters[n++] = second;
  return n;
}

void sl__plain(const char *s, char *out, size_t cap) {
  static locale_t utf8;
  if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
  locale_t before = utf8 ? uselocale(utf8) : NULL;
  mbstate_t in = {0}, to = {0};
  size_t n = 0;
  for (wchar_t c, letters[MAX_LETTERS]; *s && n + MAX_LETTERS * MAX_BYTES < cap;) {
    size_t len = mbrtowc(&c, s, strlen(s), &in);
    if (len > strlen(s)) c = (unsigned char)*s, len = 1, in = (mbstate_t){0};
    for (size_t k = 0, many = plain_letters(c, letters); k < many; k++) {
      size_t wrote = wcrtomb(out + n, letters[k], &to);
      n += wrote <= MAX_BYTES ? wrote : 0;
    }
    s += len;
  }
  out[n] = 0;
  if (before) uselocale(before);
}

void sl__plain_key(const char *s, char *out, size_t cap) {
  sl__plain(s, out, cap);
  const size_t zeros = strspn(out, "0"), len = strlen(out);
  if (zeros && zeros < len && strspn(out, "0123456789") == len) memmove(out, out + zeros, len - zeros + 1);
}
