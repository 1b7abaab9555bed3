import { awayServer, toBareCluster, toCluster, toNoCluster } from './bare-cluster.ts'
import { changedManifest, helloManifest } from './hello-manifest.ts'
import type { Mistake } from './mistake.ts'
import type { Newcomer } from './newcomer.ts'
import { oldNode } from './old-node.ts'
import { mistake } from './story.ts'

const withManifest =
  (text: string) =>
  (ada: Newcomer): void =>
    void ada.file('hello.yaml', text)
const withChange = (from: string, to: string) => withManifest(changedManifest(from, to))

export const kronctlMistakes: readonly Mistake[] = [
  mistake({
    title: 'A file without `-f`',
    command: 'kronctl validate hello.yaml',
    given: withManifest(helloManifest),
    advice: 'Names are KronJobs of the cluster; files follow `-f`, as with kubectl.',
  }),
  mistake({
    title: 'A file that does not exist',
    command: 'kronctl validate -f hallo.yaml',
    given: withManifest(helloManifest),
    advice: 'The path begins in the folder you are in: `pwd` and `ls` show where that is.',
  }),
  mistake({
    title: 'A schedule that begins with a star, without quotes',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('"0 3 * * *"', '* * * * *'),
    advice: 'In YAML a star has a meaning of its own. Always put schedules in quotes.',
  }),
  mistake({
    title: 'A tab in YAML',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('  name: hello', '\tname: hello'),
    advice: 'Indent with spaces.',
  }),
  mistake({
    title: 'A line that is indented wrongly',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('  timezone:', '   timezone:'),
    advice:
      'Fields of one object begin in the same column. The line before the one that is shown is often the wrong one.',
  }),
  mistake({
    title: 'Six fields where five are allowed',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('"0 3 * * *"', '"0 0 3 * * *"'),
    advice: 'Leave the field for seconds out: the first field is the minute.',
  }),
  mistake({
    title: 'An unknown time zone',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('Europe/Paris', 'Europe/Pari'),
    advice: 'Use a name of the IANA database, such as `Europe/Paris`.',
  }),
  mistake({
    title: 'A typo in a field',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('duration: 2h', 'duraton: 2h'),
    advice: 'All fields are in [Spec](operator.md#spec), and in `kubectl explain kronjob.spec`.',
  }),
  mistake({
    title: 'A field of a CronJob',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('  timezone: Europe/Paris', '  startingDeadlineSeconds: 3600'),
    advice:
      'The table in [Coming from CronJobs](operator.md#coming-from-cronjobs) says what it is called here; `kronctl import` converts whole manifests.',
  }),
  mistake({
    title: 'No `restartPolicy`',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('          restartPolicy: Never\n', ''),
    advice: 'Jobs need one: `Never` or `OnFailure`.',
  }),
  mistake({
    title: 'Another `apiVersion`',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('kron.io/v1alpha1', 'kron.io/v1'),
    advice: 'Write `apiVersion: kron.io/v1alpha1`.',
  }),
  mistake({
    title: 'The kind in other letters',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('kind: KronJob', 'kind: Kronjob'),
    advice: 'Kubernetes tells upper and lower case apart, so kubectl would not take it either.',
  }),
  mistake({
    title: 'No cluster',
    command: 'kronctl next',
    advice:
      '`kubectl config get-contexts` shows the clusters that kubectl knows. `kronctl` uses the same file.',
  }),
  mistake({
    title: 'A kubeconfig that does not exist',
    command: 'kronctl next --kubeconfig kubeconfig.yaml',
    advice: 'Check the path, and the variable `KUBECONFIG` if the option was not given.',
  }),
  mistake({
    title: 'The cluster does not know KronJobs',
    command: 'kronctl next',
    given: toBareCluster('admin'),
    advice:
      'Install the kind, and then the controller: [Install](operator.md#install). Or it is another cluster than you think: `kubectl config current-context`.',
  }),
  mistake({
    title: 'The cluster does not answer',
    command: 'kronctl next',
    given: toNoCluster(awayServer),
    advice: 'The cluster is down, or a VPN is missing. Then `kubectl get pods` fails as well.',
  }),
  mistake({
    title: 'Credentials that have expired',
    command: 'kronctl next',
    given: toBareCluster('unknown token'),
    advice: 'Log in again, in the way you log in for kubectl.',
  }),
  mistake({
    title: 'No right to see KronJobs',
    command: 'kronctl next',
    given: toBareCluster('guest'),
    advice:
      'Whoever administers the cluster can apply `kron-operator manifests user-roles`: then everybody who may view a namespace may view its KronJobs.',
  }),
  mistake({
    title: 'An unknown context',
    command: 'kronctl next --context production',
    given: toNoCluster(),
    advice: '`kubectl config get-contexts` lists them.',
  }),
  mistake({
    title: 'A KronJob of another namespace',
    command: 'kronctl run hello',
    given: toCluster('admin'),
    advice: '`-n shop` names the namespace; `kubectl get kronjobs -A` shows all of them.',
  }),
  mistake({
    title: 'A typo in a command',
    command: 'kronctl nxt',
    advice: '`kronctl --help` lists the commands.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'kronctl next',
    node: oldNode,
    advice: 'Install a newer Node; `node --version` says which one you have.',
  }),
]
