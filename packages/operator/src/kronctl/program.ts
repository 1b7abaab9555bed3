import {
  addCompletion,
  appended,
  type Done,
  type ExitCode,
  exitCodesText,
  runProgram,
  withAlias,
  withHost,
  withOutput,
} from '@kron/command'
import type { ExplainOptions, NextOptions, SimulateOptions } from '@kron/preview'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import type { RunOptions, SuspendOptions } from './change/index.js'
import type { KronctlHost } from './host.js'
import type { ImportOptions } from './import/import-command.js'
import type { ProgramName } from './invocation.js'
import { KronctlInvocation } from './invocation.js'
import type { ClusterOptions, SourceOptions } from './source/index.js'
import type { ValidateOptions } from './validate/validate-command.js'

// Each command brings its parts when it is called, so that none waits for those of the others.

/** Runs `kronctl` with arguments (without the name of the program) and answers its exit code. */
export async function runKronctl(
  args: readonly string[],
  host: KronctlHost,
  name: ProgramName = 'kronctl',
): Promise<ExitCode> {
  return runProgram((done) => new KronctlProgram(host, name, done).command, args, host)
}

/** The commands; what one answers goes to `done`. */
export class KronctlProgram {
  readonly command: Command
  readonly #host: KronctlHost
  readonly #name: ProgramName
  readonly #done: Done

  constructor(host: KronctlHost, name: ProgramName, done: Done) {
    this.#host = host
    this.#name = name
    this.#done = done
    this.command = withHost(new Command(name), host)
      .description('Checks, explains, simulates, imports and operates KronJobs')
      .version(versionText(name), '-V, --version', 'print the versions of the program and tzdata')
      .helpCommand(false)
      .addHelpText(
        'after',
        `
KronJobs come from files with -f, which needs no cluster, or from the cluster that kubectl uses.
Their identity is <namespace>/<name>: with the schedule, it decides each chosen time.

Examples:
  ${name} validate -f kronjobs.yaml
  ${name} next backup --limit 3
  ${name} import --out kronjobs.yaml

${exitCodesText}`,
      )
    this.#addNext()
    this.#addExplain()
    this.#addSimulate()
    this.#addValidate()
    this.#addImport()
    this.#addSuspend('suspend', 'Suspend KronJobs: they start nothing until they are resumed', true)
    this.#addSuspend('resume', 'Let suspended KronJobs run again', false)
    this.#addRun()
    // kubectl completes its plugins by other means.
    if (name === 'kronctl') addCompletion(this.command)
  }

