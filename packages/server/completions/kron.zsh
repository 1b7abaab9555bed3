#compdef kron

_kron__tenants() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List tenants'
    'usage:Show what all tenants together used this month'
    'create:Create a tenant, and show its key and its signing secret once'
    'show:Show a tenant, its quotas, and what it keeps'
    'quotas:Change quotas; those that are not named stay'
    'retention:Change how long runs are kept; what is not named stays'
    'new-key:Create an API key for a tenant that lost its own, and show it once'
    'suspend:Refuse the keys of a tenant, plan nothing for it, and cancel its runs'
    'resume:End a suspension'
    'rename:Rename a tenant; its id stays'
    'delete:Delete a tenant with its jobs, endpoints, runs, keys and secrets'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
    '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron tenants command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        usage)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        create)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        show)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        quotas)
          _arguments -s -S \
            '--endpoints=[endpoints, without those that are archived; none for no limit]:number: ' \
            '--runs-per-month=[runs that start in a month; none for no limit]:number: ' \
            '--ai-calls-per-month=[paid calls of planners in a month; none for no limit]:number: ' \
            '--ai-tokens-per-month=[tokens of these calls; none for no limit]:number: ' \
            '--requests-per-minute=[requests to the API in a minute; none for no limit]:number: ' \
            '--min-interval=[the shortest interval of an endpoint; none for no limit]:duration: ' \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        retention)
          _arguments -s -S \
            '--run-days=[days that runs are kept]:number: ' \
            '--runs-per-endpoint=[runs of each endpoint that are kept]:number: ' \
            '--body-days=[days that bodies of responses are kept]:number: ' \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        new-key)
          _arguments -s -S \
            '--name=[the name of the key]:name: ' \
            '*--scope=[read, write, run or admin; repeatable (default\: admin)]:scope: ' \
            '--expires-in=[how long the key works, such as 7d]:duration: ' \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        suspend)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        resume)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
        rename)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' \
            '2:name: ' && result=0
          ;;
        delete)
          _arguments -s -S \
            '--yes[confirm the deletion]' \
            '--confirm=[the tenant'\''s name, instead of --yes]:name: ' \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:tenant: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

_kron__jobs() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List jobs'
    'create:Create a job'
    'show:Show a job'
    'pause:Pause a job\: nothing is planned until it is resumed'
    'resume:Resume a job, or bring an archived one back'
    'archive:Archive a job\: it stays, with its history, and nothing runs'
    'delete:Delete a job with its endpoints'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--status=[only those that are active, paused or archived]:status: ' \
    '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron jobs command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '--status=[only those that are active, paused or archived]:status: ' \
            '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        create)
          _arguments -s -S \
            '--description=[a note for people]:text: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        show)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:job: ' && result=0
          ;;
        pause)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:job: ' && result=0
          ;;
        resume)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:job: ' && result=0
          ;;
        archive)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:job: ' && result=0
          ;;
        delete)
          _arguments -s -S \
            '--yes[confirm the deletion]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:job: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

