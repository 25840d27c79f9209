// The roster: in odd encodings, with names in every order, with doubles and unknown people.
#include "handed_in.h"

static void class_of_four(void) {
  hand_in("anna/01_naive_scan/kernel.cu", KERNEL);
  MAKE("anna.zip", FILE_("02_double_buffer/kernel.cu", KERNEL));
  MAKE("mullerbjo\xCC\x88rn_12345_678_a.zip", FILE_("01_naive_scan/kernel.cu", KERNEL));
  hand_in("stranger/01_naive_scan/kernel.cu", KERNEL);
}

TEST(rosters_in_every_encoding) {
  static const char *const rosters[] = {
      "id,name\nanna,Anna A\nbm,\"M\xC3\xBCller, Bj\xC3\xB6rn\"\ncarl,Carl C\n",
      "\xEF\xBB\xBFname;id\r\nAnna A;anna\r\n\"M\xC3\xBCller, Bj\xC3\xB6rn\";bm\r\nCarl "
      "C;carl\r\ncarl;carl\r\n",
      "First name\tSurname\tUsername\nAnna\tA\tanna\nBj\xF6rn\tM\xFCller\tbm\nCarl\tC\tcarl", // Latin-1
      "Student,ID,SIS Login ID,Section\n    Points Possible,,,\n\"M\xC3\xBCller, Bj\xC3\xB6rn\",12345,bm,A\n"
      "\"A, Anna\",5,anna,A\n\"C, Carl\",6,carl,A\n",
  };
  static const char *const name[] = {"bm", "bm", "bm", "12345"};
  for (size_t i = 0; i < sizeof rosters / sizeof *rosters; i++) {
    new_class(NULL);
    class_of_four();
    char *file = sl_path("roster%zu.csv", i), *path = sl_path("%s/%s", test_dir, file);
    test_write(file, rosters[i]);
    GRADING g = taken_class(&(sl_course){.roster = path});
    const char *anna = i == 3 ? "5" : "anna", *carl = i == 3 ? "6" : "carl";
    assert_taken(&g, anna, "1");
    assert_int_equal(who(&g, anna)->in.status, SL_TAKEN);
    assert_taken(&g, name[i], "1");
    assert_int_equal(who(&g, carl)->in.status, SL_TAKEN_ABSENT);
    assert_int_equal(who(&g, "stranger")->in.status, SL_TAKEN_UNKNOWN);
    assert_taken(&g, "stranger", "1");
    assert_string_equal(who(&g, "stranger")->in.reason, "not in the roster");
    assert_int_equal(who(&g, "anna.zip")->in.status, SL_TAKEN_UNKNOWN);
    assert_taken(&g, "anna.zip", "2");
    assert_int_equal(g.n, 5);
    free(file);
    free(path);
  }
}

typedef struct encoded {
  const char *bytes;
  size_t len;
  const char *name; // the only student's, in UTF-8; NULL: refused
} encoded;

#define ENCODED(bytes, name)                                                                                 \
  { bytes, sizeof(bytes) - 1, name }
static const encoded encodings[] = {
    ENCODED("id,name\na,M\xC3\xBCller \xF0\xA0\xAE\xB7\n", "M\xC3\xBCller \xF0\xA0\xAE\xB7"),
    ENCODED("id,name\na,M\xC3\xBCller \xF0\xA0\xAE\xB7\n\xFC,\n",
            "M\xC3\xBCller \xF0\xA0\xAE\xB7"),            // a line in another one
    ENCODED("id,name\na,O\x92Neill \x8Aimon M\xFCller\n", // as Excel on Windows saves a table
            "O\xE2\x80\x99Neill \xC5\xA0imon M\xC3\xBCller"),
    // UTF-16, with a character of two halves, both ways round
    ENCODED("\xFF\xFEi\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0M\0\xFC\0\x42\xD8\xB7\xDF\r\0\n\0",
            "M\xC3\xBC\xF0\xA0\xAE\xB7"),
    ENCODED("\xFE\xFF\0i\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0M\0\xFC\xD8\x42\xDF\xB7", "M\xC3\xBC\xF0\xA0\xAE\xB7"),
    ENCODED("\xFF\xFEi\0d\0,\0n\0a\0m\0e\0\n\0a\0,\0\x42\xD8x\0\n\0", "\xEF\xBF\xBDx"),
    ENCODED("\xFF\xFEi\0d\0\n\0a\0\0\0b\0\n\0", NULL),
    ENCODED("i\0d\0\n\0a\0\n\0", NULL), // UTF-16 without a mark
};

