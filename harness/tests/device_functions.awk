# Writes one kernel for each device function that preprocessed headers declare: it takes the arguments from memory and keeps
# the result. With -v math=0 without the math functions (sin, pow, ..), which take most of the compiler's time.
# Left out: templates, operators and members, what takes references, the compiler's own (_impl), votes without a mask, which
# the assembler refuses, and the functions of the runtime by which kernels launch kernels.
/template|operator|cudaError|explicit|"C\+\+"/ { next }
/__attribute__\(\(device\)\)/ && /\(/ {
  line = $0
  gsub(/__attribute__\(\([a-z_]+\)\)/, "", line)
  sub(/[;{].*/, "", line)
  gsub(/(^| )(static|extern|inline|__inline__|__forceinline__|constexpr|noexcept)/, " ", line)
  gsub(/\(true\)|throw\(\)/, "", line)
  at = index(line, "(")
  if (!at || line ~ /[&:<>~\[]/ || line ~ /\.\.\./) next
  head = substr(line, 1, at - 1); rest = substr(line, at + 1)
  end = index(rest, ")")
  if (!end) next
  rest = substr(rest, 1, end - 1)
  sub(/ +$/, "", head)
  if (!match(head, /[A-Za-z_][A-Za-z_0-9]*$/)) next
  name = substr(head, RSTART); result = substr(head, 1, RSTART - 1)
  gsub(/^ +| +$/, "", result)
  if (result == "" || result ~ /(^| )T( |$)/ || name ~ /_impl$/ || name ~ /^(__)?(any|all|ballot)$/) next
  if (name ~ /^make_/ || name ~ /^(__internal|__cuda|cuda|__assert|__prof|malloc|free|printf|vprintf|memcpy|memset|alloca|abort|clock)/) next
  if (name ~ /^(__nv_bfloat|__nv_aligned|__[a-z0-9]+Atomic|__nvvm|__builtin|__trap|__brkpt|__exit|__isinf|__isnan|__finite|__signbit)/) next
  if (math == 0 && name !~ /^(__|atomic|h[a-z0-9]+$)/) next
  n = split(rest, part, ",")
  if (rest ~ /^ *(void)? *$/) n = 0
  key = name
  for (i = 1; i <= n; i++) {
    t = part[i]
    sub(/=.*/, "", t); gsub(/^ +| +$/, "", t)
    if (t ~ /[A-Za-z_0-9*] *[* ][A-Za-z_][A-Za-z_0-9]*$/ &&
        t !~ /(int|long|char|short|unsigned|float|double|bool|__half|__half2|__nv_bfloat16|__nv_bfloat162)$/)
      sub(/[A-Za-z_][A-Za-z_0-9]*$/, "", t)
    type[i] = t; key = key "," t
  }
  if (key in seen || key ~ /,T( |,|$)/) next
  seen[key] = 1
  printf "extern \"C\" __global__ void k%d_%s(", ++count, name
  for (i = 1; i <= n; i++) printf "%s *a%d, ", type[i], i
  printf "void *r) { "
  if (result != "void") printf "*(%s *)r = ", result
  printf "%s(", name
  for (i = 1; i <= n; i++) printf "%s*a%d", (i == 1 ? "" : ", "), i
  print "); }"
}
END { print "enum { KERNELS = " count " };" }
