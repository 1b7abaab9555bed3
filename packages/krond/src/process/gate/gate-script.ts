/**
 * A gate is a shell that has become all that the job will be, except for its program, and waits.
 *
 * Descriptor 3 is one end of a socket pair. The gate writes lines to it, the daemon answers:
 *
 *   gate    `error <what> [values]`  something is not as asked for; it ends, nothing was run
 *   gate    `variables`              user and groups are right; it can be given its environment
 *   daemon  for each: the name, how many lines follow the first of its value, those lines
 *   gate    `found <path>`           where a command without a path is; not of built-in ones
 *   gate    `ready`                  account, folder, umask and command were checked
 *   daemon  `go`                     any other line, or the end of the stream: it ends
 *   gate    `going`                  the next thing it does is `exec`
 *   gate    `failed <status>`        `exec` returned: nothing was run
 *
 * An `exec` that works closes descriptor 3 in the same instant. So the end of the stream after
 * `going` and without `failed` says that the job runs, and before `going` that it never will. If
 * the daemon dies, its end closes with it, `read` fails, and the gate ends.
 *
 * - The text below is constant. What the job brings are positional parameters, which a shell never
 *   reads as program text, and variables, which are only exported.
 * - A shell that fails to `exec` ends (dash: through the EXIT trap, with the redirection of the
 *   group undone) or goes on (bash, with execfail). The trap reports both.
 * - `3>&-` around `exec` keeps the socket from the job; the shell's own copy is close-on-exec.
 * - Numbers from /proc are read with built-in commands: a program would look at itself.
 * - Variables of the gate are not exported. Were one in the environment already, it would be, so
 *   the prefix `krond_gate_` is not allowed there.
 */
export const gateScript = `
set -f
trap 'printf "failed %s\\n" "$?" >&3' EXIT
if command -v shopt >/dev/null 2>&1; then shopt -s execfail; fi
krond_gate_fail() {
  trap - EXIT
  printf 'error %s\\n' "$*" >&3
  exit 1
}
if [ -n "$2" ]; then
  krond_gate_seen= krond_gate_others=
  while read -r krond_gate_label krond_gate_a krond_gate_b krond_gate_c krond_gate_d; do
    case $krond_gate_label in
      Uid:)
        [ "$krond_gate_a $krond_gate_b $krond_gate_c $krond_gate_d" = "$2 $2 $2 $2" ] ||
          krond_gate_fail uid "$krond_gate_a $krond_gate_b $krond_gate_c $krond_gate_d"
        krond_gate_seen=u ;;
      Gid:)
        [ "$krond_gate_a $krond_gate_b $krond_gate_c $krond_gate_d" = "$3 $3 $3 $3" ] ||
          krond_gate_fail gid "$krond_gate_a $krond_gate_b $krond_gate_c $krond_gate_d"
        krond_gate_seen=\${krond_gate_seen}g ;;
      Groups:)
        for krond_gate_a in $krond_gate_a $krond_gate_b $krond_gate_c $krond_gate_d; do
          [ "$krond_gate_a" = "$3" ] || krond_gate_others="$krond_gate_others$krond_gate_a "
        done
        [ "$krond_gate_others" = "$4" ] || krond_gate_fail groups "$krond_gate_others"
        krond_gate_seen=\${krond_gate_seen}s
        break ;;
    esac
  done </proc/self/status
  [ "$krond_gate_seen" = ugs ] || krond_gate_fail status
fi
krond_gate_left=$1
[ "$1" -eq 0 ] || printf 'variables\\n' >&3
while [ "$krond_gate_left" -gt 0 ]; do
  IFS= read -r krond_gate_name <&3 || krond_gate_fail environment
  IFS= read -r krond_gate_more <&3 || krond_gate_fail environment
  IFS= read -r krond_gate_text <&3 || krond_gate_fail environment
  while [ "$krond_gate_more" -gt 0 ]; do
    IFS= read -r krond_gate_line <&3 || krond_gate_fail environment
    krond_gate_text="$krond_gate_text
$krond_gate_line"
    krond_gate_more=$((krond_gate_more - 1))
  done
  export "$krond_gate_name=$krond_gate_text"
  krond_gate_left=$((krond_gate_left - 1))
done
if [ -n "$5" ]; then umask "$5" || krond_gate_fail umask; fi
if ! cd -P -- "$6" 2>/dev/null; then
  [ "$7" = optional ] || krond_gate_fail cwd
  cd / || krond_gate_fail cwd
fi
krond_gate_check=$8
shift 9
if [ "$krond_gate_check" = checked ]; then
  case $1 in
    */*)
      [ -e "$1" ] || krond_gate_fail missing
      [ ! -d "$1" ] || krond_gate_fail folder
      [ -x "$1" ] || krond_gate_fail permission ;;
    *)
      command -v -- "$1" >/dev/null 2>&1 || krond_gate_fail unknown
      printf 'found ' >&3
      command -v -- "$1" >&3 ;;
  esac
fi
printf 'ready\\n' >&3
IFS= read -r krond_gate_line <&3 && [ "$krond_gate_line" = go ] || { trap - EXIT; exit 0; }
unset OLDPWD
printf 'going\\n' >&3
{ exec "$@"; } 3>&-
exit "$?"
`
