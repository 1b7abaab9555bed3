#compdef krond

_krond() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'start:Run jobs in the foreground, until SIGTERM, SIGINT or krond stop'
    'stop:Ask the daemon to stop, and wait until it has'
    'reload:Have the daemon read its krontabs and crontabs again'
    'status:Show what runs, what comes next and how it went last'
    'run:Run a job now, in the foreground, outside of any period'
    'audit:Prove from its JSON log what the daemon did'
    'completion:Print a script that completes commands and options in a shell'
  )
  _arguments -C -s -S \
    '(-V --version)'{-V,--version}'[print the versions of krond and tzdata]' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'krond command' commands && result=0
      ;;
    rest)
      case $words[1] in
        start)
          _arguments -s -S \
            '--state=[state folder (default\: /var/lib/krond as root, else ~/.local/state/krond)]:folder:_files' \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '*--crontab=[one of cron'\''s own files or folders; repeatable]:path:_files' \
            '--strict[refuse to start when a job is invalid (default\: leave it out)]' \
            '--max-running=[executions at once, others wait]:number: ' \
            '--grace=[time from SIGTERM to SIGKILL for jobs]:duration: ' \
            '--kill[end running jobs when stopped (default\: wait for them)]' \
            '--history=[periods remembered for each job]:number: ' \
            '--listen=[serve metrics and jobs on host\:port or unix\:/path]:address: ' \
            '--log-level=[debug, info, warn or error]:level:(debug info warn error)' \
            '--format=[of the log\: text or json (default\: sentences on a terminal, else text)]:format: ' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        stop)
          _arguments -s -S \
            '--state=[state folder (default\: /var/lib/krond as root, else ~/.local/state/krond)]:folder:_files' \
            '--leave[have it end at once, and leave its jobs to the next daemon]' \
            '--timeout=[how long to wait]:duration: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        reload)
          _arguments -s -S \
            '--state=[state folder (default\: /var/lib/krond as root, else ~/.local/state/krond)]:folder:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        status)
          _arguments -s -S \
            '--state=[state folder (default\: /var/lib/krond as root, else ~/.local/state/krond)]:folder:_files' \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '*--crontab=[one of cron'\''s own files or folders; repeatable]:path:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        run)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '*--crontab=[one of cron'\''s own files or folders; repeatable]:path:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:job: ' && result=0
          ;;
        audit)
          _arguments -s -S \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:log:_files' && result=0
          ;;
        completion)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:shell:(bash zsh fish)' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

if [[ $funcstack[1] == _krond ]]; then
  _krond "$@"
else
  compdef _krond krond
fi
