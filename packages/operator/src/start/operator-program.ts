import {
  addCompletion,
  type CommandHost,
  type Done,
  type ExitCode,
  exitCodesText,
  runProgram,
  withHost,
} from '@kron/command'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import { defaultNames, manifestNames } from './manifest-names.js'
import type { StartPorts } from './start-command.js'
import { type StartOptions, startDefaults, startSettings } from './start-settings.js'

export { endProcess, processHost } from '@kron/command'

/** The real parts are loaded when a controller starts: `--help` needs none of them. */
const realPorts = (): Promise<StartPorts> =>
  import('./system-ports.js').then(({ systemPorts }) => systemPorts())

/** Runs `kron-operator` with arguments (without its name) and answers its exit code. */
export async function runKronOperator(
  args: readonly string[],
  host: CommandHost,
  ports: () => StartPorts | Promise<StartPorts> = realPorts,
): Promise<ExitCode> {
  return runProgram((done) => operatorProgram(host, done, ports), args, host)
}

const startExamples = `
Examples:
  kron-operator start                                   the cluster of the Pod or of $KUBECONFIG
  kron-operator start --namespace team-a --listen 127.0.0.1:8080
  kron-operator start --context test --no-leader-election --format json`

const examples = `${startExamples}
  kron-operator manifests crd | kubectl apply -f -

${exitCodesText.replace('.', ', 130 stopped twice.')}`

const manifestsExamples = `
Examples:
  kron-operator manifests crd | kubectl apply -f -
  kron-operator manifests operator > operator.yaml      to edit, such as the name of the image
  kron-operator manifests | kubectl diff -f -           what an update would change`

export function operatorProgram(
  host: CommandHost,
  done: Done = () => undefined,
  ports: () => StartPorts | Promise<StartPorts> = realPorts,
): Command {
  const program = withHost(new Command('kron-operator'), host)
    .description('Runs KronJobs of a Kubernetes cluster: creates the Job of each period once')
    .version(
      versionText('kron-operator'),
      '-V, --version',
      'print the versions of kron-operator and tzdata',
    )
    .helpCommand(false)
    .addHelpText('after', examples)
  program
    .command('start')
    .description('Run the controller in the foreground, until SIGTERM or SIGINT')
    .option('--namespace <name>', 'only KronJobs of this namespace (default: all)')
    .option('--kubeconfig <file>', 'how to reach the cluster (default: as kubectl, or the Pod)')
    .option('--context <name>', 'a context of the kubeconfig (default: the current one)')
    .option('--listen <address>', 'serve /metrics, /healthz and /readyz, such as 0.0.0.0:8080')
    .option('--no-leader-election', 'act without a lease: for a single replica')
    .option('--lease-name <name>', 'the Lease that elects the leader', startDefaults.leaseName)
    .option(
      '--lease-namespace <name>',
      'the namespace of the Lease (default: that of the Pod or context)',
    )
    .option(
      '--lease-duration <duration>',
      'how long others wait for a leader that is gone',
      startDefaults.leaseDuration,
    )
    .option('--resync <duration>', 'how often everything is read again', startDefaults.resync)
    .option('--requests <number>', 'requests to the API server at once', startDefaults.requests)
    .option(
      '--format <format>',
      'of the log: text or json (default: sentences on a terminal, else text)',
    )
    .option('--log-level <level>', 'debug, info, warn or error', startDefaults.logLevel)
    .addHelpText('after', startExamples)
    .action((options: StartOptions) => {
      const settings = startSettings(options, host.stdout.isTerminal)
      const start = async (): Promise<ExitCode> => {
        const { startCommand } = await import('./start-command.js')
        return startCommand(settings, await ports())
      }
      done(start())
    })
  program
    .command('manifests')
    .description('Print manifests to apply: the kind KronJob, the controller and its rights')
    .argument('[names...]', `${manifestNames.join(', ')} (default: ${defaultNames.join(', ')})`)
    .addHelpText('after', manifestsExamples)
    .action((names: string[]) => {
      done(import('./manifests-command.js').then((it) => it.manifestsCommand(names, host)))
    })
  addCompletion(program)
  return program
}
