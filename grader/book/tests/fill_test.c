// Canvas and Moodle: one column of an exported file is filled and every other byte stays, a table of files;
// what is refused; cells of every form.

#include "base/unit.h"
#include "a_class.h"
#include "base/test_folder.h"

static const a_test full[] = {{"01.scan.a.sim", "pass", 100, 100, "right", NULL}, {0}};
static const a_test some[] = {{"01.scan.a.sim", "fail", 87.5, 100, "slow", NULL}, {0}};
static const a_test broken[] = {{"01.scan.a.sim", "error", 0, 100, "no compiler", NULL}, {0}};

static sl_book book;
static sl_term term;

static int set_up(void **state) {
  sl_error e = {0};
  sl_policy p;
  sl_import_sum sum = {0};
  const a_lab labs[] = {{"anna", "01_naive_scan", "k1", NULL, "1", full},
                        {"bert", "01_naive_scan", "k2", NULL, "1", some},
                        {"Carla van Dyk", "01_naive_scan", "k3", NULL, "1", full},
                        {"dora", "01_naive_scan", "k4", NULL, "1", broken},
                        {"emil", "01_naive_scan", NULL, NULL, "1", broken},
                        {0}};
  if (make_folder(state)) return -1;
  char *path = sl_path("%s/book.db", dir);
  SL_FREED char *out = sl_path("%s/out", dir);
  a_class_write(out, labs, "");
  bool ok = sl__book_open(&book, path, true, &e) && sl__import(&book, out, NULL, &sum, &e) &&
            sl__policy_read(&book, NULL, &p, &e) && sl__term(&book, &p, NULL, &term, &e);
  return ok ? 0 : -1;
}

static int tear_down(void **state) {
  sl__book_close(&book);
  return remove_folder(state);
}

typedef struct filled {
  const char *system, *from, *to; // to: the whole file afterwards; or, with said, NULL
  const char *said;               // part of the error
  const char *column, *match;
  bool scale;
  int64_t left;
} filled;

#define CANVAS "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77),Lab 10 (78),Current Score\r\n"
#define POSSIBLE "    Points Possible,,,,,100,50,(read only)\r\n"
#define MOODLE                                                                                               \
  "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "                \
  "changed\",\"Feedback comments\"\n"

