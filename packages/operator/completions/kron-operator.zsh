#compdef kron-operator

_kron_operator() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
    'start:Run the controller in the foreground, until SIGTERM or SIGINT'
    'manifests:Print manifests to apply\: the kind KronJob, the controller and its rights'
    'completion:Print a script that completes commands and options in a shell'
  )
  _arguments -C -s -S \
    '(-V --version)'{-V,--version}'[print the versions of kron-operator and tzdata]' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '1: :->command' \
    '*:: :->rest' && result=0
  case $state in
    command)
      _describe -t commands 'kron-operator command' commands && result=0
      ;;
    rest)
      case $words[1] in
        start)
          _arguments -s -S \
            '--namespace=[only KronJobs of this namespace (default\: all)]:name: ' \
            '--kubeconfig=[how to reach the cluster (default\: as kubectl, or the Pod)]:file:_files' \
            '--context=[a context of the kubeconfig (default\: the current one)]:name: ' \
            '--listen=[serve /metrics, /healthz and /readyz, such as 0.0.0.0\:8080]:address: ' \
            '--no-leader-election[act without a lease\: for a single replica]' \
            '--lease-name=[the Lease that elects the leader]:name: ' \
            '--lease-namespace=[the namespace of the Lease (default\: that of the Pod or context)]:name: ' \
            '--lease-duration=[how long others wait for a leader that is gone]:duration: ' \
            '--resync=[how often everything is read again]:duration: ' \
            '--requests=[requests to the API server at once]:number: ' \
            '--log-level=[debug, info, warn or error]:level:(debug info warn error)' \
            '--format=[of the log\: text or json (default\: sentences on a terminal, else text)]:format: ' \
            '(-h --help)'{-h,--help}'[show this help]' && result=0
          ;;
        manifests)
          _arguments -s -S \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*:names: ' && result=0
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

if [[ $funcstack[1] == _kron_operator ]]; then
  _kron_operator "$@"
else
  compdef _kron_operator kron-operator
fi
