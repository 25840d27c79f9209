// Tests of the program sl-data as its users see it: exit codes, messages, and what is on the disk afterwards.

#include "base/unit.h"
#include "base/test_folder.h"
#include "scanlab/npy.h"
#include <signal.h>

static char *program;
static char said[65536]; // what the last run wrote

// Runs a shell command in the test folder with the program as $P; returns its exit code.
static int run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int run(const char *fmt, ...) {
  char command[2048], *out;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(command, sizeof command, fmt, ap);
  va_end(ap);
  SL_FREED char *script = sl_path("IFS=; P='%s'; %s", program, command);
  sl_error e = {0};
  sl_exit_status s = sl_run(SL_ARGV("sh", "-c", script), dir, 60, sizeof said - 1, &out, &e);
  assert_int_equal(e.code, 0);
  strcpy(said, out);
  free(out);
  return s.timed_out ? -2 : s.code;
}

static void expect(int code, int found, const char *says) {
  if (code != found || !strstr(said, says))
    fail_msg("expected exit %d and \"%s\", found exit %d and:\n%s", code, says, found, said);
}

static int count(const char *folder, const char *part) {
  SL_FREED char *path = sl_path("%s/%s", dir, folder);
  DIR *d = opendir(path);
  int n = 0;
  for (struct dirent *f; d && (f = readdir(d));) n += f->d_name[0] != '.' && strstr(f->d_name, part);
  if (d) closedir(d);
  return n;
}

// A catalog with one set of [n] random keys and the post-condition [post], and its manifest.
static void put_catalog(size_t n, const char *post) {
  SL_FREED char *path = sl_path("%s/c.json", dir);
  SL_FREED char *text = sl_path(
      "{\"datasets\": [{\"name\": \"big\", \"file\": \"big.npy\", \"about\": \"x\", \"type\": \"u32\", "
      "\"n\": %zu, \"dist\": \"bits\", \"seed\": 1, \"post\": {%s}}]}",
      n, post);
  sl_error e = {0};
  assert_true(sl_write_file(path, text, strlen(text), &e));
}

static int setup(void **state) {
  program = sl_tool_path("sl-data");
  return make_folder(state);
}

static int teardown(void **state) {
  free(program);
  return remove_folder(state);
}

TEST(usage) {
  expect(0, run("$P --help 2>/dev/null"), "usage: ./scanlab datasets COMMAND");
  expect(0, run("$P verify --help 2>/dev/null"), "--manifest FILE");
  expect(2, run("$P 2>&1 >/dev/null"), "commands:");
  expect(2, run("$P genrate"), "did you mean generate?");
  expect(2, run("$P generate --froce"), "did you mean --force?");
  expect(3, run("$P generate --out x keys_u23"), "unknown dataset 'keys_u23'");
  expect(3, run("$P list --catalog /nonexistent"), "/nonexistent: cannot open");
  expect(4, run("$P list > /dev/full"), "cannot write the output: No space left on device");
  expect(4, run("$P --help > /dev/full"), "cannot write the output: No space left on device");
  assert_int_equal(count(".", "x"), 0); // misuse makes nothing
}

TEST(list) {
  expect(0, run("$P list"), "keys_u32             u32     1048577  bits");
  expect(0, run("$P list --json block_f32"), "\"dist\": \"uniform_int\"");
  expect(0, run("$P measure warp_tail_f32"), "sum                                 112");
}

TEST(generate_and_verify) {
  expect(0, run("$P generate --out d block_f32 tile_f32"), "written    d/block_f32.npy");
  assert_int_equal(count("d", ""), 3);
  expect(0, run("touch -d 2001-01-01 d/*; $P generate --out d block_f32"), "up to date d/block_f32.npy");
  expect(0, run("stat -c %%y d/block_f32.npy d/manifest.json"), "2001-01-01 00:00:00.000000000 +0000\n2001");
  expect(0, run("$P verify --out d block_f32 tile_f32"), "2 of 2 datasets good");
  expect(1, run("$P verify --out d"), "d/keys_u32.npy: missing: expected a file of 4194436 bytes");
  expect(0, run("grep -c sha256 d/manifest.json"), "2");
  expect(0, run("$P generate --out all >/dev/null && $P verify --out all"), "25 of 25 datasets good");
}

