#compdef kronctl

_kronctl() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'next:List the next periods and their chosen times'
    'explain:Show every step from a schedule to the chosen time'
    'simulate:Count how many KronJobs start in each minute, with and without windows'
    'validate:Check manifests without a cluster, and warn of likely mistakes'
    'import:Convert CronJobs to KronJobs, as YAML or JSON'
    'suspend:Suspend KronJobs\: they start nothing until they are resumed'
    'resume:Let suspended KronJobs run again'
    'run:Create a Job now, outside of any period'
    'completion:Print a script that completes commands and options in a shell'
  )
  _arguments -C -s -S \
    '(-V --version)'{-V,--version}'[print the versions of the program and tzdata]' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kronctl command' commands && result=0
      ;;
    rest)
      case $words[1] in
        next)
          _arguments -s -S \
            '*'{-f+,--file=}'[manifests\: a file, a folder, or - for standard input; repeatable]:path:_files' \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--limit=[how many at most (default\: 10, or all with --until)]:number: ' \
            '--from=[first nominal time, or its date (default\: now)]:time: ' \
            '--until=[nominal times before this one, or this date]:time: ' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        explain)
          _arguments -s -S \
            '*'{-f+,--file=}'[manifests\: a file, a folder, or - for standard input; repeatable]:path:_files' \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--at=[explain the current period at this time or date (default\: now)]:time: ' \
            '--next[explain the period after it]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        simulate)
          _arguments -s -S \
            '*'{-f+,--file=}'[manifests\: a file, a folder, or - for standard input; repeatable]:path:_files' \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--from=[start, a time or a date (default\: now)]:time: ' \
            '--for=[how long, such as 12h or 7d]:duration: ' \
            '--bucket=[count in steps of this length]:duration: ' \
            '--timezone=[show times in this zone (default\: the zone of all, or UTC)]:zone: ' \
            '--out=[also write the chart to this file]:chart.svg:_files' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        validate)
          _arguments -s -S \
            '*'{-f+,--file=}'[manifests\: a file, a folder, or - for standard input; repeatable]:path:_files' \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '--strict[warnings count as errors]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        import)
          _arguments -s -S \
            '*'{-f+,--file=}'[manifests\: a file, a folder, or - for standard input; repeatable]:path:_files' \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--window=[add a window of this length (default\: none)]:duration: ' \
            '(-o --output)'{-o+,--output=}'[yaml or json, as kubectl has it (default\: yaml)]:format: ' \
            '--out=[write this file (default\: print)]:file:_files' \
            '--force[overwrite the file]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        suspend)
          _arguments -s -S \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--all[all of the namespace, or with -A of all namespaces]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        resume)
          _arguments -s -S \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '(-A --all-namespaces)'{-A,--all-namespaces}'[all namespaces]' \
            '(-l --selector)'{-l+,--selector=}'[those with these labels, such as app=shop,tier!=test]:labels: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--all[all of the namespace, or with -A of all namespaces]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
          ;;
        run)
          _arguments -s -S \
            '(-n --namespace)'{-n+,--namespace=}'[the namespace (default\: the context'\''s)]:name: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl does)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--dry-run[print the Job and create nothing]' \
            '--format=[text or json]:format:(text json)' \
            '--no-color[no colours, as with NO_COLOR]' \
            '(-q --quiet)'{-q,--quiet}'[no notes on standard error, only errors]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '1:name: ' && result=0
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

if [[ $funcstack[1] == _kronctl ]]; then
  _kronctl "$@"
else
  compdef _kronctl kronctl
fi