// A name as a roster, Canvas and Moodle write it: all mean one person; people read the usual order.
TEST(names_with_suffixes_in_every_order) {
  static const struct {
    const char *written, *read;
  } names[] = {
      {"John Smith", "John Smith"},
      {"Smith, John", "John Smith"},
      {" Smith ,  John ", "John Smith"},
      {"Smith, Jr., John", "John Smith Jr."},
      {"Smith, John Jr.", "John Smith Jr."},
      {"Smith, John, Jr.", "John Smith Jr."},
      {"John Smith, Jr.", "John Smith Jr."},
      {"John Smith III", "John Smith III"},
      {"Smith, Jr.", "Smith Jr."},
      {"Garc\xC3\xAD"
       "a M\xC3\xA1rquez L\xC3\xB3pez, Gabriel",
       "Gabriel Garc\xC3\xAD"
       "a M\xC3\xA1rquez L\xC3\xB3pez"},
      {"O'Brien, Se\xC3\xA1n", "Se\xC3\xA1n O'Brien"},
      {"Iv, Ann", "Ann Iv"},
      {"Jr", "Jr"},
      {"", ""},
      {",", ""},
  };
  ARENA a = sl__arena_new();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(sl__name_in_order(a, names[i].written), names[i].read);
}

TEST(a_roster_finds_people_with_suffixes) {
  static const char *const rosters[] = {
      "id,name\njs,\"Smith, Jr., John\"\n", "id,name\njs,\"Smith, John Jr.\"\n",
      "id,name\njs,\"John Smith, Jr.\"\n", "id,first name,last name\njs,John,\"Smith, Jr.\"\n"};
  static const char *const handed_in[] = {"smithjrjohn_14_803_kernel.cu", "smithjohnjr_14_803_kernel.cu",
                                          "John Smith, Jr._4713_assignsubmission_file_kernel.cu",
                                          "Smith, Jr., John.tar.xz"};
  for (size_t i = 0; i < 16; i++) {
    new_class(NULL);
    SL_FREED char *path = sl_path("%s/suffix%zu.csv", test_dir, i);
    sl_error e = {0};
    assert_true(sl_write_file(path, rosters[i / 4], strlen(rosters[i / 4]), &e));
    hand_in(handed_in[i % 4], KERNEL);
    GRADING g = taken_class(&(sl_course){.roster = path});
    if (g.n != 1 || strcmp(g.subs[0].name, "js"))
      fail_msg("%s is not found as %s", rosters[i / 4], handed_in[i % 4]);
    assert_string_equal(g.subs[0].in.full, "John Smith Jr.");
  }
}

// One name, as Windows writes it (a letter and its mark are one character) and as macOS does (two).
TEST(letters_with_their_marks_apart) {
  static const struct {
    const char *one, *two;
  } names[] = {
      {"Nguy\u1EC5n Th\u1ECB \u00C1nh", "Nguye\u0302\u0303n Thi\u0323 A\u0301nh"},
      {"\u0421\u0435\u0440\u0433\u0435\u0439 \u0401\u043B\u043A\u0438\u043D",
       "\u0421\u0435\u0440\u0433\u0435\u0438\u0306 \u0415\u0308\u043B\u043A\u0438\u043D"},
      {"\uAE40\uBBFC\uC900", "\u1100\u1175\u11B7\u1106\u1175\u11AB\u110C\u116E\u11AB"},
      {"\u304C\u30D1\u30BE", "\u304B\u3099\u30CF\u309A\u30BD\u3099"},
      {"\u0393\u03B9\u03CE\u03C1\u03B3\u03BF\u03C2", "\u0393\u03B9\u03C9\u0301\u03C1\u03B3\u03BF\u03A3"},
      {"L\u01D0 W\u011Bi", "Li\u030C We\u030Ci"},
      {"\u0623\u062D\u0645\u062F", "\u0627\u0654\u062D\u0645\u062F"},
      {"\uFF21\uFF11", "a1"},
      {"O\u2019Neill\u00A0\u200B", "O'Neill"}};
  char one[64], two[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    sl__plain(names[i].one, one, sizeof one);
    sl__plain(names[i].two, two, sizeof two);
    assert_true(*one);
    assert_string_equal(one, two);
  }
}