_kron__endpoints() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List endpoints'
    'show:Show an endpoint'
    'create:Create an endpoint'
    'update:Change an endpoint; fields that are not named stay'
    'pause:Pause an endpoint, for a time or until resumed'
    'resume:End a pause, or bring an archived endpoint back'
    'archive:Archive an endpoint\: it stays, with its history, and does not run'
    'reset-failures:Count failures from 0 again'
    'delete:Delete an endpoint'
    'hint:Change when an endpoint runs, for a while'
    'clear-hints:Remove all hints'
    'next:Show when the endpoint runs next, if all goes well'
    'explain:Explain why the endpoint runs when it does'
    'advice:Show what the learner knows, and how the endpoint runs with it and without'
    'health:Show success rate, durations and streaks'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--job=[only those of a job]:job: ' \
    '--archived[only archived ones]' \
    '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron endpoints command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '--job=[only those of a job]:job: ' \
            '--archived[only archived ones]' \
            '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        show)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        create)
          _arguments -s -S \
            '--job=[the job that the endpoint belongs to, by name or id]:job: ' \
            '--url=[the URL to call]:url: ' \
            '--description=[a note for people]:text: ' \
            '--method=[the HTTP method of the request]:method: ' \
            '--cron=[when it runs\: a cron expression with modifiers]:schedule: ' \
            '--timezone=[the time zone of cron, such as Europe/Paris; UTC without one]:zone: ' \
            '--every=[when it runs\: this long after the start of the last run]:duration: ' \
            '--jitter=[up to this much is added to the interval]:duration: ' \
            '--min=[the shortest time from the start of one run to the next]:duration: ' \
            '--max=[the longest time from the start of one run to the next]:duration: ' \
            '--timeout=[how long one exchange may take, to the last byte of the response]:duration: ' \
            '--concurrency=[whether a run that is due while another is under way starts beside it (allow), is skipped (forbid) or ends it (replace)]:policy: ' \
            '--deadline=[how late a run may start; without it, runs start however late]:duration: ' \
            '--planner=[whether planners leave the endpoint alone (off), suggest changes (suggest) or make them (on)]:switch: ' \
            '--secret=[the name of the secret that signs requests; without it, the secret named default]:name: ' \
            '*--header=[a header; an empty value removes it; repeatable]:name\: value: ' \
            '--json=[a JSON body; - reads standard input]:text: ' \
            '--text=[a text body; - reads standard input]:text: ' \
            '--attempts=[attempts of one run, with the first]:number: ' \
            '*--set=[any other field of the API; null clears; repeatable]:field=json: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        update)
          _arguments -s -S \
            '--name=[the new name]:name: ' \
            '--url=[the URL to call]:url: ' \
            '--description=[a note for people]:text: ' \
            '--method=[the HTTP method of the request]:method: ' \
            '--cron=[when it runs\: a cron expression with modifiers]:schedule: ' \
            '--timezone=[the time zone of cron, such as Europe/Paris; UTC without one]:zone: ' \
            '--every=[when it runs\: this long after the start of the last run]:duration: ' \
            '--jitter=[up to this much is added to the interval]:duration: ' \
            '--min=[the shortest time from the start of one run to the next]:duration: ' \
            '--max=[the longest time from the start of one run to the next]:duration: ' \
            '--timeout=[how long one exchange may take, to the last byte of the response]:duration: ' \
            '--concurrency=[whether a run that is due while another is under way starts beside it (allow), is skipped (forbid) or ends it (replace)]:policy: ' \
            '--deadline=[how late a run may start; without it, runs start however late]:duration: ' \
            '--planner=[whether planners leave the endpoint alone (off), suggest changes (suggest) or make them (on)]:switch: ' \
            '--secret=[the name of the secret that signs requests; without it, the secret named default]:name: ' \
            '*--header=[a header; an empty value removes it; repeatable]:name\: value: ' \
            '--json=[a JSON body; - reads standard input]:text: ' \
            '--text=[a text body; - reads standard input]:text: ' \
            '--attempts=[attempts of one run, with the first]:number: ' \
            '*--set=[any other field of the API; null clears; repeatable]:field=json: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        pause)
          _arguments -s -S \
            '--until=[end of the pause, a time or a date]:time: ' \
            '--for=[length of the pause, such as 90m or 2d]:duration: ' \
            '--reason=[a note for people]:text: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        resume)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        archive)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        reset-failures)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        delete)
          _arguments -s -S \
            '--yes[confirm the deletion]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        hint)
          _arguments -s -S \
            '--every=[run at this interval]:duration: ' \
            '--at=[run once at this time]:time: ' \
            '--ttl=[how long the hint is valid (default\: 1h, or until --at if later)]:duration: ' \
            '--reason=[a note for people]:text: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        clear-hints)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        next)
          _arguments -s -S \
            '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        explain)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        advice)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        health)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

_kron__runs() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List runs, the newest first'
    'show:Show a run'
    'cancel:Cancel a run that is pending or running'
    'replay:Run again, with the endpoint as it is now'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--endpoint=[only those of an endpoint]:endpoint: ' \
    '--job=[only those of a job]:job: ' \
    '*--status=[only those of this status; repeatable]:status: ' \
    '--source=[only those from this source, such as manual or baseline-cron]:source: ' \
    '--from=[scheduled for this time or later]:time: ' \
    '--until=[scheduled before this time]:time: ' \
    '--follow[then show runs as they start and end, until Ctrl-C]' \
    '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron runs command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '--endpoint=[only those of an endpoint]:endpoint: ' \
            '--job=[only those of a job]:job: ' \
            '*--status=[only those of this status; repeatable]:status: ' \
            '--source=[only those from this source, such as manual or baseline-cron]:source: ' \
            '--from=[scheduled for this time or later]:time: ' \
            '--until=[scheduled before this time]:time: ' \
            '--follow[then show runs as they start and end, until Ctrl-C]' \
            '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        show)
          _arguments -s -S \
            '--body[only the body of the response, as it came]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:run: ' && result=0
          ;;
        cancel)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:run: ' && result=0
          ;;
        replay)
          _arguments -s -S \
            '--wait[wait for the end of the run; exit with 4 unless it succeeds]' \
            '--timeout=[how long to wait]:duration: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:run: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

_kron__keys() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List API keys'
    'create:Create an API key, and show it once'
    'show:Show an API key'
    'revoke:Revoke a key'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron keys command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        create)
          _arguments -s -S \
            '*--scope=[read, write, run or admin; repeatable]:scope: ' \
            '--expires=[a time or date when the key stops working]:time: ' \
            '--expires-in=[how long the key works, such as 90d]:duration: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        show)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:key: ' && result=0
          ;;
        revoke)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:key: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

