# bash completion for krontab

_krontab_propose() {
  local current=$1 entry index
  local -a words=() meanings=()
  shift
  while (($# > 0)); do
    [[ $1 == "$current"* ]] && words+=("$1") meanings+=("$2")
    shift 2
  done
  COMPREPLY=("${words[@]}")
  [[ ${COMP_TYPE:-} == 63 ]] && ((${#words[@]} > 1)) || return 0
  for index in "${!words[@]}"; do
    [[ -n ${meanings[index]} ]] || continue
    printf -v entry '%-14s  %s' "${words[index]}" "${meanings[index]}"
    COMPREPLY[index]=$entry
  done
}

_krontab_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -f -- "$1")
}

_krontab() {
  local current=${COMP_WORDS[COMP_CWORD]} scope='' pending='' operands=0 ended='' word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ -n $pending ]]; then
      # Readline makes three words of --option=value.
      [[ $word == '=' ]] || pending=''
    elif [[ -z $ended && $word == '--' ]]; then
      ended=yes
    elif [[ -z $ended && $word == -?* ]]; then
      case "$scope $word" in
        'lint -f'|'lint --file'|'lint --crontab'|'lint --format'|'explain -f'|'explain --file'|'explain --at'|'explain --identity'|'explain --state'|'explain --format'|'next -f'|'next --file'|'next -n'|'next --limit'|'next --from'|'next --until'|'next --identity'|'next --format'|'simulate -f'|'simulate --file'|'simulate --from'|'simulate --for'|'simulate --bucket'|'simulate --timezone'|'simulate --out'|'simulate --format'|'add -f'|'add --file'|'add --name'|'add --command'|'add --user'|'add --group'|'add --cwd'|'add --env'|'add --umask'|'add --timeout'|'add --stdout'|'add --stderr'|'add --description'|'add --format'|'remove -f'|'remove --file'|'remove --format'|'import --systemd'|'import --user'|'import --timezone'|'import --out'|'import --format') pending=$word ;;
      esac
    elif [[ $operands == 0 ]]; then
      case "$scope $word" in
        ' lint'|' explain'|' next'|' simulate'|' add'|' remove'|' import'|' completion') scope=${scope:+$scope }$word ;;
        *) operands=1 ;;
      esac
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $current == '=' ]] && current=''
    case "$scope $pending" in
      'lint -f'|'lint --file') _krontab_paths "$current" ;;
      'lint --crontab') _krontab_paths "$current" ;;
      'lint --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'explain -f'|'explain --file') _krontab_paths "$current" ;;
      'explain --state') _krontab_paths "$current" ;;
      'explain --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'next -f'|'next --file') _krontab_paths "$current" ;;
      'next --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'simulate -f'|'simulate --file') _krontab_paths "$current" ;;
      'simulate --out') _krontab_paths "$current" ;;
      'simulate --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'add -f'|'add --file') _krontab_paths "$current" ;;
      'add --cwd') _krontab_paths "$current" ;;
      'add --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'remove -f'|'remove --file') _krontab_paths "$current" ;;
      'remove --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
      'import --systemd') _krontab_paths "$current" ;;
      'import --out') _krontab_paths "$current" ;;
      'import --format') _krontab_propose "$current" 'text' '' 'json' '' ;;
    esac
  elif [[ -z $ended && $current == -* ]]; then
    case $scope in
      '') _krontab_propose "$current" '--version' 'print the versions of krontab and tzdata' '--help' 'show this help' ;;
      'lint') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--crontab' 'one of cron'\''s own files or folders; repeatable' '--strict' 'warnings count as errors' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'explain') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--at' 'explain the current period at this time or date (default: now)' '--next' 'explain the period after it' '--identity' 'identity of a quoted schedule (default: its canonical text)' '--state' 'where krond keeps its state' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'next') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--limit' 'how many at most (default: 10, or all with --until)' '--from' 'first nominal time, or its date (default: now)' '--until' 'nominal times before this one, or this date' '--identity' 'identity of a quoted schedule (default: its canonical text)' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'simulate') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--from' 'start, a time or a date (default: now)' '--for' 'how long, such as 12h or 7d' '--bucket' 'count in steps of this length' '--timezone' 'show times in this zone (default: the zone of all jobs, or UTC)' '--out' 'also write the chart to this file' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'add') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--name' 'lower-case letters, digits, - and /; unique in the file' '--command' 'a path, or a command line in quotes' '--shell' 'let a shell read the command' '--user' 'run as this user' '--group' 'run as this group' '--cwd' 'run in this folder' '--env' 'an environment variable; repeatable' '--umask' 'octal, such as 0027' '--timeout' 'end the job after this time' '--stdout' 'inherit, discard, syslog or file:<path>' '--stderr' 'the same for standard error' '--description' 'a note for people' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'remove') _krontab_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'import') _krontab_propose "$current" '--systemd' 'a timer, with its service beside it; repeatable' '--system-format' 'lines name a user (default in /etc/crontab and /etc/cron.d)' '--user-format' 'lines name no user (default elsewhere)' '--user' 'run jobs of the user format as this user' '--timezone' 'the zone of the times (default: the system'\''s)' '--out' 'write this file (default: print)' '--force' 'overwrite the file' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'completion') _krontab_propose "$current" '--help' 'show this help' ;;
    esac
  else
    case "$scope $operands" in
      ' 0') _krontab_propose "$current" 'lint' 'Check krontabs and schedules, and warn of likely mistakes' 'explain' 'Show every step from a schedule to the chosen time' 'next' 'List the next periods and their chosen times' 'simulate' 'Count how many jobs start in each minute, with and without windows' 'add' 'Add a job to a krontab' 'remove' 'Remove a job from a krontab' 'import' 'Convert crontabs and systemd timers to a krontab' 'completion' 'Print a script that completes commands and options in a shell' ;;
      'simulate '[0-9]*) _krontab_paths "$current" ;;
      'import '[0-9]*) _krontab_paths "$current" ;;
      'completion '0) _krontab_propose "$current" 'bash' '' 'zsh' '' 'fish' '' ;;
    esac
  fi
}

complete -F _krontab krontab