// A system that has no such letter writes two.
TEST(letters_that_are_written_as_two) {
  static const struct {
    const char *written, *plain;
  } names[] = {{"Wei\xC3\x9F", "weiss"},   {"WEI\xE1\xBA\x9E", "weiss"},  {"Kj\xC3\xA6r", "kjaer"},
               {"\xC5\x92uvre", "oeuvre"}, {"\xC3\x9E\xC3\xB3r", "thor"}, {"M\xC3\xBCller", "muller"}};
  char plain[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    sl__plain(names[i].written, plain, sizeof plain);
    assert_string_equal(plain, names[i].plain);
    for (size_t cap = 1; cap < 16; cap++) { // never more than there is room for
      memset(plain, '!', sizeof plain);
      sl__plain(names[i].written, plain, cap);
      assert_true(strlen(plain) < cap && plain[cap] == '!');
    }
  }
}

TEST(names_keep_their_letters_in_every_encoding) {
  for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
    const encoded *x = &encodings[i];
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    sl_people r = {.g = &g, .path = sl__str(g.arena, "%s/encoded.csv", test_dir), .what = "roster"};
    assert_true(sl_write_file(r.path, x->bytes, x->len, &e));
    bool ok = sl__read_people(&r, &e);
    if (ok != !!x->name) fail_msg("row %zu: %s", i, e.text);
    if (x->name) {
      assert_true(r.n > 0);
      assert_string_equal(r.list[0].name, x->name);
    } else {
      assert_int_equal(e.code, SL_EXIT_INPUT);
      assert_non_null(strstr(e.text, "has bytes of zero"));
    }
  }
}

// Who is in the roster keeps the name of the roster; who cannot be told from others gets another one.
TEST(an_unknown_submission_takes_no_name_of_the_roster) {
  SL_FREED char *path = sl_path("%s/same.csv", test_dir);
  test_write("same.csv", "id,name\nann,Ann Lee\na2,Ann\ndora,Dora D\n");
  hand_in("ann/01_naive_scan/kernel.cu", KERNEL); // an id, and another student's name
  hand_in("dora/01_naive_scan/kernel.cu", KERNEL);
  hand_in("Dora D/02_double_buffer/kernel.cu", KERNEL);
  GRADING g = taken_class(&(sl_course){.roster = path});
  assert_int_equal(g.n, 5);
  assert_int_equal(who(&g, "ann")->in.status, SL_TAKEN_ABSENT);
  assert_int_equal(who(&g, "a2")->in.status, SL_TAKEN_ABSENT);
  assert_int_equal(who(&g, "ann (2)")->in.status, SL_TAKEN_UNKNOWN);
  assert_taken(&g, "ann (2)", "1");
  assert_string_equal(who(&g, "ann (2)")->in.own, "ann");
  assert_taken(&g, "dora", "2"); // the first of two in the order of names
  assert_int_equal(who(&g, "dora (2)")->in.status, SL_TAKEN_UNKNOWN);
}