// Each damage is named with expected and found, not overwritten in silence, and repaired by --force.
TEST(damages) {
  static const struct {
    const char *damage, *says;
  } table[] = {
      {"printf x | dd of=e/block_f32.npy bs=1 seek=500 conv=notrunc", "corrupted: expected SHA-256 "},
      {"truncate -s 4000 e/block_f32.npy", "truncated: expected 4224 bytes, found 4000"},
      {"truncate -s 0 e/block_f32.npy", "truncated: expected 4224 bytes, found 0"},
      {"printf more >> e/block_f32.npy", "too long: expected 4224 bytes, found 4228"},
      {"sed -i s/f4/i4/ e/block_f32.npy", "mislabelled: expected 1024 elements of f32, found 1024 of i32"},
      {"cp e/tile_f32.npy e/block_f32.npy", "mislabelled: expected 1024 elements of f32, found 2048 of f32"},
      {"sed -i s/descr/decsr/ e/block_f32.npy",
       "corrupted header: e/block_f32.npy: npy header: expected one of the keys"},
  };
  expect(0, run("$P generate --out e block_f32 tile_f32"), "written");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    expect(0, run("(%s) 2>/dev/null; cp e/block_f32.npy saved", table[i].damage), "");
    expect(1, run("$P verify --out e block_f32"), table[i].says);
    expect(3, run("$P generate --out e block_f32"), table[i].says);
    expect(3, run("$P generate --out e block_f32"),
           "./scanlab datasets generate --force --out e block_f32 makes it anew");
    expect(0, run("cmp saved e/block_f32.npy"), "");
    expect(0, run("$P generate --out e block_f32 --force"), "rewritten  e/block_f32.npy");
    expect(0, run("$P verify --out e block_f32"), "1 of 1 datasets good");
  }
}

TEST(other_things_in_the_way) {
  expect(0, run("mkdir p && mkfifo p/block_f32.npy p/manifest.json && ln -s /dev/null p/tile_f32.npy"), "");
  expect(3, run("timeout 20 $P generate --force --out p block_f32"),
         "p/block_f32.npy: is a named pipe, no regular file: it stays as it is");
  expect(3, run("timeout 20 $P generate --force --out p tile_f32"), "p/tile_f32.npy: is a device");
  expect(3, run("timeout 20 $P generate --force --out p single_f32"), "p/manifest.json: is a named pipe");
  expect(0, run("test -p p/block_f32.npy && test -L p/tile_f32.npy && rm -r p"), "");
  expect(0,
         run("$P generate --out f block_f32; mkdir f/tile_f32.npy; mkfifo f/keys_u32.npy; cp f/block_f32.npy "
             "f/mine.npy"),
         "");
  expect(1, run("$P verify --out f tile_f32"),
         "unreadable: f/tile_f32.npy: expected a file, found a directory");
  expect(1, run("$P verify --out f tile_f32"), "remove that folder");
  expect(3, run("$P generate --out f tile_f32"), "found a directory");
  expect(3, run("$P generate --out f keys_u32"), "unreadable: f/keys_u32.npy: expected a regular file");
  expect(1, run("$P verify --out f"), "f/mine.npy: extra file");
  expect(3, run("$P verify --out no/such"), "no/such: there is no such folder");
  expect(1, run("mkdir 'an empty'; $P verify --out 'an empty'"),
         "an empty: none of the 25 datasets is there\n  hint: ./scanlab datasets generate --out 'an empty' "
         "makes");
  assert_null(strstr(said, "missing"));
  expect(3, run("echo hello > g; $P generate --out g"),
         "g: cannot make the folder: a file of that name is in the way");
  expect(0, run("cat g"), "hello");
  expect(3, run("mkdir h; echo mine > h/manifest.json; $P generate --out h block_f32"),
         "h/manifest.json: exists and differs");
  expect(0, run("cat h/manifest.json"), "mine");
}

