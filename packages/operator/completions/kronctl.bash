# bash completion for kronctl

_kronctl_propose() {
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

_kronctl_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -f -- "$1")
}

_kronctl() {
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
        'next -f'|'next --file'|'next -n'|'next --namespace'|'next -l'|'next --selector'|'next --kubeconfig'|'next --context'|'next --limit'|'next --from'|'next --until'|'next --format'|'explain -f'|'explain --file'|'explain -n'|'explain --namespace'|'explain -l'|'explain --selector'|'explain --kubeconfig'|'explain --context'|'explain --at'|'explain --format'|'simulate -f'|'simulate --file'|'simulate -n'|'simulate --namespace'|'simulate -l'|'simulate --selector'|'simulate --kubeconfig'|'simulate --context'|'simulate --from'|'simulate --for'|'simulate --bucket'|'simulate --timezone'|'simulate --out'|'simulate --format'|'validate -f'|'validate --file'|'validate -n'|'validate --namespace'|'validate --format'|'import -f'|'import --file'|'import -n'|'import --namespace'|'import -l'|'import --selector'|'import --kubeconfig'|'import --context'|'import --window'|'import -o'|'import --output'|'import --out'|'import --format'|'suspend -n'|'suspend --namespace'|'suspend -l'|'suspend --selector'|'suspend --kubeconfig'|'suspend --context'|'suspend --format'|'resume -n'|'resume --namespace'|'resume -l'|'resume --selector'|'resume --kubeconfig'|'resume --context'|'resume --format'|'run -n'|'run --namespace'|'run --kubeconfig'|'run --context'|'run --format') pending=$word ;;
      esac
    elif [[ $operands == 0 ]]; then
      case "$scope $word" in
        ' next'|' explain'|' simulate'|' validate'|' import'|' suspend'|' resume'|' run'|' completion') scope=${scope:+$scope }$word ;;
        *) operands=1 ;;
      esac
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $current == '=' ]] && current=''
    case "$scope $pending" in
      'next -f'|'next --file') _kronctl_paths "$current" ;;
      'next --kubeconfig') _kronctl_paths "$current" ;;
      'next --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'explain -f'|'explain --file') _kronctl_paths "$current" ;;
      'explain --kubeconfig') _kronctl_paths "$current" ;;
      'explain --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'simulate -f'|'simulate --file') _kronctl_paths "$current" ;;
      'simulate --kubeconfig') _kronctl_paths "$current" ;;
      'simulate --out') _kronctl_paths "$current" ;;
      'simulate --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'validate -f'|'validate --file') _kronctl_paths "$current" ;;
      'validate --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'import -f'|'import --file') _kronctl_paths "$current" ;;
      'import --kubeconfig') _kronctl_paths "$current" ;;
      'import --out') _kronctl_paths "$current" ;;
      'import --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'suspend --kubeconfig') _kronctl_paths "$current" ;;
      'suspend --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'resume --kubeconfig') _kronctl_paths "$current" ;;
      'resume --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
      'run --kubeconfig') _kronctl_paths "$current" ;;
      'run --format') _kronctl_propose "$current" 'text' '' 'json' '' ;;
    esac
  elif [[ -z $ended && $current == -* ]]; then
    case $scope in
      '') _kronctl_propose "$current" '--version' 'print the versions of the program and tzdata' '--help' 'show this help' ;;
      'next') _kronctl_propose "$current" '--file' 'manifests: a file, a folder, or - for standard input; repeatable' '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--limit' 'how many at most (default: 10, or all with --until)' '--from' 'first nominal time, or its date (default: now)' '--until' 'nominal times before this one, or this date' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'explain') _kronctl_propose "$current" '--file' 'manifests: a file, a folder, or - for standard input; repeatable' '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--at' 'explain the current period at this time or date (default: now)' '--next' 'explain the period after it' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'simulate') _kronctl_propose "$current" '--file' 'manifests: a file, a folder, or - for standard input; repeatable' '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--from' 'start, a time or a date (default: now)' '--for' 'how long, such as 12h or 7d' '--bucket' 'count in steps of this length' '--timezone' 'show times in this zone (default: the zone of all, or UTC)' '--out' 'also write the chart to this file' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'validate') _kronctl_propose "$current" '--file' 'manifests: a file, a folder, or - for standard input; repeatable' '--namespace' 'the namespace (default: the context'\''s)' '--strict' 'warnings count as errors' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'import') _kronctl_propose "$current" '--file' 'manifests: a file, a folder, or - for standard input; repeatable' '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--window' 'add a window of this length (default: none)' '--output' 'yaml or json, as kubectl has it (default: yaml)' '--out' 'write this file (default: print)' '--force' 'overwrite the file' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'suspend') _kronctl_propose "$current" '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--all' 'all of the namespace, or with -A of all namespaces' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'resume') _kronctl_propose "$current" '--namespace' 'the namespace (default: the context'\''s)' '--all-namespaces' 'all namespaces' '--selector' 'those with these labels, such as app=shop,tier!=test' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--all' 'all of the namespace, or with -A of all namespaces' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'run') _kronctl_propose "$current" '--namespace' 'the namespace (default: the context'\''s)' '--kubeconfig' 'how to reach the cluster (default: as kubectl does)' '--context' 'a context of the kubeconfig (default: the current one)' '--dry-run' 'print the Job and create nothing' '--format' 'text or json' '--no-color' 'no colours, as with NO_COLOR' '--quiet' 'no notes on standard error, only errors' '--help' 'show this help' ;;
      'completion') _kronctl_propose "$current" '--help' 'show this help' ;;
    esac
  else
    case "$scope $operands" in
      ' 0') _kronctl_propose "$current" 'next' 'List the next periods and their chosen times' 'explain' 'Show every step from a schedule to the chosen time' 'simulate' 'Count how many KronJobs start in each minute, with and without windows' 'validate' 'Check manifests without a cluster, and warn of likely mistakes' 'import' 'Convert CronJobs to KronJobs, as YAML or JSON' 'suspend' 'Suspend KronJobs: they start nothing until they are resumed' 'resume' 'Let suspended KronJobs run again' 'run' 'Create a Job now, outside of any period' 'completion' 'Print a script that completes commands and options in a shell' ;;
      'completion '0) _kronctl_propose "$current" 'bash' '' 'zsh' '' 'fish' '' ;;
    esac
  fi
}

complete -F _kronctl kronctl
