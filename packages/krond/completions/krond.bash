# bash completion for krond

_krond_propose() {
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

_krond_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -f -- "$1")
}

_krond() {
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
        'start --state'|'start -f'|'start --file'|'start --crontab'|'start --max-running'|'start --grace'|'start --history'|'start --listen'|'start --log-level'|'start --format'|'stop --state'|'stop --timeout'|'stop --format'|'reload --state'|'reload --format'|'status --state'|'status -f'|'status --file'|'status --crontab'|'status --format'|'run -f'|'run --file'|'run --crontab'|'run --format'|'audit --format') pending=$word ;;
      esac
    elif [[ $operands == 0 ]]; then
      case "$scope $word" in
        ' start'|' stop'|' reload'|' status'|' run'|' audit'|' completion') scope=${scope:+$scope }$word ;;
        *) operands=1 ;;
      esac
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $current == '=' ]] && current=''
    case "$scope $pending" in
      'start --state') _krond_paths "$current" ;;
      'start -f'|'start --file') _krond_paths "$current" ;;
      'start --crontab') _krond_paths "$current" ;;
      'start --log-level') _krond_propose "$current" 'debug' '' 'info' '' 'warn' '' 'error' '' ;;
      'stop --state') _krond_paths "$current" ;;
      'stop --format') _krond_propose "$current" 'text' '' 'json' '' ;;
      'reload --state') _krond_paths "$current" ;;
      'reload --format') _krond_propose "$current" 'text' '' 'json' '' ;;
      'status --state') _krond_paths "$current" ;;
      'status -f'|'status --file') _krond_paths "$current" ;;
      'status --crontab') _krond_paths "$current" ;;
      'status --format') _krond_propose "$current" 'text' '' 'json' '' ;;
      'run -f'|'run --file') _krond_paths "$current" ;;
      'run --crontab') _krond_paths "$current" ;;
      'run --format') _krond_propose "$current" 'text' '' 'json' '' ;;
      'audit --format') _krond_propose "$current" 'text' '' 'json' '' ;;
    esac
  elif [[ -z $ended && $current == -* ]]; then
    case $scope in
      '') _krond_propose "$current" '--version' 'print the versions of krond and tzdata' '--help' 'show this help' ;;
      'start') _krond_propose "$current" '--state' 'state folder (default: /var/lib/krond as root, else ~/.local/state/krond)' '--file' 'a krontab, or a folder of them; repeatable' '--crontab' 'one of cron'\''s own files or folders; repeatable' '--strict' 'refuse to start when a job is invalid (default: leave it out)' '--max-running' 'executions at once, others wait' '--grace' 'time from SIGTERM to SIGKILL for jobs' '--kill' 'end running jobs when stopped (default: wait for them)' '--history' 'periods remembered for each job' '--listen' 'serve metrics and jobs on host:port or unix:/path' '--log-level' 'debug, info, warn or error' '--format' 'of the log: text or json (default: sentences on a terminal, else text)' '--help' 'show this help' ;;
      'stop') _krond_propose "$current" '--state' 'state folder (default: /var/lib/krond as root, else ~/.local/state/krond)' '--leave' 'have it end at once, and leave its jobs to the next daemon' '--timeout' 'how long to wait' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'reload') _krond_propose "$current" '--state' 'state folder (default: /var/lib/krond as root, else ~/.local/state/krond)' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'status') _krond_propose "$current" '--state' 'state folder (default: /var/lib/krond as root, else ~/.local/state/krond)' '--file' 'a krontab, or a folder of them; repeatable' '--crontab' 'one of cron'\''s own files or folders; repeatable' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'run') _krond_propose "$current" '--file' 'a krontab, or a folder of them; repeatable' '--crontab' 'one of cron'\''s own files or folders; repeatable' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'audit') _krond_propose "$current" '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'completion') _krond_propose "$current" '--help' 'show this help' ;;
    esac
  else
    case "$scope $operands" in
      ' 0') _krond_propose "$current" 'start' 'Run jobs in the foreground, until SIGTERM, SIGINT or krond stop' 'stop' 'Ask the daemon to stop, and wait until it has' 'reload' 'Have the daemon read its krontabs and crontabs again' 'status' 'Show what runs, what comes next and how it went last' 'run' 'Run a job now, in the foreground, outside of any period' 'audit' 'Prove from its JSON log what the daemon did' 'completion' 'Print a script that completes commands and options in a shell' ;;
      'audit '[0-9]*) _krond_paths "$current" ;;
      'completion '0) _krond_propose "$current" 'bash' '' 'zsh' '' 'fish' '' ;;
    esac
  fi
}

complete -F _krond krond
