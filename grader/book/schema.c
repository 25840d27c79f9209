// The tables of a gradebook, and the triggers that keep rows as they are.
//
// Interface: sl__schema is run once, in an empty file. Every table refuses UPDATE and DELETE, and an INSERT
// that would replace a row (INSERT OR REPLACE deletes without asking a DELETE trigger). Texts that are not
// known are NULL, but '' where they belong to a key. Times are UTC, "2026-11-22T22:20:00Z".
#include "book.h"

// A table with its triggers. [key]: the condition under which a row of the table is the new one.
#define TABLE(name, columns, key)                                                                            \
  "CREATE TABLE " name "(" columns ") STRICT;"                                                               \
  "CREATE TRIGGER " name "_update BEFORE UPDATE ON " name                                                    \
  " BEGIN SELECT RAISE(ABORT, 'a gradebook only grows: " name " is never changed'); END;"                    \
  "CREATE TRIGGER " name "_delete BEFORE DELETE ON " name                                                    \
  " BEGIN SELECT RAISE(ABORT, 'a gradebook only grows: nothing of " name " is removed'); END;"               \
  "CREATE TRIGGER " name "_replace BEFORE INSERT ON " name " WHEN EXISTS (SELECT 1 FROM " name " WHERE " key \
  ") BEGIN SELECT RAISE(ABORT, 'a gradebook only grows: " name " has this row'); END;"

const char *const sl__book_tables[] = {"imports", "students", "attempts",  "handins", "gradings",
                                       "tests",   "findings", "overrides", NULL};

const char sl__schema[] =
    // One import of a graded class. What is in manifest.json of the class is in its columns.
    TABLE("imports",
          "id INTEGER PRIMARY KEY, at TEXT NOT NULL, source TEXT NOT NULL, course_version TEXT, "
          "course_commit TEXT, key TEXT, taken TEXT, deadline TEXT",
          "id = NEW.id")
    // What a class said of a student: taken, absent, unreadable, unknown.
    TABLE("students",
          "id INTEGER PRIMARY KEY, import INTEGER NOT NULL REFERENCES imports, student TEXT NOT NULL, name "
          "TEXT, source TEXT, handed_in TEXT, status TEXT NOT NULL, reason TEXT, print TEXT NOT NULL UNIQUE",
          "id = NEW.id OR print = NEW.print")
    // kernel: SHA-256 of kernel.cu; '': it could not be read.
    TABLE("attempts",
          "id INTEGER PRIMARY KEY, student TEXT NOT NULL, lab TEXT NOT NULL, kernel TEXT NOT NULL, "
          "UNIQUE (student, lab, kernel)",
          "id = NEW.id OR (student = NEW.student AND lab = NEW.lab AND kernel = NEW.kernel)")
    // When an attempt was handed in; at '': not known.
    TABLE("handins",
          "id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempts, at TEXT NOT NULL, "
          "import INTEGER NOT NULL REFERENCES imports, misplaced TEXT, UNIQUE (attempt, at)",
          "id = NEW.id OR (attempt = NEW.attempt AND at = NEW.at)")
    // errors: tests that ended in an error of the grader. A grading with one gives no score. edited: what was
    // changed outside of the TODO regions (not in books of form 1).
    TABLE("gradings",
          "id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL REFERENCES attempts, import INTEGER NOT NULL "
          "REFERENCES imports, score REAL NOT NULL, max REAL NOT NULL, errors INTEGER NOT NULL, problem "
          "TEXT, version TEXT NOT NULL, course_commit TEXT, tools TEXT NOT NULL, lab_json TEXT, key TEXT, "
          "sandbox TEXT, backend TEXT NOT NULL, schedule TEXT, started TEXT NOT NULL, ended TEXT NOT NULL, "
          "print TEXT NOT NULL UNIQUE, edited TEXT",
          "id = NEW.id OR print = NEW.print")
        TABLE("tests",
              "grading INTEGER NOT NULL REFERENCES gradings, place "
              "INTEGER NOT NULL, name TEXT NOT NULL, part TEXT, "
              "status TEXT NOT NULL, points REAL NOT NULL, max REAL NOT "
              "NULL, seconds REAL NOT NULL, seed INTEGER, "
              "device TEXT, reason TEXT, fields TEXT, message TEXT NOT "
              "NULL, detail TEXT, hint TEXT, speed TEXT, audience TEXT, "
              "PRIMARY KEY (grading, place)",
              "grading = NEW.grading AND place = NEW.place")
    // all: the finding as the judge wrote it, JSON.
    TABLE("findings",
          "grading INTEGER NOT NULL, place INTEGER NOT NULL, nr INTEGER NOT NULL, kind TEXT NOT NULL, "
          "kernel TEXT, file TEXT, line INTEGER, text TEXT, everything TEXT NOT NULL, PRIMARY KEY "
          "(grading, place, nr), FOREIGN KEY (grading, place) REFERENCES tests",
          "grading = NEW.grading AND place = NEW.place AND nr = NEW.nr")
    // points NULL: the override before is withdrawn.
    TABLE("overrides",
          "id INTEGER PRIMARY KEY, at TEXT NOT NULL, student TEXT NOT NULL, lab TEXT NOT NULL, points REAL, "
          "reason TEXT NOT NULL CHECK (reason <> ''), who TEXT NOT NULL CHECK (who <> '')",
          "id = NEW.id") "CREATE INDEX handins_of ON handins(attempt);CREATE INDEX gradings_of ON "
                         "gradings(attempt);CREATE INDEX overrides_of ON overrides(student, lab);CREATE "
                         "INDEX students_of ON students(student);";
