# Makes the completion of a shell from docs/reference/commands.md: -v shell=bash|zsh|fish -v commands=".." -v labs="..".
/^## / { command = $2; next }
/^    usage: / && / LAB/ { takes_lab[command] = 1 }
/^      -/ {
  option = $1
  sub(/[[=].*/, "", option)
  if (seen[command, option]++) next
  options[command] = options[command] " " option
  text = $0
  sub(/^ *[^ ]+( [^ ]+)?  +/, "", text)
  gsub(/["\\$`]/, "", text)
  meaning[command, option] = text
}
function words(c) { return (takes_lab[c] ? labs numbers() : "") options[c] }
function numbers(   n, list, k, text) {
  n = split(labs, list, " ")
  for (k = 1; k <= n; k++) text = text substr(list[k], 1, 2) (k < n ? " " : "")
  return text
}
function cases(   n, list, k) {
  n = split(commands, list, " ")
  for (k = 1; k <= n; k++) if (words(list[k]) != "") printf "    %s) choices=\"%s\" ;;\n", list[k], words(list[k])
}
function bash_words() {
  print "_scanlab() {\n  local choices=\"" commands "\""
  print "  [ \"$COMP_CWORD\" -eq 1 ] || choices="
  print "  [ \"$COMP_CWORD\" -eq 1 ] || case ${COMP_WORDS[1]} in"
  cases()
  print "  esac\n  COMPREPLY=($(compgen -W \"$choices\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}"
  print "complete -o default -F _scanlab scanlab ./scanlab"
}
function zsh_words() {
  print "#compdef scanlab\n_scanlab() {\n  local choices=\"" commands "\""
  print "  (( CURRENT == 2 )) || choices="
  print "  (( CURRENT == 2 )) || case ${words[2]} in"
  cases()
  print "  esac\n  compadd -- ${=choices}\n  (( CURRENT == 2 )) || _files\n}"
  print "compdef _scanlab scanlab ./scanlab"
}
function fish_words(   n, m, list, option, k, i) {
  n = split(commands, list, " ")
  print "complete -c scanlab -n __fish_use_subcommand -f -a \"" commands "\""
  for (k = 1; k <= n; k++) {
    if (takes_lab[list[k]]) printf "complete -c scanlab -n \"__fish_seen_subcommand_from %s\" -a \"%s\"\n", list[k], labs numbers()
    m = split(options[list[k]], option, " ")
    for (i = 1; i <= m; i++)
      printf "complete -c scanlab -n \"__fish_seen_subcommand_from %s\" %s -d \"%s\"\n", list[k],
             (option[i] ~ /^--/ ? "-l " substr(option[i], 3) : "-s " substr(option[i], 2)), meaning[list[k], option[i]]
  }
}
END { if (shell == "bash") bash_words(); else if (shell == "zsh") zsh_words(); else fish_words() }