// A link is read where its file is good, and never written through: neither by a set nor by a manifest.
TEST(links_are_kept) {
  expect(0,
         run("$P generate --out k block_f32 tile_f32 && mkdir l && echo mine > mine && "
             "ln -s ../k/block_f32.npy l/block_f32.npy && ln -s ../mine l/tile_f32.npy && "
             "ln -s nowhere l/single_f32.npy"),
         "written");
  expect(0, run("$P generate --force --out l block_f32"), "up to date l/block_f32.npy");
  expect(3, run("$P generate --force --out l tile_f32"), "l/tile_f32.npy: is a link, no regular file");
  expect(3, run("$P generate --force --out l single_f32"), "l/single_f32.npy: is a link");
  expect(0, run("cat mine; test -L l/tile_f32.npy && test -L l/single_f32.npy && ! test -e l/nowhere"),
         "mine");
  expect(3, run("rm l/*; ln -s ../mine l/manifest.json; $P generate --force --out l tile_f32"),
         "l/manifest.json: is a link");
  expect(0, run("cat mine; test -L l/manifest.json"), "mine");
  expect(0,
         run("rm -r l; mkdir l; ln -s ../k/manifest.json l/manifest.json; "
             "cp k/*.npy l; $P generate --out l tile_f32; test -L l/manifest.json"),
         "up to date");
  expect(0, run("rm -r k l mine"), "");
}

TEST(conditions_and_hashes) {
  put_catalog(1000, "\"distinct\": [990, 1000]");
  expect(0, run("$P manifest --catalog c.json --manifest m.json && cp m.json m2.json"),
         "m.json: hashes of 1 dataset\n");
  expect(0, run("$P generate --catalog c.json --manifest m.json --out k"), "written    k/big.npy");
  put_catalog(1000, "\"distinct\": [5, 10]");
  expect(3, run("$P generate --catalog c.json --manifest m.json --out l"),
         "dataset big: post-condition distinct: expected 5 to 10, found 1000");
  put_catalog(1001, "\"distinct\": [990, 1001]");
  expect(3, run("$P generate --catalog c.json --manifest m.json --out l"), "the manifest expects SHA-256");
  expect(3, run("$P generate --catalog c.json --manifest m.json --out l"),
         "after a change of the catalog: ./scanlab datasets manifest --force");
  assert_int_equal(count("l", ""), 0);
  expect(3, run("$P manifest --catalog c.json --manifest m.json"), "m.json: exists and differs");
  expect(0, run("cmp m.json m2.json"), "");
  expect(0, run("$P manifest --catalog c.json --manifest m.json --force"), "");
  expect(0, run("$P generate --catalog c.json --manifest m.json --out l"), "written");
}

TEST(full_disk) {
  expect(4, run("ulimit -f 200; $P generate --out n keys_u32 keys_i32"),
         "n/keys_u32.npy: cannot write: File too large");
  assert_null(strstr(strstr(said, "error:") + 1, "error:")); // one error, not one a file
  assert_int_equal(count("n", ""), 0);
}

// Starts the program and sends it [sig] as soon as its temporary file is there.
static sl_exit_status interrupt_while_writing(int sig, bool *was_writing) {
  char *argv[] = {program, "generate", "--catalog", "c.json", "--manifest", "big.json", "--out", "o", NULL};
  sl_child c;
  sl_error e = {0};
  if (!sl_spawn(&c, &(sl_process){.argv = argv, .cwd = dir, .io = SL_STDIO_SAME}, &e)) fail_msg("%s", e.text);
  double end = sl_now() + 30;
  *was_writing = false;
  while (!*was_writing && count("o", "big.npy") == 0 && sl_now() < end) usleep(500);
  *was_writing = count("o", ".tmp.") > 0;
  kill(c.pid, sig);
  return sl_wait(&c, 30);
}

// Interrupted in the middle of a write, there is the whole file or none, and nothing else.
TEST(interrupted) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  int stopped = 0;
  put_catalog(12 << 20, "\"min\": [0, 100000]");
  expect(0, run("$P manifest --catalog c.json --manifest big.json --force"), "");
  for (int i = 0; i < 9; i++) {
    bool was_writing;
    expect(0, run("rm -rf o"), "");
    sl_exit_status s = interrupt_while_writing(signals[i % 3], &was_writing);
    stopped += was_writing && s.code == SL_EXIT_INTERRUPTED;
    assert_int_equal(count("o", ".tmp."), 0);
    if (count("o", "big.npy"))
      expect(0, run("$P verify --catalog c.json --manifest big.json --out o"), "1 of 1");
  }
  assert_true(stopped > 0);
  print_message("%d of 9 runs were interrupted in a write\n", stopped);
}

int main(void) { return RUN_TESTS(setup, teardown); }
