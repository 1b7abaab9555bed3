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
    advice: 'A bare name means a KronJob of the cluster; give files with `-f`, as with kubectl.',
  }),
  mistake({
    title: 'A file that does not exist',
    command: 'kronctl validate -f hallo.yaml',
    given: withManifest(helloManifest),
    advice: 'A relative path begins in your current folder: `pwd` and `ls` show that folder.',
  }),
  mistake({
    title: 'A schedule that begins with a star, without quotes',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('"0 3 * * *"', '* * * * *'),
    advice: 'In YAML a star has a special meaning. Always put schedules in quotes.',
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
      'Fields of one object begin in the same column. Often the mistake is in the line before the one that is shown.',
  }),
  mistake({
    title: 'Six fields where five are allowed',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('"0 3 * * *"', '"0 0 3 * * *"'),
    advice: 'Leave out the field for seconds: the first field is the minute.',
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
    advice: '[Spec](operator.md#spec) and `kubectl explain kronjob.spec` list all fields.',
  }),
  mistake({
    title: 'A field of a CronJob',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('  timezone: Europe/Paris', '  startingDeadlineSeconds: 3600'),
    advice:
      'The table in [Coming from CronJobs](operator.md#coming-from-cronjobs) has its name in a KronJob; `kronctl import` converts whole manifests.',
  }),
  mistake({
    title: 'No `restartPolicy`',
    command: 'kronctl validate -f hello.yaml',
    given: withChange('          restartPolicy: Never\n', ''),
    advice: 'Jobs need a `restartPolicy`: `Never` or `OnFailure`.',
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
    advice: 'Kubernetes distinguishes upper and lower case, so kubectl would refuse it too.',
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
      'Install the kind, and then the controller: [Install](operator.md#install). Or kubectl uses another cluster than you think: `kubectl config current-context`.',
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
    advice: 'Log in again, in the same way as for kubectl.',
  }),
  mistake({
    title: 'No right to see KronJobs',
    command: 'kronctl next',
    given: toBareCluster('guest'),
    advice:
      'An administrator of the cluster can apply `kron-operator manifests user-roles`: then everyone who may view a namespace may view its KronJobs.',
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
    advice: 'Install a newer Node; `node --version` prints your version.',
  }),
]
