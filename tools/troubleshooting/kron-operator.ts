import { awayServer, toBareCluster, toNoCluster } from './bare-cluster.ts'
import type { Mistake } from './mistake.ts'
import { oldNode } from './old-node.ts'
import { mistake, onTerminal, onTerminalUntil } from './story.ts'
import { withTakenPort } from './taken-port.ts'

const again = 'It is tried again until it works'

export const kronOperatorMistakes: readonly Mistake[] = [
  mistake({
    title: 'No cluster',
    command: 'kron-operator start',
    see: onTerminal,
    advice:
      'In a Pod it finds the cluster by itself. Elsewhere it uses the kubeconfig of kubectl: `kubectl config get-contexts`.',
  }),
  mistake({
    title: 'A kubeconfig that does not exist',
    command: 'kron-operator start --kubeconfig kubeconfig.yaml',
    see: onTerminal,
    advice: 'Check the path; it begins in the folder you are in.',
  }),
  mistake({
    title: 'The cluster does not know KronJobs',
    command: 'kron-operator start',
    given: toBareCluster('admin'),
    see: onTerminalUntil(again),
    advice:
      'Install the kind with the command that is shown. kron-operator goes on by itself as soon as it is there.',
  }),
  mistake({
    title: 'The cluster does not answer',
    command: 'kron-operator start',
    given: toNoCluster(awayServer),
    see: onTerminalUntil(again),
    advice:
      'An API server that is away is no reason to end: kron-operator waits for it. If it stays away, look at the address behind `on`.',
  }),
  mistake({
    title: 'Credentials that have expired',
    command: 'kron-operator start',
    given: toBareCluster('unknown token'),
    see: onTerminalUntil(again),
    advice: 'Log in again, in the way you log in for kubectl. A Pod gets new tokens by itself.',
  }),
  mistake({
    title: 'No right to elect a leader',
    command: 'kron-operator start',
    given: toBareCluster('guest'),
    see: onTerminalUntil(again),
    advice:
      'Apply `kron-operator manifests operator`, which has the account and its rights, or run it as somebody who may do what is in [Rights](operator.md#rights).',
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
    advice: 'Choose another port. `ss -ltnp` shows who has it.',
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
      'The usual 15 s suit most. `--no-leader-election` is for a single replica, such as on your own machine.',
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
    advice: '`kron-operator manifests` without a name prints all that a cluster needs.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'kron-operator start',
    node: oldNode,
    see: onTerminal,
    advice: 'Install a newer Node; `node --version` says which one you have.',
  }),
]
