#!/bin/bash
# Counters of the simulated GPU against Nsight Compute's, launch by launch (harness/nsight).
#
#   ncu.sh table            here: runs the programs on the simulated GPU and prints both, as Markdown
#   ncu.sh gpu OUT.csv BIN  on a machine with a GPU and ncu: measures, for harness/nsight/measured.csv
#   ncu.sh build BIN        the programs for that, where nvcc is; from the same PTX that the simulated GPU executes
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
here=$root/harness/nsight
build=${SCANLAB_BUILD:-$root/build/sim}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

# The programs, with what they are called with.
cases() {
  printf '%s\n' nsight_solutions nsight_patterns
  for name in no_padding sixteen_banks macro_of_the_paper log_of_the_banks_is_six; do echo "corpus_04 wrong $name"; done
}

# A column of measured.csv, and its metric; the value is the sum over the device.
metrics() {
  cat <<'END'
warp_instructions smsp__inst_executed
thread_instructions smsp__thread_inst_executed_pred_on
adds_float smsp__sass_thread_inst_executed_op_fadd_pred_on
memory smsp__sass_thread_inst_executed_op_memory_pred_on
shared_ld_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld
shared_st_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st
shared_ld_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld
shared_st_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st
shared_ld_wavefronts_sass smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld
shared_st_wavefronts_sass smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st
shared_atomics smsp__inst_executed_op_shared_atom
shared_atomic_wavefronts smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom
global_ld_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ld
global_st_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_st
global_reds l1tex__t_requests_pipe_lsu_mem_global_op_red
global_red_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_red
global_atoms l1tex__t_requests_pipe_lsu_mem_global_op_atom
global_atom_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_atom
branches smsp__sass_branch_targets
divergent smsp__sass_branch_targets_threads_divergent
END
}

build() { # BIN
  local flags=(-gencode "arch=compute_75,code=${SM:-sm_90}" -O3 -lineinfo -std=c++17 -cudart static -diag-suppress "177,550" -I "$root/harness/include")
  mkdir -p "$1"
  for name in solutions patterns; do nvcc "${flags[@]}" "$here/$name.cu" -o "$1/nsight_$name" || exit 1; done
  "$root/harness/corpus/gather.sh" "$root/harness/corpus/04_bank_conflicts" >"$tmp/corpus.cu" || exit 1
  nvcc "${flags[@]}" "$tmp/corpus.cu" -o "$1/corpus_04"
}

# One line a launch: program and arguments, number of the launch, kernel, then the metrics in the order above.
launches() { # CASE, reads ncu's CSV
  awk -v run="$1" -v wanted="$(metrics | cut -d' ' -f2 | tr '\n' ' ')" '
    function fields(line,    n, k) {
      n = split(substr(line, 2, length(line) - 2), f, "\",\"")
      for (k = 1; k <= n; k++) gsub(",", k == name ? " " : "", f[k])
      return n
    }
    !/^"/ { next }
    !head { head = fields($0); for (k = 1; k <= head; k++) { sub(/\.sum$/, "", f[k]); column[f[k]] = k }; name = column["Kernel Name"]; m = split(wanted, want, " "); next }
    !units { units = 1; next }
    {
      fields($0); kernel = f[name]
      sub(/^void /, "", kernel); sub(/\(.*/, "", kernel); sub(/<.*/, "", kernel)
      line = run "," launch++ "," kernel
      for (k = 1; k <= m; k++) line = line "," (want[k] in column ? f[column[want[k]]] : "?")
      print line
    }'
}

gpu() { # OUT.csv BIN
  local list
  list=$(metrics | sed 's/.* //; s/$/.sum/' | paste -sd,)
  {
    echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1); Nsight Compute $(ncu --version | grep -o 'Version.*')"
    echo "run,launch,kernel,$(metrics | cut -d' ' -f1 | paste -sd,)"
    cases | while read -r run; do
      # shellcheck disable=SC2086
      (cd "$2" && ncu --clock-control none --csv --page raw --metrics "$list" ./$run) </dev/null >"$tmp/log" || cat "$tmp/log" >&2
      launches "$run" <"$tmp/log"
    done
  } >"$1.part" && mv "$1.part" "$1"
}

case "${1:-} $#" in
'gpu 3') gpu "$2" "$3" ;;
'build 2') build "$2" ;;
'table 1') "$build/bin/nsight_check" --table "$here/measured.csv" "$here/differs.csv" "$build/bin/sl-sim" "$build/bin" ;;
*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
