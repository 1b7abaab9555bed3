import {
  addCompletion,
  appended,
  type Done,
  type ExitCode,
  exitCodesText,
  reportFailure,
  runProgram,
  withAlias,
  withHost,
  withOutput,
} from '@kron/command'
import type { SimulateOptions } from '@kron/preview'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import type { Host } from '../command/invocation.js'
import { type CommonOptions, Invocation } from '../command/invocation.js'
import type { AddOptions } from '../edit/add-command.js'
import type { ImportOptions } from '../import/import-command.js'
import type { LintOptions } from '../lint/lint-command.js'
import type { ExplainOptions, NextOptions } from '../preview/preview-commands.js'
import type * as Commands from './krontab-commands.js'
import { cronHabit, unquotedSchedule } from './mistaken-arguments.js'

export { processHost } from './process-host.js'

/** Has a command do its work, when its parts are there. */
export type UseCommands = (
  act: (commands: typeof Commands) => ExitCode,
) => ExitCode | Promise<ExitCode>

const loaded: UseCommands = (act) => import('./krontab-commands.js').then(act)

/** Runs `krontab` with arguments (without the name of the program) and answers its exit code. */
export function runKrontab(
  args: readonly string[],
  host: Host,
  use: UseCommands = loaded,
): ExitCode | Promise<ExitCode> {
  const habit = cronHabit(args, host) ?? unquotedSchedule(args)
  if (habit !== null) return reportFailure(habit, host, 'krontab')
  return runProgram((done) => krontabProgram(host, done, use), args, host)
}

// Every line of an example that begins with `krontab` works as it stands.

/** The commands; what one answers goes to `done`. */
export function krontabProgram(host: Host, done: Done, use: UseCommands = loaded): Command {
  const program = withHost(new Command('krontab'), host)
    .description('Checks, explains, simulates and edits schedules')
    .version(versionText('krontab'), '-V, --version', 'print the versions of krontab and tzdata')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
A schedule is a cron expression with modifiers; a window spreads jobs out:
  krontab next "0 3 * * * @tz(Europe/Paris) @win(after,2h)"

Examples:
  krontab add "0 3 * * * @win(after,2h)" --name backup --command /usr/local/bin/backup
  krontab lint                                  check the krontabs of the default folder
  krontab next backup                           when a job runs

${exitCodesText}`,
    )
  const act = (
    options: CommonOptions,
    work: (commands: typeof Commands, it: Invocation) => ExitCode,
  ) => {
    const invocation = new Invocation(host, options)
    done(use((commands) => work(commands, invocation)))
  }
  addLint(program, act)
  addExplain(program, act)
  addNext(program, act)
  addSimulate(program, act)
  addAdd(program, act)
  addRemove(program, act)
  addImport(program, act)
  addCompletion(program)
  return program
}

type Act = (
  options: CommonOptions,
  work: (commands: typeof Commands, invocation: Invocation) => ExitCode,
) => void

const withFile = (command: Command): Command =>
  command.option('-f, --file <path>', 'a krontab, or a folder of them; repeatable', appended)

const subcommand = (program: Command, name: string): Command =>
  withOutput(withFile(program.command(name)))

const identity = [
  '--identity <text>',
  'identity of a quoted schedule (default: its canonical text)',
] as const

function addLint(program: Command, act: Act): void {
  subcommand(program, 'lint')
    .description('Check krontabs and schedules, and warn of likely mistakes')
    .argument('[targets...]', 'krontabs, folders or quoted schedules')
    .option('--crontab <path>', "one of cron's own files or folders; repeatable", appended)
    .option('--strict', 'warnings count as errors', false)
    .addHelpText(
      'after',
      `
Examples:
  krontab lint                                  all krontabs of the default folder
  krontab lint night.krontab --strict           warnings count as errors
  krontab lint "*/90 * * * *"                   a schedule itself
  krontab lint --crontab /etc/crontab           what krond reads in cron's own files`,
    )
    .action((targets: string[], options: CommonOptions & LintOptions) =>
      act(options, ({ lintCommand }, invocation) => lintCommand(invocation, targets, options)),
    )
}

function addExplain(program: Command, act: Act): void {
  subcommand(program, 'explain')
    .description('Show every step from a schedule to the chosen time')
    .argument('<job>', 'the name of a job, or a quoted schedule')
    .option('--at <time>', 'explain the current period at this time or date (default: now)')
    .option('--next', 'explain the period after it', false)
    .option(...identity)
    .option('--state <folder>', 'where krond keeps its state')
    .addHelpText(
      'after',
      `
Examples:
  krontab explain backup                        the current period of a job
  krontab explain backup --next                 the one after it
  krontab explain "0 3 * * * @win(after,2h)" --at 2026-03-01T04:00:00Z`,
    )
    .action((job: string, options: CommonOptions & ExplainOptions) =>
      act(options, ({ explainCommand }, invocation) => explainCommand(invocation, job, options)),
    )
}

