#!/bin/sh
# docs/results/model.sh [OPTIONS OF bench rank]: writes docs/results/model.md, with a table that ./scanlab bench rank prints.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
cat <<'END'
# The model of speed against an H200

    docs/results/model.sh > docs/results/model.md

`./scanlab bench rank` compares the [modelled times](../internals/model.md) of the solutions of labs 05 and 06, of the
[ladder of lab 05](../../solutions/05_arbitrary_size/further/NOTES.md) and of the [tuned scans and sort of lab 06](../../solutions/06_radix_sort/further/NOTES.md) with the times that were [measured on an H200](h200-bench.md)
([bench.csv](h200-bench/bench.csv)). Every size is simulated in full. Places count from the fastest; rows that took equally long share one.

At 2^16 and 2^18 the five steps of the ladder lie within 1.5 and 3 % of each other on the GPU, closer than the 95 % intervals of their times, and the model
cannot tell which of them is first: that is what the correlation lacks there. From 2^20 on, where they differ, it puts nearly all rows in their
places. The tuned scans of lab 06 are told too fast by half as long as
they take some microseconds, and those whose blocks stay for many tiles (pipeline, windows, best) nearly twice too slow at 2^24; their order holds.
The ladders run with `--warps one-ahead`: blocks that draw tickets would else draw as many as they can before the others begin. In the largest chains, of the scan of lab 06 and its sorts, the model lacks what blocks that poll one word do to each other.

END
"$root/scanlab" bench rank "$@" 2>/dev/null
