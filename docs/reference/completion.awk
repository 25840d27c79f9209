# Makes the completion of a shell: -v shell=bash|zsh|fish -v commands=".." -v labs="..", from docs/reference/commands.md, and behind it
# lab.json and kernel.cu of all labs, which have the names of parts, distributions and regions.
FNR == 1 { lab = 0 }
FNR == 1 && match(FILENAME, /[0-9][0-9]_[a-z_]*\/[^\/]*$/) { lab = substr(FILENAME, RSTART, 2) }
lab && /"id": "[a-z]+", "title": / {
  part = $0
  sub(/.*"id": "/, "", part)
  title = part
  sub(/".*/, "", part)
  sub(/^[^"]*", "title": "/, "", title)
  while (match(title, /^[A-Z](, | and |:)/)) { add("part " lab, substr(title, 1, 1)); title = substr(title, RSTART + RLENGTH) }
  add("part " lab, part)
}
lab { for (text = $0; match(text, /"dist": "[a-z_0-9]+"/); text = substr(text, RSTART + RLENGTH)) add("dist", substr(text, RSTART + 9, RLENGTH - 10)) }
lab && match($0, /^ *\/\/ TODO\(lab[0-9.]+/) { region = substr($0, RSTART, RLENGTH); sub(/.*lab/, "", region); add("hint", region) }
lab { next }

/^## / { command = $2; within = $3 ~ /^[a-z]+$/; if (within) add(command, $3); option = "" }
/^    usage: / && / LAB/ && !within { takes_lab[command] = 1 }
/^    usage: / {
  n = split($0, word, /[ |]/)
  for (i = 8; i <= n; i++) if (word[i] ~ /^[a-z]+$/ && word[i] != command) add(command, word[i])
}
/^      -/ {
  option = $1
  sub(/[[=].*/, "", option)
  add("options " command, option)
  text = $0
  takes[command, option] = ""
  if (match(text, /^ *--?[^ ]+ [^ ]+  /)) { takes[command, option] = $2; sub(/^ *[^ ]+ /, "", text) }
  sub(/^ *[^ ]+  +/, "", text)
  meaning[command, option] = plain(text)
  next
}
option != "" && /^          / { sub(/^ +/, ""); meaning[command, option] = meaning[command, option] " " plain($0); next }
{ option = "" }

function plain(text) { gsub(/["\\$`]/, "", text); return text }
function add(list, word) { if (!known[list, word]++) of[list] = of[list] (of[list] == "" ? "" : " ") word }

# The words that may stand behind an option, as its help names them: "sim|gpu", "add max compose (lab 05)", "..: in, reverse or random".
function values(c, o,   text) {
  if (o == "--dist") return "example " of["dist"]
  if (takes[c, o] == "NN") return numbers()
  if (takes[c, o] ~ /^[a-z]+([|][a-z]+)+$/) { text = takes[c, o]; gsub(/[|]/, " ", text); return text }
  text = meaning[c, o]
  if (match(text, /^[a-z0-9]+( [a-z0-9]+)+ \(lab/)) return substr(text, 1, RLENGTH - 5)
  if (!match(text, /: [a-z0-9-]+(, [a-z0-9-]+)*( or [a-z0-9-]+)?( \([^)]*\))?$/)) return ""
  text = substr(text, RSTART + 2)
  sub(/ \(.*/, "", text)
  gsub(/,? or |, /, " ", text)
  return text ~ / / ? text : ""
}
function numbers(   n, list, k, text) {
  n = split(labs, list, " ")
  for (k = 1; k <= n; k++) text = text substr(list[k], 1, 2) (k < n ? " " : "")
  return text
}
function first_words(c) {
  if (c == "help") return commands
  return (takes_lab[c] ? labs numbers() " " : "") of[c]
}
function join(a, b) { return a (a != "" && b != "" ? " " : "") b }

# A function of bash and of zsh: what may follow the command $1 and the word $2 in the line $3.
function shell_choices(   n, m, list, option, k, i, rest, found) {
  print "_scanlab_choices() {\n  choices= files=\n  case \"$1 $2\" in"
  n = split(labs, list, " ")
  print "    \"check --part\") case \"$3 \" in"
  for (k = 1; k <= n; k++) printf "      *\" %s \"*|*%s*) choices=\"%s\" ;;\n", substr(list[k], 1, 2), list[k], of["part " substr(list[k], 1, 2)]
  print "    esac ;;"
  n = split(commands, list, " ")
  for (k = 1; k <= n; k++) {
    m = split(of["options " list[k]], option, " ")
    rest = ""
    for (i = 1; i <= m; i++) {
      if (takes[list[k], option[i]] == "" || option[i] == "--part" && list[k] == "check") continue
      found = values(list[k], option[i])
      if (found == "") rest = rest (rest == "" ? "" : "|") "\"" list[k] " " option[i] "\""
      else printf "    \"%s %s\") choices=\"%s\" ;;\n", list[k], option[i], found
    }
    if (rest != "") print "    " rest ") ;;"
  }
  print "    completion*) choices=\"" of["completion"] "\" ;;\n    help*) choices=\"" commands "\" ;;\n    *) files=1\n    case $1 in"
  for (k = 1; k <= n; k++)
    if (list[k] !~ /^(completion|help)$/ && join(first_words(list[k]), of["options " list[k]]) != "")
      printf "    %s) choices=\"%s\" ;;\n", list[k], join(first_words(list[k]), of["options " list[k]])
  print "    esac ;;\n  esac\n}"
}
function bash_words() {
  shell_choices()
  print "_scanlab() {\n  local choices=\"" commands "\" files"
  print "  [ \"$COMP_CWORD\" -eq 1 ] || _scanlab_choices \"${COMP_WORDS[1]}\" \"${COMP_WORDS[COMP_CWORD-1]}\" \"${COMP_WORDS[*]}\""
  print "  COMPREPLY=($(compgen -W \"$choices\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}"
  print "complete -o default -F _scanlab scanlab ./scanlab"
}
function zsh_words() {
  print "#compdef scanlab"
  shell_choices()
  print "_scanlab() {\n  local choices=\"" commands "\" files"
  print "  (( CURRENT == 2 )) || _scanlab_choices \"${words[2]}\" \"${words[CURRENT-1]}\" \"${words[*]}\""
  print "  compadd -- ${=choices}\n  [[ -n $choices && -z $files ]] || _files\n}"
  print "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; } # no other line of ~/.zshrc has done so"
  print "compdef _scanlab scanlab ./scanlab"
}
# What fish offers for an option: its words and nothing else, or files where it takes any other value.
function fish_value(c, o) {
  if (takes[c, o] == "") return ""
  if (c == "check" && o == "--part") return " -x -a \"(_scanlab_parts)\""
  return values(c, o) == "" ? " -r" : " -x -a \"" values(c, o) "\""
}
function fish_words(   n, m, list, option, k, i) {
  n = split(labs, list, " ")
  print "function _scanlab_parts\n  switch (commandline -p)\n"
  for (k = 1; k <= n; k++) printf "    case '* %s *' '*%s*'\n      printf '%%s\\n' %s\n", substr(list[k], 1, 2), list[k], of["part " substr(list[k], 1, 2)]
  print "  end\nend"
  n = split(commands, list, " ")
  print "complete -c scanlab -n __fish_use_subcommand -f -a \"" commands "\""
  for (k = 1; k <= n; k++) {
    if (first_words(list[k]) != "")
      printf "complete -c scanlab -n \"__fish_seen_subcommand_from %s\"%s -a \"%s\"\n", list[k], (list[k] ~ /^(completion|help)$/ ? " -f" : ""), first_words(list[k])
    m = split(of["options " list[k]], option, " ")
    for (i = 1; i <= m; i++)
      printf "complete -c scanlab -n \"__fish_seen_subcommand_from %s\" %s%s -d \"%s\"\n", list[k],
             (option[i] ~ /^--/ ? "-l " substr(option[i], 3) : "-s " substr(option[i], 2)), fish_value(list[k], option[i]), meaning[list[k], option[i]]
  }
}
END { if (shell == "bash") bash_words(); else if (shell == "zsh") zsh_words(); else fish_words() }