static const filled files[] = {
    {"canvas",
     CANVAS POSSIBLE
     "\"Miller, Anna\",3,77,anna,\"S, 1\",,,5\r\n\"B\",4,78,bert,S,\"12\",,\r\nTest,,,,,,,\r\n",
     CANVAS POSSIBLE
     "\"Miller, Anna\",3,77,anna,\"S, 1\",100,,5\r\n\"B\",4,78,bert,S,\"87.5\",,\r\nTest,,,,,,,\r\n",
     NULL, "Lab 1", NULL, false, 1},
    // by name, turned round; a byte order mark; lines that end in LF; no end of the last line
    {"canvas", "\xEF\xBB\xBFStudent,ID,Section,Lab 1\nanna,1,S,\nbert,2,S,\n\"van Dyk, Carla\",3,S,",
     "\xEF\xBB\xBFStudent,ID,Section,Lab 1\nanna,1,S,100\nbert,2,S,87.5\n\"van Dyk, Carla\",3,S,100", NULL,
     "Lab 1", NULL, false, 0},
    // Canvas can export the two parts of a name apart
    {"canvas",
     "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77)\n"
     "    Points Possible,,,,,,100\n"
     "van Dyk,Carla,1,,cvd,S,\nvan Dyk,Cora,2,,cd,S,\n",
     "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77)\n"
     "    Points Possible,,,,,,100\n"
     "van Dyk,Carla,1,,cvd,S,100\nvan Dyk,Cora,2,,cd,S,\n",
     NULL, "Lab 1", NULL, false, 2},
    // a suffix, where Canvas or a person has put it
    {"canvas", "Student,ID,Section,Lab 1\n\"Carla van Dyk, Jr.\",1,S,\n\"bert, Jr.\",2,S,\n",
     "Student,ID,Section,Lab 1\n\"Carla van Dyk, Jr.\",1,S,\n\"bert, Jr.\",2,S,\n", NULL, "Lab 1", NULL,
     false, 3},
    // written in another way: capitals, a mark apart, a byte of Latin-1 somewhere, Excel's own line
    {"canvas",
     "sep=;\r\nStudent;ID;SIS Login ID;Section;Lab 1\r\nX;1;ANNA;S;\r\n\xD8;2;B.ert;S;\r\nCa\xCC\x81rla van  "
     "Dyk;3;;S;\r\n",
     "sep=;\r\nStudent;ID;SIS Login ID;Section;Lab "
     "1\r\nX;1;ANNA;S;100\r\n\xD8;2;B.ert;S;87.5\r\nCa\xCC\x81rla van  Dyk;3;;S;100\r\n",
     NULL, "Lab 1", NULL, false, 0},
    // sorted by name: the row of points is not the second one
    {"canvas",
     CANVAS "A,1,,anna,S,,,\r\nB,2,,x,S,,,\r\nC,3,,y,S,,,\r\nD,4,,z,S,,,\r\nE,5,,u,S,,,\r\n" POSSIBLE, NULL,
     "here are 100 points, and the column has '50'", "Lab 10", NULL, false, 0},
    // what a person has done to the points
    {"canvas", CANVAS "Points Possible,,,,,\"1,600.00\",,\r\nA,1,,anna,S,,,\r\n", NULL,
     "the points of the column are no number: '1,600.00'", "Lab 1", NULL, true, 0},
    {"canvas", CANVAS "Points Possible,,,,,1. Oct,,\r\nA,1,,anna,S,,,\r\n", NULL,
     "the points of the column are no number: '1. Oct'", "Lab 1", NULL, false, 0},
    {"canvas", CANVAS "Points Possible,,,,,-100,,\r\nA,1,,anna,S,,,\r\n", NULL,
     "the points of the column are no number: '-100'", "Lab 1", NULL, true, 0},
    {"canvas",
     CANVAS
     "Points Possible,,,,,,,\r\nA,1,,anna,S,n/a,,\r\nB,2,,bert,S,3.4.2026,,\r\nC,3,,Carla van Dyk,S,ex,,\r\n",
     CANVAS
     "Points Possible,,,,,,,\r\nA,1,,anna,S,100,,\r\nB,2,,bert,S,87.5,,\r\nC,3,,Carla van Dyk,S,ex,,\r\n",
     NULL, "Lab 1", NULL, false, 1},
    // one column sorted without the others; the column that is named counts alone
    {"canvas", CANVAS POSSIBLE "bert,1,,anna,S,,,\r\n", NULL,
     "row 3 has the name of 'bert' and the number of 'anna'", "Lab 1", NULL, false, 0},
    {"canvas", CANVAS POSSIBLE "bert,1,,anna,S,,,\r\n", CANVAS POSSIBLE "bert,1,,anna,S,100,,\r\n", NULL,
     "Lab 1", "SIS Login ID", false, 2},
    // a comma without quotes shifts a row; every row of a system may end in a comma
    {"canvas", CANVAS POSSIBLE "Miller, Anna,1,,anna,S,,\r\nB,2,,bert,S,,,,\r\n", NULL,
     "row 4 has more cells than there are titles: 'B'", "Lab 1", NULL, false, 0},
    {"canvas", "Student,SIS Login ID,Lab 1\nA,anna,,\nB,bert,,\n",
     "Student,SIS Login ID,Lab 1\nA,anna,100,\nB,bert,87.5,\n", NULL, "Lab 1", NULL, false, 1},
    {"canvas", "Student,ID,Lab 1,Lab 1\nA,anna,,\n", NULL, "several columns are called 'Lab 1'", "Lab 1",
     NULL, false, 0},
    {"canvas", CANVAS POSSIBLE "A,1,,anna,S,,,\r\n", NULL, "there is no column 'SIS'", "Lab 1", "SIS", false,
     0},
    {"canvas", "PK\3\4x", NULL, "is a spreadsheet or an archive", "Lab 1", NULL, false, 0},
    // semicolons and a decimal comma; cells with line ends and quotes inside
    {"canvas",
     "Student;ID;SIS Login ID;Section;Lab 1\r\nPoints Possible;;;;100,00\r\n\"a "
     "\"\"b\"\"\r\nc\";1;bert;S;\r\nX;2;anna;S;1,5\r\n",
     "Student;ID;SIS Login ID;Section;Lab 1\r\nPoints Possible;;;;100,00\r\n\"a "
     "\"\"b\"\"\r\nc\";1;bert;S;87,5\r\nX;2;anna;S;100\r\n",
     NULL, "Lab 1", NULL, false, 1},
    // excused stays
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,EX,,\r\nB,4,,bert,S,,,\r\nC,5,,Carla van Dyk,S,,,\r\n",
     CANVAS POSSIBLE "A,3,,anna,S,EX,,\r\nB,4,,bert,S,87.5,,\r\nC,5,,Carla van Dyk,S,100,,\r\n", NULL,
     "Lab 1", NULL, false, 1},
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,,,\r\nB,4,,bert,S,,,\r\n",
     CANVAS POSSIBLE "A,3,,anna,S,,50,\r\nB,4,,bert,S,,43.75,\r\n", NULL, "Lab 10", NULL, true, 1},
    // neither the student without a score nor the one whom the grader failed gets one
    {"canvas", CANVAS POSSIBLE "D,3,,dora,S,,,\r\nE,4,,emil,S,7,,\r\n",
     CANVAS POSSIBLE "D,3,,dora,S,,,\r\nE,4,,emil,S,7,,\r\n", NULL, "Lab 1", NULL, false, 3},
    {"canvas", "Student,ID,Kuerzel,Section,Lab 1\nX,anna,bert,S,\n",
     "Student,ID,Kuerzel,Section,Lab 1\nX,anna,bert,S,87.5\n", NULL, "Lab 1", "Kuerzel", false, 2},
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,,,\r\n", NULL, "here are 100 points, and the column has '50'",
     "Lab 10", NULL, false, 0},
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,,,\r\n", NULL, "the system computes the column 'Current Score'",
     "Current Score", NULL, false, 0},
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,,,\r\n", NULL, "there is no column 'Lab 2'", "Lab 2", NULL, false,
     0},
    {"canvas", "Student,ID,Lab 1 (1),Lab 1 (2)\nA,anna,,\n", NULL, "several columns begin with 'Lab 1'",
     "Lab 1", NULL, false, 0},
    {"canvas", CANVAS POSSIBLE "A,3,,anna,S,,,\r\nB,4,,anna,S,,,\r\n", NULL,
     "rows 3 and 4 are both of 'anna'", "Lab 1", NULL, false, 0},
    {"canvas", CANVAS "A,3,,anna\r\n", NULL, "row 2 is too short: 'anna'", "Lab 1", NULL, false, 0},
    {"canvas", CANVAS "\"A,3,,anna,S,,,\r\n", NULL, "line 2: a quoted cell has no end", "Lab 1", NULL, false,
     0},
    {"canvas", "", NULL, "is empty", "Lab 1", NULL, false, 0},
    {"canvas", CANVAS, NULL, "canvas needs --column", NULL, NULL, false, 0},
    {"moodle",
     MOODLE "\"Participant anna\",A,a@b.c,Submitted,,100.00,Yes,\n\"Participant "
            "9\",B,bert,No,,100.00,Yes,\"x, y\"\n\"Participant 7\",\"Carla van Dyk\",,-,5,100.00,No,\n",
     MOODLE "\"Participant anna\",A,a@b.c,Submitted,100,100.00,Yes,\n\"Participant "
            "9\",B,bert,No,87.5,100.00,Yes,\"x, y\"\n\"Participant 7\",\"Carla van Dyk\",,-,5,100.00,No,\n",
     NULL, NULL, NULL, false, 1},
    {"moodle", MOODLE "\"Participant anna\",A,a@b.c,-,,20.00,Yes,\n",
     MOODLE "\"Participant anna\",A,a@b.c,-,20,20.00,Yes,\n", NULL, NULL, NULL, true, 2},
    {"moodle", MOODLE "\"Participant anna\",A,a@b.c,-,,20.00,Yes,\n", NULL, "the column has '20.00'", NULL,
     NULL, false, 0},
};