_kron__secrets() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'list:List secrets'
    'show:Show a secret, without its values'
    'put:Create a secret, or replace its value at once'
    'rotate:Give a secret a new value; for a time both sign'
    'delete:Delete a secret that no endpoint uses'
  )
  _arguments -C -s -S \
    '(-h --help)'{-h,--help}'[show this help]' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron secrets command' commands && result=0
      ;;
    rest)
      case $words[1] in
        list)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        show)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        put)
          _arguments -s -S \
            '--value=[- reads whsec_... from standard input (default\: create a value)]:source: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        rotate)
          _arguments -s -S \
            '--overlap=[how long both values sign]:duration: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
        delete)
          _arguments -s -S \
            '--yes[confirm the deletion]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:name: ' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}
_kron() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'serve:Run the server\: API, workers and planner, in one process or in many'
    'tenants:Manage tenants in the database itself, without a server'
    'jobs:Manage jobs, which hold endpoints'
    'endpoints:Manage endpoints\: what is called, and when'
    'runs:Show runs\: what was called, and how it went'
    'run-now:Run an endpoint now; its plan stays'
    'pause:Pause an endpoint, for a time or until resumed'
    'forecast:Show how many runs each minute will bring'
    'keys:Manage API keys'
    'secrets:Manage secrets that sign requests'
    'audit:Show who changed what, the newest first'
    'quotas:Show the quotas and what is used'
    'completion:Print a script that completes commands and options in a shell'
  )
  _arguments -C -s -S \
    '(-V --version)'{-V,--version}'[print the versions of kron and tzdata]' \
    '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
    '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
    '--format=[text or json]:format:(text json)' \
    '--no-color[no colours, as with NO_COLOR]' \
    '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron command' commands && result=0
      ;;
    rest)
      case $words[1] in
        serve)
          _arguments -s -S \
            '--data=[the folder of the embedded database and the sealing key]:folder:_files' \
            '--database=[postgres\://... or an SQLite file (default\: KRON_DATABASE, or in --data)]:url: ' \
            '*--role=[api, worker or planner; repeatable (default\: all)]:role: ' \
            '--host=[the address to listen on]:address: ' \
            '--port=[the port; 0 takes any that is free (default\: 7077 with the role api, else none)]:number: ' \
            '--public-url=[the address for browsers; with https, cookies are sent over https only]:url: ' \
            '*--allow=[a private address or range that endpoints may call; repeatable]:address: ' \
            '--allow-local[for a trial\: endpoints may call every port of this machine]' \
            '--signup=[closed, or open to everybody]:mode: ' \
            '--signup-quotas=[quotas of a tenant that signs up, such as endpoints=20,min-interval=1m]:list: ' \
            '--system-quotas=[quotas of all tenants together, such as runs-per-month=1000000]:list: ' \
            '--max-tenants=[with this many tenants, sign-up is closed]:number: ' \
            '--lost-key[start with a new sealing key; headers and secrets must be set again]' \
            '--in-flight=[runs that a worker has at once]:number: ' \
            '--connections=[connections to all hosts (default\: 512)]:number: ' \
            '--per-host=[connections to one host]:number: ' \
            '--database-connections=[connections to PostgreSQL]:number: ' \
            '--restored[the database is from a backup\: send nothing that was due before now]' \
            '--grace=[time for running requests when the server stops]:duration: ' \
            '--log-level=[debug, info, warn or error]:level:(debug info warn error)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        tenants)
          _kron__tenants && result=0
          ;;
        jobs)
          _kron__jobs && result=0
          ;;
        endpoints)
          _kron__endpoints && result=0
          ;;
        runs)
          _kron__runs && result=0
          ;;
        run-now)
          _arguments -s -S \
            '--wait[wait for the end of the run; exit with 4 unless it succeeds]' \
            '--timeout=[how long to wait]:duration: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        pause)
          _arguments -s -S \
            '--until=[end of the pause, a time or a date]:time: ' \
            '--for=[length of the pause, such as 90m or 2d]:duration: ' \
            '--reason=[a note for people]:text: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:endpoint: ' && result=0
          ;;
        forecast)
          _arguments -s -S \
            '--from=[start, a time or a date (default\: now)]:time: ' \
            '--for=[how long, at most 1d]:duration: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        keys)
          _kron__keys && result=0
          ;;
        secrets)
          _kron__secrets && result=0
          ;;
        audit)
          _arguments -s -S \
            '--subject=[only changes of this job, endpoint, key, ...]:id: ' \
            '(-n --limit)'{-n+,--limit=}'[how many at most]:number: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        quotas)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' && result=0
          ;;
        completion)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--server=[the server (default\: KRON_SERVER, or http\://127.0.0.1\:7077)]:url: ' \
            '--key=[the API key (default\: KRON_KEY, or a file)]:key: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '1:shell:(bash zsh fish)' && result=0
          ;;
      esac
      ;;
  esac
  return $result
}

if [[ $funcstack[1] == _kron ]]; then
  _kron "$@"
else
  compdef _kron kron
fi
