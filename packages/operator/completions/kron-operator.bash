# bash completion for kron-operator

_kron_operator_propose() {
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

_kron_operator_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -f -- "$1")
}

_kron_operator() {
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
        'start --namespace'|'start --kubeconfig'|'start --context'|'start --listen'|'start --lease-name'|'start --lease-namespace'|'start --lease-duration'|'start --resync'|'start --requests'|'start --log-level'|'start --format') pending=$word ;;
      esac
    elif [[ $operands == 0 ]]; then
      case "$scope $word" in
        ' start'|' manifests'|' completion') scope=${scope:+$scope }$word ;;
        *) operands=1 ;;
      esac
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $current == '=' ]] && current=''
    case "$scope $pending" in
      'start --kubeconfig') _kron_operator_paths "$current" ;;
      'start --log-level') _kron_operator_propose "$current" 'debug' '' 'info' '' 'warn' '' 'error' '' ;;
    esac
  elif [[ -z $ended && $current == -* ]]; then
    case $scope in
      '') _kron_operator_propose "$current" '--version' 'print the versions of kron-operator and tzdata' '--help' 'show this help' ;;
      'start') _kron_operator_propose "$current" '--namespace' 'only KronJobs of this namespace (default: all)' '--kubeconfig' 'how to reach the cluster (default: as kubectl, or the Pod)' '--context' 'a context of the kubeconfig (default: the current one)' '--listen' 'serve /metrics, /healthz and /readyz, such as 0.0.0.0:8080' '--no-leader-election' 'act without a lease: for a single replica' '--lease-name' 'the Lease that elects the leader' '--lease-namespace' 'the namespace of the Lease (default: that of the Pod or context)' '--lease-duration' 'how long others wait for a leader that is gone' '--resync' 'how often everything is read again' '--requests' 'requests to the API server at once' '--log-level' 'debug, info, warn or error' '--format' 'of the log: text or json (default: sentences on a terminal, else text)' '--help' 'show this help' ;;
      'manifests') _kron_operator_propose "$current" '--help' 'show this help' ;;
      'completion') _kron_operator_propose "$current" '--help' 'show this help' ;;
    esac
  else
    case "$scope $operands" in
      ' 0') _kron_operator_propose "$current" 'start' 'Run the controller in the foreground, until SIGTERM or SIGINT' 'manifests' 'Print manifests to apply: the kind KronJob, the controller and its rights' 'completion' 'Print a script that completes commands and options in a shell' ;;
      'completion '0) _kron_operator_propose "$current" 'bash' '' 'zsh' '' 'fish' '' ;;
    esac
  fi
}

complete -F _kron_operator kron-operator