static void check_file(const filled *x, size_t k, const char *from, const char *to) {
  sl_error e = {0}, w = {0};
  int64_t left = 0;
  size_t len;
  assert_true(sl_write_file(from, x->from, strlen(x->from), &w));
  remove(to);
  const sl_fill o = {.system = x->system,
                     .from = from,
                     .to = to,
                     .column = x->column,
                     .match = x->match,
                     .lab = "01_naive_scan",
                     .scale = x->scale};
  bool ok = sl__fill(&book, &term, &o, &left, &e);
  if (x->said) {
    if (ok || !strstr(e.text, x->said)) fail_msg("row %zu: '%s' instead of '%s'", k, e.text, x->said);
    assert_false(sl_is_file(to));
    return;
  }
  SL_FREED char *got = ok ? sl_read_file(to, 1 << 20, &len, &w) : NULL;
  if (!got || strcmp(got, x->to) || left != x->left)
    fail_msg("row %zu: %s, %lld left\n%s", k, e.text, (long long)left, got ? got : "");
}

TEST(columns_are_filled_and_nothing_else) {
  SL_FREED char *from = sl_path("%s/from.csv", dir), *to = sl_path("%s/to.csv", dir);
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) check_file(&files[k], k, from, to);
}

// Two students of one full name: a row that has nothing else of them is nobody's, and both are named. A third
// one's suffix stands in the file where Canvas puts it.
TEST(a_name_of_two_students_is_nobodys) {
  sl_error e = {0};
  sl_policy p;
  sl_term t;
  sl_book b;
  sl_import_sum sum = {0};
  size_t len;
  int64_t left = 0;
  const a_lab labs[] = {{"f1", "01_naive_scan", "k1", NULL, "1", full},
                        {"f2", "01_naive_scan", "k2", NULL, "1", some},
                        {"g", "01_naive_scan", "k3", NULL, "1", full},
                        {0}};
  static const char named
      [] = "{\"student\": \"f1\", \"name\": \"Fay F\", \"status\": \"taken\"},"
           "{\"student\": \"f2\", \"name\": \"Fay F\", \"status\": \"taken\"},"
           "{\"student\": \"g\", \"name\": \"Gus G, Jr.\", \"status\": \"taken\"},",
 file[] =
      "Student,ID,SIS Login ID,Section,Lab 1\n\"F, Fay\",1,f2,S,\n\"F, Fay\",2,,S,\n\"G, Gus Jr.\",3,,S,\n",
 filled_in[] = "Student,ID,SIS Login ID,Section,Lab 1\n\"F, Fay\",1,f2,S,87.5\n\"F, Fay\",2,,S,\n\"G, Gus "
               "Jr.\",3,,S,100\n";
  SL_FREED char *out = sl_path("%s/fay", dir), *path = sl_path("%s/fay.db", dir),
                *from = sl_path("%s/fay.csv", dir), *to = sl_path("%s/fay.to.csv", dir);
  a_class_write(out, labs, named);
  assert_true(sl__book_open(&b, path, true, &e) && sl__import(&b, out, NULL, &sum, &e) &&
              sl__policy_read(&b, NULL, &p, &e) && sl__term(&b, &p, NULL, &t, &e));
  assert_string_equal(t.students[1].name, "Fay F");
  assert_true(sl_write_file(from, file, strlen(file), &e));
  const sl_fill o = {.system = "canvas", .from = from, .to = to, .column = "Lab 1", .lab = "01_naive_scan"};
  assert_true(sl__fill(&b, &t, &o, &left, &e));
  SL_FREED char *got = sl_read_file(to, 1 << 20, &len, &e);
  assert_string_equal(got, filled_in);
  assert_int_equal(left, 1);
  sl__book_close(&b);
}

