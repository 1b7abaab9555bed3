# fish completion for kron-operator
complete -c kron-operator -f
complete -c kron-operator -n __fish_use_subcommand -a 'start' -d 'Run the controller in the foreground, until SIGTERM or SIGINT'
complete -c kron-operator -n __fish_use_subcommand -a 'manifests' -d 'Print manifests to apply: the kind KronJob, the controller and its rights'
complete -c kron-operator -n __fish_use_subcommand -a 'completion' -d 'Print a script that completes commands and options in a shell'
complete -c kron-operator -n __fish_use_subcommand -s V -l version -d 'print the versions of kron-operator and tzdata'
complete -c kron-operator -n __fish_use_subcommand -s h -l help -d 'show this help'

complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l namespace -x -d 'only KronJobs of this namespace (default: all)'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l kubeconfig -r -F -d 'how to reach the cluster (default: as kubectl, or the Pod)'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l context -x -d 'a context of the kubeconfig (default: the current one)'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l listen -x -d 'serve /metrics, /healthz and /readyz, such as 0.0.0.0:8080'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l no-leader-election -d 'act without a lease: for a single replica'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l lease-name -x -d 'the Lease that elects the leader'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l lease-namespace -x -d 'the namespace of the Lease (default: that of the Pod or context)'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l lease-duration -x -d 'how long others wait for a leader that is gone'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l resync -x -d 'how often everything is read again'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l requests -x -d 'requests to the API server at once'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l log-level -x -a 'debug info warn error' -d 'debug, info, warn or error'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -l format -x -d 'of the log: text or json (default: sentences on a terminal, else text)'
complete -c kron-operator -n 'contains -- start (commandline -opc)[2]' -s h -l help -d 'show this help'

complete -c kron-operator -n 'contains -- manifests (commandline -opc)[2]' -s h -l help -d 'show this help'

complete -c kron-operator -n 'contains -- completion (commandline -opc)[2]' -s h -l help -d 'show this help'
complete -c kron-operator -n 'contains -- completion (commandline -opc)[2]; and not __fish_seen_subcommand_from bash zsh fish' -a 'bash zsh fish'
