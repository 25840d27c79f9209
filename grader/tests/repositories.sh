#!/bin/sh
# Hostile repositories in the current folder; `ran` appears there if anything in one of them is obeyed.   usage: repositories.sh
set -eu
here=$PWD
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@x
kernel=labs/01_naive_scan/kernel.cu
new() {
  git init -q "$1"
  mkdir -p "$1/labs/01_naive_scan"
  echo "// $1" >"$1/$kernel"
  (cd "$1" && git add . && git commit -qm 1)
  head=$here/$1/.git/$(git -C "$1" symbolic-ref HEAD)
}
drop() { rm -f "$(git rev-parse "$1" | sed 's,..,.git/objects/&/,')"; } # an object of the repository that it stands in
printf '#!/bin/sh\ntouch "%s/ran"\n' "$here" >run && chmod +x run

# What belongs to somebody else.
new other
theirs=$(git -C other rev-parse HEAD)
new alternates && echo "$here/other/.git/objects" >alternates/.git/objects/info/alternates && echo "$theirs" >"$head"
new commondir && echo "$here/other/.git" >commondir/.git/commondir
mkdir git_file git_link && echo "gitdir: $here/other/.git" >git_file/.git && ln -s ../other/.git git_link/.git
new objects_link && rm -r objects_link/.git/objects && ln -s ../../other/.git/objects objects_link/.git && echo "$theirs" >"$head"
new ref_link && ln -sf "$here/other/.git/HEAD" "$head"
new head_link && ln -sf /etc/passwd head_link/.git/HEAD
new packed_link && ln -s /etc/passwd packed_link/.git/packed-refs
new config_link && ln -sf /etc/passwd config_link/.git/config
new replaced && git -C replaced replace "$(git -C replaced rev-parse "HEAD:$kernel")" "$(git -C replaced hash-object -w "$here/run")"

# What would never end.
new head_pipe && rm head_pipe/.git/HEAD && mkfifo head_pipe/.git/HEAD
new config_pipe && rm config_pipe/.git/config && mkfifo config_pipe/.git/config
new object_pipe && (cd object_pipe && mkdir -p .git/objects/ff && mkfifo .git/objects/ff/00000000000000000000000000000000000000)

# Programs that git would run: of hooks, filters, the transport, the helper of a promised object.
new hooks && (cd hooks && git config core.hooksPath "$here/hooks/h" && git config uploadpack.packObjectsHook "$here/run" &&
  git config core.alternateRefsCommand "$here/run" && git config core.fsmonitor "$here/run" && mkdir h &&
  for h in post-checkout reference-transaction pre-auto-gc; do cp "$here/run" h/$h && cp "$here/run" .git/hooks/$h; done)
new filters && (cd filters && printf '* export-subst\n' >.gitattributes &&
  printf '// $Format:%%an %%<(2147483647)%%an%%(describe)$\n' >$kernel && git add . && git commit -qm 2 &&
  printf '* filter=x diff=x ident eol=crlf\n' >.git/info/attributes &&
  for c in filter.x.smudge filter.x.process diff.x.textconv tar.tar.command; do git config $c "$here/run"; done)
for way in ext ssh proxy upload helper; do
  new promised_$way
  (cd promised_$way && git config core.repositoryformatversion 1 && git config extensions.partialClone x &&
    git config remote.x.promisor true && git config protocol.allow always && git tag -am t t &&
    case $way in
      ext) git config remote.x.url "ext::$here/run" ;;
      ssh) git config remote.x.url ssh://x/y && git config core.sshCommand "$here/run" ;;
      proxy) git config remote.x.url git://x/y && git config core.gitProxy "$here/run" ;;
      upload) git config remote.x.url "file://$here/other" && git config remote.x.uploadpack "$here/run" ;;
      helper) git config remote.x.url https://127.0.0.1:1/x && git config credential.helper "!$here/run" ;;
    esac && tree=$(git rev-parse 'HEAD^{tree}') && drop "$(git rev-parse "HEAD:$kernel")" && drop "$tree" && drop HEAD)
done

# Names and contents.
new option_branch && (cd option_branch && git update-ref refs/heads/--output=ran HEAD && git symbolic-ref HEAD refs/heads/--output=ran)
new left_out && (cd left_out && echo '* export-ignore' >.gitattributes && git add . && git commit -qm 2)
new submodule && (cd submodule && git -c protocol.file.allow=always submodule --quiet add "$here/other" labs/02_double_buffer && git commit -qm 2)
new dots && (cd dots && blob=$(git rev-parse "HEAD:$kernel") && tree=$(printf '100644 blob %s\tkernel.cu\n' "$blob" | git mktree) &&
  tree=$({ printf '40000 ..\0' && git cat-file tree "$(printf '040000 tree %s\tx\n' "$tree" | git mktree)" | tail -c 20; } |
    git hash-object -t tree -w --stdin --literally) && git update-ref HEAD "$(git commit-tree "$tree" -m x)")
git init -q --bare bare && git -C other push -q "$here/bare" HEAD && ln -s /etc/passwd bare/refs/heads/link
