#compdef krontab

_krontab() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'lint:Check krontabs and schedules, and warn of likely mistakes'
    'explain:Show every step from a schedule to the chosen time'
    'next:List the next periods and their chosen times'
    'simulate:Count how many jobs start in each minute, with and without windows'
    'add:Add a job to a krontab'
    'remove:Remove a job from a krontab'
    'import:Convert crontabs and systemd timers to a krontab'
    'completion:Print a script that completes commands and options in a shell'
  )
  _arguments -C -s -S \
    '(-V --version)'{-V,--version}'[print the versions of krontab and tzdata]' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'krontab command' commands && result=0
      ;;
    rest)
      case $words[1] in
        lint)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '*--crontab=[one of cron'\''s own files or folders; repeatable]:path:_files' \
            '--strict[warnings count as errors]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:targets: ' && result=0
          ;;
        explain)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '--at=[explain the current period at this time or date (default\: now)]:time: ' \
            '--next[explain the period after it]' \
            '--identity=[identity of a quoted schedule (default\: its canonical text)]:text: ' \
            '--state=[where krond keeps its state]:folder:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:job: ' && result=0
          ;;
        next)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '(-n --limit)'{-n+,--limit=}'[how many at most (default\: 10, or all with --until)]:number: ' \
            '--from=[first nominal time, or its date (default\: now)]:time: ' \
            '--until=[nominal times before this one, or this date]:time: ' \
            '--identity=[identity of a quoted schedule (default\: its canonical text)]:text: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:job: ' && result=0
          ;;
        simulate)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '--from=[start, a time or a date (default\: now)]:time: ' \
            '--for=[how long, such as 12h or 7d]:duration: ' \
            '--bucket=[count in steps of this length]:duration: ' \
            '--timezone=[show times in this zone (default\: the zone of all jobs, or UTC)]:zone: ' \
            '--out=[also write the chart to this file]:chart.svg:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:files:_files' && result=0
          ;;
        add)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '--name=[lower-case letters, digits, - and /; unique in the file]:id: ' \
            '--command=[a path, or a command line in quotes]:command: ' \
            '--shell[let a shell read the command]' \
            '--user=[run as this user]:user: ' \
            '--group=[run as this group]:group: ' \
            '--cwd=[run in this folder]:folder:_files' \
            '*--env=[an environment variable; repeatable]:K=V: ' \
            '--umask=[octal, such as 0027]:mask: ' \
            '--timeout=[end the job after this time]:duration: ' \
            '--stdout=[inherit, discard, syslog or file\:<path>]:target: ' \
            '--stderr=[the same for standard error]:target: ' \
            '--description=[a note for people]:text: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:schedule: ' && result=0
          ;;
        remove)
          _arguments -s -S \
            '*'{-f+,--file=}'[a krontab, or a folder of them; repeatable]:path:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:job: ' && result=0
          ;;
        import)
          _arguments -s -S \
            '*--systemd=[a timer, with its service beside it; repeatable]:unit.timer:_files' \
            '--system-format[lines name a user (default in /etc/crontab and /etc/cron.d)]' \
            '--user-format[lines name no user (default elsewhere)]' \
            '--user=[run jobs of the user format as this user]:user: ' \
            '--timezone=[the zone of the times (default\: the system'\''s)]:zone: ' \
            '--out=[write this file (default\: print)]:file.krontab:_files' \
            '--force[overwrite the file]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:paths:_files' && result=0
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

if [[ $funcstack[1] == _krontab ]]; then
  _krontab "$@"
else
  compdef _krontab krontab
fi
