import { awayServer, toBareCluster, toNoCluster } from './bare-cluster.ts'
import type { Mistake } from './mistake.ts'
import { oldNode } from './old-node.ts'
import { mistake, onTerminal, onTerminalUntil } from './story.ts'
import { withTakenPort } from './taken-port.ts'

const again = 'Retrying until it succeeds'

export const kronOperatorMistakes: readonly Mistake[] = [
  mistake({
    title: 'No cluster',
    command: 'kron-operator start',
    see: onTerminal,
    advice:
      'In a Pod kron-operator finds the cluster automatically. Elsewhere it uses the kubeconfig of kubectl: `kubectl config get-contexts`.',
  }),
  mistake({
    title: 'A kubeconfig that does not exist',
    command: 'kron-operator start --kubeconfig kubeconfig.yaml',
    see: onTerminal,
    advice: 'Check the path; a relative path begins in your current folder.',
  }),
  mistake({
    title: 'The cluster does not know KronJobs',
    command: 'kron-operator start',
    given: toBareCluster('admin'),
    see: onTerminalUntil(again),
    advice:
      'Install the kind with the command in the message. kron-operator goes on automatically as soon as the kind exists.',
  }),
  mistake({
    title: 'The cluster does not answer',
    command: 'kron-operator start',
    given: toNoCluster(awayServer),
    see: onTerminalUntil(again),
    advice:
      'kron-operator waits until the API server answers. If it never does, check the address after `on`.',
  }),
  mistake({
    title: 'Credentials that have expired',
    command: 'kron-operator start',
    given: toBareCluster('unknown token'),
    see: onTerminalUntil(again),
    advice: 'Log in again, in the same way as for kubectl. A Pod gets new tokens automatically.',
  }),
  mistake({
    title: 'No right to elect a leader',
    command: 'kron-operator start',
    given: toBareCluster('guest'),
    see: onTerminalUntil(again),
    advice:
      'Apply `kron-operator manifests operator`, which has the account and its rights, or run kron-operator with an account that has all [rights](operator.md#rights).',
  }),
  mistake({
    title: 'An unknown context',
    command: 'kron-operator start --context production',
    given: toNoCluster(),
    see: onTerminal,
    advice: '`kubectl config get-contexts` lists them.',
  }),
  mistake({
    title: 'The port is taken',
    command: 'kron-operator start --listen 127.0.0.1:8080',
    given: toNoCluster(),
    see: withTakenPort('8080'),
    advice: 'Choose another port. `ss -ltnp` shows which program has this one.',
  }),
  mistake({
    title: 'A port without a host',
    command: 'kron-operator start --listen 8080',
    given: toNoCluster(),
    see: onTerminal,
    advice: '`--listen 127.0.0.1:8080` is for this machine alone, `0.0.0.0:8080` for its networks.',
  }),
  mistake({
    title: 'A namespace in the wrong form',
    command: 'kron-operator start --namespace Team_A',
    advice: '`kubectl get namespaces` lists their names.',
  }),
  mistake({
    title: 'A lease that is too short',
    command: 'kron-operator start --lease-duration 1s',
    advice:
      'The default of 15 s suits most clusters. `--no-leader-election` is for a single replica, such as on your own machine.',
  }),
  mistake({
    title: 'A typo in an option',
    command: 'kron-operator start --namespce shop',
    advice: '`kron-operator start --help` lists the options.',
  }),
  mistake({
    title: 'A typo in a command',
    command: 'kron-operator strat',
    advice: '`kron-operator --help` lists the commands.',
  }),
  mistake({
    title: 'An unknown manifest',
    command: 'kron-operator manifests crds',
    advice: '`kron-operator manifests` without a name prints everything that a cluster needs.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'kron-operator start',
    node: oldNode,
    see: onTerminal,
    advice: 'Install a newer Node; `node --version` prints your version.',
  }),
]
