import { type CommandHost, type Done, type ExitCode, runProgram, withHost } from '@kron/command'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import { defaultNames, manifestNames } from './manifest-names.js'
import { type StartPorts, startCommand } from './start-command.js'
import { type StartOptions, startDefaults, startSettings } from './start-settings.js'

/** Runs `kron-operator` with arguments (without its name) and answers its exit code. */
export function runKronOperator(
  args: readonly string[],
  host: CommandHost,
  ports: StartPorts,
): Promise<ExitCode> {
  return runProgram((done) => operatorProgram(host, ports, done), args, host)
}

const examples = `
Examples:
  kron-operator start                                   the cluster of the Pod or of $KUBECONFIG
  kron-operator start --namespace team-a --listen 127.0.0.1:8080
  kron-operator start --context test --no-leader-election --format json
  kron-operator manifests crd | kubectl apply -f -

Exit codes: 0 success, 1 bad arguments or no cluster configured, 4 fatal, 130 stopped twice.`

const manifestsExamples = `
Examples:
  kron-operator manifests crd | kubectl apply -f -
  kron-operator manifests operator > operator.yaml      to edit, such as where the image is
  kron-operator manifests | kubectl diff -f -           what an update would change`

export function operatorProgram(host: CommandHost, ports: StartPorts, done: Done): Command {
  const program = withHost(new Command('kron-operator'), host)
    .description('Runs KronJobs of a Kubernetes cluster: creates the Job of each period once')
    .version(
      versionText('kron-operator'),
      '-V, --version',
      'print the versions of kron-operator and tzdata',
    )
    .helpCommand(false)
    .addHelpText('after', examples)
  withHost(program.command('start'), host)
    .description('Run the controller in the foreground, until SIGTERM or SIGINT')
    .option('--namespace <name>', 'only KronJobs of this namespace (default: all)')
    .option('--kubeconfig <path>', 'how to reach the API server (default: as kubectl, or the Pod)')
    .option('--context <name>', 'a context of the kubeconfig')
    .option('--listen <address>', 'serve /metrics, /healthz and /readyz, such as 0.0.0.0:8080')
    .option('--no-leader-election', 'act without a lease: for a single replica')
    .option('--lease-name <name>', 'the Lease that elects the leader', startDefaults.leaseName)
    .option('--lease-namespace <name>', 'where it is (default: that of the Pod or context)')
    .option(
      '--lease-duration <duration>',
      'how long others wait for a leader that is gone',
      startDefaults.leaseDuration,
    )
    .option('--resync <duration>', 'how often all is read afresh', startDefaults.resync)
    .option('--requests <number>', 'requests to the API server at once', startDefaults.requests)
    .option('--log-level <level>', 'debug, info, warn or error', startDefaults.logLevel)
    .option(
      '--format <format>',
      'of the log: text or json (default: sentences on a terminal, else text)',
    )
    .addHelpText('after', examples)
    .action((options: StartOptions) => {
      done(startCommand(startSettings(options, host.stdout.isTerminal), ports))
    })
  withHost(program.command('manifests'), host)
    .description('Print what is applied to a cluster: the kind KronJob, the controller, rights')
    .argument('[names...]', `${manifestNames.join(', ')} (default: ${defaultNames.join(', ')})`)
    .addHelpText('after', manifestsExamples)
    .action((names: string[]) => {
      done(import('./manifests-command.js').then((it) => it.manifestsCommand(names, host)))
    })
  return program
}