  #addNext(): void {
    const next = withSource(this.#subcommand('next'))
      .description('List the next periods and their chosen times')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--limit <number>', 'how many at most (default: 10, or all with --until)')
      .option('--from <time>', 'first nominal time, or its date (default: now)')
      .option('--until <time>', 'nominal times before this one, or this date')
      .addHelpText(
        'after',
        `
Examples:
  ${this.#name} next backup --limit 3
  ${this.#name} next -n shop                           all KronJobs of a namespace
  ${this.#name} next -A -l team=shop                   those with a label, of all namespaces
  ${this.#name} next -f kronjobs.yaml --from 2026-03-27T00:00:00Z --until 2026-04-01T00:00:00Z`,
      )
      .action((names: string[], options: SourceOptions & NextOptions) =>
        this.#run(options, async (invocation) => {
          const { nextCommand } = await import('./preview/preview-commands.js')
          return nextCommand(invocation, names, options)
        }),
      )
    withAlias(next, '--count', '--limit')
  }

  #addExplain(): void {
    withSource(this.#subcommand('explain'))
      .description('Show every step from a schedule to the chosen time')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--at <time>', 'explain the current period at this time or date (default: now)')
      .option('--next', 'explain the period after it', false)
      .addHelpText(
        'after',
        `
Examples:
  ${this.#name} explain backup                         the current period
  ${this.#name} explain shop/backup --next             the one after it
  ${this.#name} explain -f kronjobs.yaml backup --at 2026-03-01T04:00:00Z`,
      )
      .action((names: string[], options: SourceOptions & ExplainOptions) =>
        this.#run(options, async (invocation) => {
          const { explainCommand } = await import('./preview/preview-commands.js')
          return explainCommand(invocation, names, options)
        }),
      )
  }

  #addSimulate(): void {
    const simulate = withSource(this.#subcommand('simulate'))
      .description('Count how many KronJobs start in each minute, with and without windows')
      .argument('[names...]', 'KronJobs, such as backup or shop/backup (default: all)')
      .option('--from <time>', 'start, a time or a date (default: now)')
      .option('--for <duration>', 'how long, such as 12h or 7d', '24h')
      .option('--bucket <duration>', 'count in steps of this length', '1m')
      .option('--timezone <zone>', 'show times in this zone (default: the zone of all, or UTC)')
      .option('--out <chart.svg>', 'also write the chart to this file')
      .addHelpText(
        'after',
        `
Examples:
  ${this.#name} simulate -A                            the next 24 hours of the whole cluster
  ${this.#name} simulate -f manifests --out load.svg
  ${this.#name} simulate -n shop --from 2026-03-01T00:00:00Z --for 7d --bucket 10m`,
      )
      .action((names: string[], options: SourceOptions & SimulateOptions) =>
        this.#run(options, async (invocation) => {
          const { simulateCommand } = await import('./preview/preview-commands.js')
          return simulateCommand(invocation, names, options)
        }),
      )
    withAlias(simulate, '--tz', '--timezone')
  }

  #addValidate(): void {
    withNamespace(withFiles(this.#subcommand('validate')))
      .description('Check manifests without a cluster, and warn of likely mistakes')
      .option('--strict', 'warnings count as errors', false)
      .allowExcessArguments()
      .addHelpText(
        'after',
        `
Examples:
  ${this.#name} validate -f kronjobs.yaml
  ${this.#name} validate -f manifests --strict         a folder; warnings count as errors
  cat kronjobs.yaml | ${this.#name} validate -f - --format json`,
      )
      .action((options: ValidateOptions, { args }: Command) =>
        this.#run(options, async (invocation) => {
          const { validateCommand } = await import('./validate/validate-command.js')
          return validateCommand(invocation, options, args)
        }),
      )
  }

  #addImport(): void {
    withSource(this.#subcommand('import'))
      .description('Convert CronJobs to KronJobs, as YAML or JSON')
      .argument('[names...]', 'CronJobs, such as nightly or shop/nightly (default: all)')
      .option('--window <duration>', 'add a window of this length (default: none)')
      .option('-o, --output <format>', 'yaml or json, as kubectl has it (default: yaml)')
      .option('--out <file>', 'write this file (default: print)')
      .option('--force', 'overwrite the file', false)
      .addHelpText(
        'after',
        `
The KronJobs run when the CronJobs do. A comment above a field says how it differs. A CronJob that
can't be converted, such as one with @every 1h, is an error; the others are converted all the same.

Examples:
  ${this.#name} import --out kronjobs.yaml             all CronJobs of the namespace
  ${this.#name} import nightly --window 30m            with a window, which CronJobs do not have
  ${this.#name} import -l team=shop -o json            those with a label, as JSON
  ${this.#name} import -f cronjobs.yaml`,
      )
      .action((names: string[], options: ImportOptions) =>
        this.#run(options, async (invocation) => {
          const { importCommand } = await import('./import/import-command.js')
          return importCommand(invocation, names, options)
        }),
      )
  }

  #addSuspend(name: 'suspend' | 'resume', description: string, suspend: boolean): void {
    withCluster(this.#subcommand(name))
      .description(description)
      .argument('[names...]', 'KronJobs, such as backup or shop/backup')
      .option('--all', 'all of the namespace, or with -A of all namespaces', false)
      .addHelpText('after', suspend ? suspendText(this.#name) : resumeText(this.#name))
      .action((names: string[], options: SuspendOptions) =>
        this.#run(options, async (invocation) => {
          const { suspendCommand } = await import('./change/index.js')
          return suspendCommand(invocation, names, options, suspend)
        }),
      )
  }

  #addRun(): void {
    withContext(withNamespace(this.#subcommand('run')))
      .description('Create a Job now, outside of any period')
      .argument('<name>', 'a KronJob, such as backup or shop/backup')
      .option('--dry-run', 'print the Job and create nothing', false)
      .addHelpText(
        'after',
        `
The Job has the KronJob as its owner, and is neither a run of any period nor late. A KronJob that
is invalid creates no Job.

Examples:
  ${this.#name} run backup
  ${this.#name} run backup --dry-run                   print the Job instead`,
      )
      .action((kronJob: string, options: RunOptions) =>
        this.#run(options, async (invocation) => {
          const { runCommand } = await import('./change/index.js')
          return runCommand(invocation, kronJob, options)
        }),
      )
  }

  #subcommand(name: string): Command {
    return withOutput(this.command.command(name))
  }

  #run(
    options: Partial<ClusterOptions>,
    command: (invocation: KronctlInvocation) => Promise<ExitCode>,
  ): void {
    const { format = 'text', color = true, quiet = false } = options
    const invocation = new KronctlInvocation(this.#host, { format, color, quiet }, this.#name)
    this.#done(command(invocation))
  }
}

const suspendText = (program: ProgramName): string => `
Running Jobs go on. Periods that pass meanwhile have no outcome.

Examples:
  ${program} suspend backup
  ${program} suspend -l team=shop
  ${program} suspend --all -n shop`

const resumeText = (program: ProgramName): string => `
Of the periods that passed meanwhile only the current one can still start, if its deadline allows.
The others are not made up for.

Examples:
  ${program} resume backup
  ${program} resume --all -n shop`

const withFiles = (command: Command): Command =>
  withAlias(
    command.option(
      '-f, --file <path>',
      'manifests: a file, a folder, or - for standard input; repeatable',
      appended,
    ),
    '--filename',
    '--file',
  )

const withNamespace = (command: Command): Command =>
  command.option('-n, --namespace <name>', "the namespace (default: the context's)")

const withContext = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'how to reach the cluster (default: as kubectl does)')
    .option('--context <name>', 'a context of the kubeconfig (default: the current one)')

const withCluster = (command: Command): Command =>
  withContext(
    withNamespace(command)
      .option('-A, --all-namespaces', 'all namespaces', false)
      .option('-l, --selector <labels>', 'those with these labels, such as app=shop,tier!=test'),
  )

const withSource = (command: Command): Command => withCluster(withFiles(command))