// Canvas names the files of a group by the group, with the number of one member.
TEST(the_work_of_a_group_is_all_members) {
  SL_FREED char *path = sl_path("%s/groups.csv", test_dir);
  test_write("groups.csv",
             "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
             "\"Lee, Ann\",11,u1,ann,S,Tide Clock!,55,\n\"Kim, Bo\",12,u2,bo,S,Tide Clock!,55,\n"
             "\"Ray, Cy\",13,u3,cy,S,,,\n\"Fox, Di\",14,u4,di,S,Tide Clock!,55,\n");
  hand_in("tideclock_LATE_12_678_kernel.cu", KERNEL);
  hand_in("raycy_13_679_kernel.cu", KERNEL);
  hand_in("u4/01_naive_scan/kernel.cu", KERNEL); // by herself, and first
  GRADING g = taken_class(&(sl_course){.roster = path, .fresh = true, .accept_misplaced = true});
  static const char *const all[] = {"u1", "u2", "u3", "u4"};
  assert_int_equal(g.n, 4);
  for (size_t k = 0; k < 4; k++) {
    const sl_submission *s = who(&g, all[k]);
    assert_int_equal(s->in.status, SL_TAKEN);
    assert_int_equal(s->in.late, k < 2);
    assert_int_equal(s->in.reason && strstr(s->in.reason, "by the group Tide Clock!"), k < 2);
    assert_taken(&g, all[k], "1");
  }
}

// Ids that differ in marks alone are different people's; written in a third way they are nobody's.
TEST(ids_that_differ_in_marks_alone) {
  SL_FREED char *path = sl_path("%s/marks.csv", test_dir);
  static const char *const own[] = {"ann.lee",     "annlee",       "a-b",      "ab",          "Eva", "eva",
                                    "Jos\xC3\xA9", "Jose\xCC\x81", "\xC3\x9F", "ss",          "s1",  "s10",
                                    "1e5",         "100000",       "007",      "7",           "-rf", "=1+1",
                                    "%s",          "+1",           "@x",       "\xE6\x9D\x8E"};
  static const char *const nobodys[] = {"ann_lee", "a b", "EVA", "JOSE"};
  enum { N = sizeof own / sizeof *own, OTHERS = sizeof nobodys / sizeof *nobodys };
  ARENA a = sl__arena_new();
  const char *table = "id,name\n..,Dots\na/b,Slash\n";
  for (size_t i = 0; i < N; i++) {
    table = sl__str(a, "%s%s,Student %zu\n", table, own[i], i);
    hand_in(sl__str(a, "%s/01_naive_scan/kernel.cu", own[i]), KERNEL);
  }
  for (size_t i = 0; i < OTHERS; i++) hand_in(sl__str(a, "%s/01_naive_scan/kernel.cu", nobodys[i]), KERNEL);
  test_write("marks.csv", table);
  GRADING g = taken_class(&(sl_course){.roster = path});
  assert_int_equal(g.n, N + OTHERS + 2);
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(who(&g, own[i])->in.status, SL_TAKEN);
    assert_string_equal(who(&g, own[i])->in.own, own[i]);
  }
  for (size_t i = 0; i < OTHERS; i++) assert_int_equal(who(&g, nobodys[i])->in.status, SL_TAKEN_UNKNOWN);
  assert_int_equal(who(&g, "..")->in.status, SL_TAKEN_ABSENT);
  assert_int_equal(who(&g, "a/b")->in.status, SL_TAKEN_ABSENT);
  SL_EACH_SUB(&g, s) // no folder leads elsewhere
    assert_true(!strchr(s->id, '/') && s->id[0] != '.');
}