// Every other row names its student by the id, the rest by the name.
static void write_people(const char *path, int people) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs("Student,ID,SIS Login ID,Section,Lab 1\n", f);
  for (int k = 0; k < people; k++)
    if (k % 2) fprintf(f, "x,%d,s%d,S,\n", k, k);
    else fprintf(f, "\"L%d, First\",%d,,S,\n", k, k);
  assert_int_equal(fclose(f), 0);
}

TEST(a_table_of_50000_people) {
  enum { PEOPLE = 50000 };
  sl_error e = {0};
  int64_t left = 0;
  size_t len;
  sl_book b;
  sl_final final = {.lab = "01_naive_scan", .final = 7, .max = 100, .counts = true};
  SL_FREED char *path = sl_path("%s/people.db", dir);
  assert_true(sl__book_open(&b, path, true, &e));
  sl_term t = {.n = PEOPLE, .n_labs = 1, .students = sl__alloc(b.a, PEOPLE * sizeof *t.students)};
  const char *from = sl__str(b.a, "%s/people.csv", dir), *to = sl__str(b.a, "%s/people.to.csv", dir);
  for (int k = 0; k < PEOPLE; k++)
    t.students[k] = (sl_enrolled){
        .id = sl__str(b.a, "s%d", k), .name = sl__str(b.a, "First L%d", k), .labs = &final, .total = k};
  write_people(from, PEOPLE);
  const sl_fill o = {.system = "canvas", .from = from, .to = to, .column = "Lab 1"};
  assert_true(sl__fill(&b, &t, &o, &left, &e)); // all pairs would take longer than a test may
  assert_int_equal(left, 0);
  SL_FREED char *got = sl_read_file(to, 64 << 20, &len, &e);
  assert_non_null(strstr(got, "\nx,49999,s49999,S,49999\n"));
  assert_non_null(strstr(got, "\n\"L49998, First\",49998,,S,49998\n"));
  sl__book_close(&b);
}