function addNext(program: Command, act: Act): void {
  const next = subcommand(program, 'next')
    .description('List the next periods and their chosen times')
    .argument('<job>', 'the name of a job, or a quoted schedule')
    .option('-n, --limit <number>', 'how many at most (default: 10, or all with --until)')
    .option('--from <time>', 'first nominal time, or its date (default: now)')
    .option('--until <time>', 'nominal times before this one, or this date')
    .option(...identity)
    .addHelpText(
      'after',
      `
Examples:
  krontab next backup --limit 3
  krontab next "30 2 * * * @tz(Europe/Paris)" --from 2026-03-27T00:00:00Z --limit 5
  krontab next backup --from 2026-03-01 --until 2026-04-01`,
    )
    .action((job: string, options: CommonOptions & NextOptions) =>
      act(options, ({ nextCommand }, invocation) => nextCommand(invocation, job, options)),
    )
  withAlias(next, '--count', '--limit')
}

function addSimulate(program: Command, act: Act): void {
  const simulate = subcommand(program, 'simulate')
    .description('Count how many jobs start in each minute, with and without windows')
    .argument('[files...]', 'krontabs, or folders of them')
    .option('--from <time>', 'start, a time or a date (default: now)')
    .option('--for <duration>', 'how long, such as 12h or 7d', '24h')
    .option('--bucket <duration>', 'count in steps of this length', '1m')
    .option('--timezone <zone>', 'show times in this zone (default: the zone of all jobs, or UTC)')
    .option('--out <chart.svg>', 'also write the chart to this file')
    .addHelpText(
      'after',
      `
Examples:
  krontab simulate                              the next 24 hours
  krontab simulate night.krontab --out night.svg
  krontab simulate --from 2026-03-01 --for 7d --bucket 10m`,
    )
    .action((files: string[], options: CommonOptions & SimulateOptions) =>
      act(options, ({ simulateCommand }, invocation) =>
        simulateCommand(invocation, files, options),
      ),
    )
  withAlias(simulate, '--tz', '--timezone')
}

function addAdd(program: Command, act: Act): void {
  subcommand(program, 'add')
    .description('Add a job to a krontab')
    .argument('<schedule>', 'a cron expression with modifiers, in quotes')
    .requiredOption('--name <id>', 'lower-case letters, digits, - and /; unique in the file')
    .requiredOption('--command <command>', 'a path, or a command line in quotes')
    .option('--shell', 'let a shell read the command', false)
    .option('--user <user>', 'run as this user')
    .option('--group <group>', 'run as this group')
    .option('--cwd <folder>', 'run in this folder')
    .option('--env <K=V>', 'an environment variable; repeatable', appended)
    .option('--umask <mask>', 'octal, such as 0027')
    .option('--timeout <duration>', 'end the job after this time')
    .option('--stdout <target>', 'inherit, discard, syslog or file:<path>')
    .option('--stderr <target>', 'the same for standard error')
    .option('--description <text>', 'a note for people')
    .addHelpText(
      'after',
      `
Without --file the job goes to jobs.krontab in ~/.config/krond, and as root in /etc/krond.d.

Examples:
  krontab add "0 3 * * * @win(after,2h)" --name backup --command /usr/local/bin/backup
  krontab add @hourly --name sync --command "rsync -a 'My Files' backup:" --env LANG=C
  krontab add "*/5 * * * *" --name load --shell --command 'uptime >> "$HOME/load.txt"'`,
    )
    .action((schedule: string, options: CommonOptions & AddOptions) =>
      act(options, ({ addCommand }, invocation) => addCommand(invocation, schedule, options)),
    )
}

function addRemove(program: Command, act: Act): void {
  subcommand(program, 'remove')
    .description('Remove a job from a krontab')
    .argument('<job>', 'the name of a job, or its identity')
    .addHelpText(
      'after',
      `
Examples:
  krontab remove backup
  krontab remove backup --file night.krontab`,
    )
    .action((job: string, options: CommonOptions) =>
      act(options, ({ removeCommand }, invocation) => removeCommand(invocation, job)),
    )
}

function addImport(program: Command, act: Act): void {
  const command = withOutput(program.command('import'))
    .description('Convert crontabs and systemd timers to a krontab')
    .argument('[paths...]', 'crontabs, or folders such as /etc/cron.d')
    .option('--systemd <unit.timer>', 'a timer, with its service beside it; repeatable', appended)
    .option('--system-format', 'lines name a user (default in /etc/crontab and /etc/cron.d)')
    .option('--user-format', 'lines name no user (default elsewhere)')
    .option('--user <user>', 'run jobs of the user format as this user')
    .option('--timezone <zone>', "the zone of the times (default: the system's)")
    .option('--out <file.krontab>', 'write this file (default: print)')
    .option('--force', 'overwrite the file', false)
    .addHelpText(
      'after',
      `
Lines that can't be converted, such as @reboot, become comments and warnings; lines that cron
itself would refuse are errors, and then nothing is written.

Examples:
  krontab import /etc/crontab /etc/cron.d --out /etc/krond.d/cron.krontab
  krontab import my.crontab --timezone Europe/Paris
  krontab import --systemd /etc/systemd/system/backup.timer`,
    )
    .action((paths: string[], options: CommonOptions & ImportOptions) =>
      act(options, ({ importCommand }, invocation) => importCommand(invocation, paths, options)),
    )
  withAlias(withAlias(command, '--tz', '--timezone'), '-o', '--out')
}