// What spreadsheets and people do to a table.
TEST(rosters_that_a_spreadsheet_has_had) {
  static const struct {
    const char *text, *handed_in, *found;
  } rows[] = {{"sep=;\r\nid;name\r\nann;Ann Lee\r\n;;\r\n;\r\n", "ann", "ann"},
              {"\"sep=\t\"\nid\tname\nann\tAnn Lee\n", "ann", "ann"},
              {"id,name\n12345,Ann Lee\n", "0012345", "12345"}, // zeros lost there
              {"id,name\n0012345,Ann Lee\n", "12345", "0012345"},
              {"id,name\n\xC2\xA0"
               "ann\xE2\x80\x8B,\"Ann\nLee\"\n",
               "ann", "ann"},
              {"id,name,role\nann,Ann Lee,Student\nprof,P P,Instructor\nta,T T,TA\n", "ann", "ann"},
              {"Vorname;Nachname;ID-Nummer;E-Mail-Adresse\nAnn;Lee;7;ann@x.de\n", "Lee, Ann", "7"},
              {"name,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,id\n"
               "Ann,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,7\n",
               "Ann", "7"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    new_class(NULL);
    SL_FREED char *path = sl_path("%s/spread.csv", test_dir),
                  *kernel = sl_path("%s/01_naive_scan/kernel.cu", rows[i].handed_in);
    test_write("spread.csv", rows[i].text);
    hand_in(kernel, KERNEL);
    GRADING g = taken_class(&(sl_course){.roster = path});
    if (g.n != 1 || strcmp(g.subs[0].raw_name, rows[i].found) || g.subs[0].in.status != SL_TAKEN)
      fail_msg("row %zu: %zu people, the first is %s", i, g.n, g.subs[0].raw_name);
  }
}

// What cannot be mended is told with its line, and the row is taken as it is.
TEST(doubtful_rows_are_told) {
  static const struct {
    const char *text, *said;
  } rows[] = {{"id,name\na,A\n1.2E+05,B\n", "line 3: a spreadsheet has shortened this id, and its digits are "
                                            "lost: export the table again: 1.2E+05"},
              {"id,name\n\"1,2E+05\",B\n", "line 2: a spreadsheet has shortened"},
              {"id,name,x\na,A,\n\nb,Miller,Bo,b@x\n",
               "line 4: more cells than line 1 has titles (a comma in a name without quotes?): b"},
              {"id,name,role\na,A,Student\np,P,Teaching Assistant\n",
               "line 3: is no student, and passed over: p (Teaching Assistant)"},
              {"Student,ID\n\"A, Anna\",5\n\"Student, Test\",9\n",
               "line 3: is Canvas's own, and passed over: Student, Test"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    const char *path = sl__str(g.arena, "%s/doubt.csv", test_dir),
               *said = sl__str(g.arena, "%s/said", test_dir);
    test_write("doubt.csv", rows[i].text);
    fflush(stderr);
    int before = dup(2);
    assert_non_null(freopen(said, "w", stderr));
    bool ok = sl__apply_roster(&g, path, &e);
    fflush(stderr);
    dup2(before, 2), close(before);
    SL_FREED char *text = sl_read_file(said, 1 << 20, NULL, &e);
    if (!ok || !text || !strstr(text, rows[i].said)) fail_msg("row %zu: %s", i, text ? text : e.text);
  }
}

// A cell of a megabyte is no name: the row's other cells count.
TEST(a_name_of_a_megabyte_is_none) {
  GRADING g = {.arena = sl__arena_new()};
  sl_error e = {0};
  char *name = sl__alloc(g.arena, (1 << 20) + 1);
  memset(name, 'x', 1 << 20);
  test_write("large.csv", sl__str(g.arena, "id,name\nann,%s\n", name));
  assert_true(sl__apply_roster(&g, sl__str(g.arena, "%s/large.csv", test_dir), &e));
  assert_int_equal(g.n, 1);
  assert_string_equal(g.subs[0].raw_name, "ann");
  assert_null(g.subs[0].in.full);
}

TEST(wrong_rosters_are_refused) {
  static const struct {
    const char *text, *why;
  } rows[] = {{"a,b\n1,2\n", "line 1 names no column of a roster: a"},
              {"", "is empty"},
              {"\xEF\xBB\xBF\n,,\n", "is empty"},
              {"PK\3\4", "is a spreadsheet or an archive"},
              {"id\n", "nobody"},
              {"id\n\n \n", "nobody"},
              {"id,name\nanna,A\nbert,\"B\ncarl,C\n", "line 3: a quoted cell has no end"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    GRADING g = {.arena = sl__arena_new()};
    sl_error e = {0};
    test_write("wrong.csv", rows[i].text);
    assert_false(sl__apply_roster(&g, sl__str(g.arena, "%s/wrong.csv", test_dir), &e));
    assert_int_equal(e.code, SL_EXIT_INPUT);
    assert_non_null(strstr(e.text, rows[i].why));
  }
}

int main(void) {
  begin_each_with(new_class);
  return RUN_TESTS(test_set_up, test_tear_down);
}