// Students whose roster has the surname first, without a comma: Moodle writes it last. What is written of one
// student as it is of another in another order, is the other's.
TEST(names_in_another_order_than_the_roster) {
  sl_error e = {0};
  sl_policy p;
  sl_term t;
  sl_book b;
  sl_import_sum sum = {0};
  int64_t left = 0;
  size_t len;
  const a_lab labs[] = {{"s1", "01_naive_scan", "k1", NULL, "1", full},
                        {"s2", "01_naive_scan", "k2", NULL, "1", some},
                        {"s3", "01_naive_scan", "k3", NULL, "1", full},
                        {"s4", "01_naive_scan", "k4", NULL, "1", some},
                        {0}};
  static const char
      named[] = "{\"student\": \"s1\", \"name\": \"M\u00fcller Bj\u00f6rn\", \"status\": \"taken\"},"
                "{\"student\": \"s2\", \"name\": \"van der Heide Anna Maria\", \"status\": \"taken\"},"
                "{\"student\": \"s3\", \"name\": \"James Henry\", \"status\": \"taken\"},"
                "{\"student\": \"s4\", \"name\": \"Henry James\", \"status\": \"taken\"},",
      file[] = "Identifier,Full name,Grade\nParticipant 71,Bj\xC3\xB6rn M\xC3\xBCller,\nParticipant 72,"
               "Anna Maria van der Heide,\nParticipant 73,James Henry,\nParticipant 74,Henry James,\n",
      filled_in[] =
          "Identifier,Full name,Grade\nParticipant 71,Bj\xC3\xB6rn M\xC3\xBCller,100\nParticipant 72,"
          "Anna Maria van der Heide,87.5\nParticipant 73,James Henry,100\nParticipant 74,Henry James,87.5\n";
  SL_FREED char *path = sl_path("%s/order.db", dir), *from = sl_path("%s/order.csv", dir),
                *to = sl_path("%s/order.to", dir), *out = sl_path("%s/order", dir);
  a_class_write(out, labs, named);
  assert_true(sl__book_open(&b, path, true, &e) && sl__import(&b, out, NULL, &sum, &e) &&
              sl__policy_read(&b, NULL, &p, &e) && sl__term(&b, &p, NULL, &t, &e));
  assert_true(sl_write_file(from, file, strlen(file), &e));
  const sl_fill o = {.system = "moodle", .from = from, .to = to, .lab = "01_naive_scan"};
  assert_true(sl__fill(&b, &t, &o, &left, &e));
  SL_FREED char *got = sl_read_file(to, 1 << 20, &len, &e);
  assert_string_equal(got, filled_in);
  assert_int_equal(left, 0);
  sl__book_close(&b);
}

// A later roster wrote the name the other way round: Moodle's table, which has the right one, is filled all
// the same.
TEST(names_that_students_had_before_tell_too) {
  sl_error e = {0};
  sl_policy p;
  sl_term t;
  sl_book b;
  sl_import_sum sum = {0};
  int64_t left = 0;
  size_t len;
  const a_lab labs[] = {{"s1", "01_naive_scan", "k1", NULL, "1", full}, {0}};
  static const char *const entries[] = {"{\"student\": \"s1\", \"name\": \"Zoe M\", \"status\": \"taken\"},",
                                        "{\"student\": \"s1\", \"name\": \"M, Zoe\", \"status\": \"taken\"},",
                                        "{\"student\": \"s1\", \"name\": \"M Zoe\", \"status\": \"taken\"},"};
  static const char file[] = "Identifier,Full name,Grade\nParticipant 7,Zoe M,\n";
  SL_FREED char *path = sl_path("%s/zoe.db", dir), *from = sl_path("%s/zoe.csv", dir),
                *to = sl_path("%s/zoe.to", dir);
  assert_true(sl__book_open(&b, path, true, &e));
  for (int k = 0; k < 3; k++) {
    SL_FREED char *out = sl_path("%s/zoe%d", dir, k);
    a_class_write(out, labs, entries[k]);
    assert_true(sl__import(&b, out, NULL, &sum, &e));
  }
  assert_true(sl__policy_read(&b, NULL, &p, &e) && sl__term(&b, &p, NULL, &t, &e));
  assert_string_equal(t.students[0].name, "M Zoe");
  assert_true(sl_write_file(from, file, strlen(file), &e));
  const sl_fill o = {.system = "moodle", .from = from, .to = to, .lab = "01_naive_scan"};
  assert_true(sl__fill(&b, &t, &o, &left, &e));
  SL_FREED char *got = sl_read_file(to, 1 << 20, &len, &e);
  assert_string_equal(got, "Identifier,Full name,Grade\nParticipant 7,Zoe M,100\n");
  assert_int_equal(left, 0);
  sl__book_close(&b);
}

int main(void) { return RUN_TESTS(set_up, tear_down); }
