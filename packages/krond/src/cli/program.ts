import {
  addCompletion,
  appended,
  type ExitCode,
  exitCodes,
  parseArguments,
  reportFailure,
  withHost,
} from '@kron/command'
import type { SimulateOptions } from '@kron/preview'
import { versionText } from '@kron/runtime'
import { Command } from 'commander'
import { type AddOptions, addCommand, removeCommand } from '../edit/index.js'
import { type ExplainOptions, explainCommand } from '../explain/index.js'
import { type ImportOptions, importCommand } from '../import/index.js'
import { type LintOptions, lintCommand } from '../lint/index.js'
import { type NextOptions, nextCommand } from '../next/index.js'
import { simulateCommand } from '../simulate/index.js'
import { cronHabit } from './cron-habit.js'
import { examplesOf } from './help-text.js'
import type { Host } from './host.js'
import { type CommonOptions, Invocation } from './invocation.js'
import { unquotedSchedule } from './unquoted-schedule.js'

type Run = (code: ExitCode) => void

/** Runs `krontab` with arguments (without the name of the program) and answers its exit code. */
export function runKrontab(args: readonly string[], host: Host): ExitCode {
  const habit = cronHabit(args, host) ?? unquotedSchedule(args)
  if (habit !== null) return reportFailure(habit, host, 'krontab')
  let exitCode: ExitCode = exitCodes.success
  const program = krontabProgram(host, (code) => {
    exitCode = code
  })
  return parseArguments(program, args, host) ?? exitCode
}

/** The commands; what one answers goes to `done`. */
export function krontabProgram(host: Host, done: Run): Command {
  const program = new Command('krontab')
    .description('Checks, explains, simulates and edits schedules')
    .version(versionText('krontab'), '-V, --version', 'print the versions of krontab and tzdata')
    .helpCommand(false)
    .addHelpText('after', examplesOf.program)
  withHost(program, host)
  addLint(program, host, done)
  addExplain(program, host, done)
  addNext(program, host, done)
  addSimulate(program, host, done)
  addAdd(program, host, done)
  addRemove(program, host, done)
  addImport(program, host, done)
  addCompletion(program)
  return program
}

function subcommand(program: Command, name: string, host: Host, examples: string): Command {
  return withHost(program.command(name), host)
    .option('-f, --file <path>', 'a krontab, or a folder of them; repeatable', appended)
    .option('--format <format>', 'text or json', 'text')
    .option('--no-color', 'no colours, as with NO_COLOR')
    .addHelpText('after', examples)
}

function addLint(program: Command, host: Host, done: Run): void {
  subcommand(program, 'lint', host, examplesOf.lint)
    .description('Check krontabs and schedules, and warn of what is seldom meant')
    .argument('[targets...]', 'krontabs, folders or quoted schedules')
    .option('--crontab <path>', "one of cron's own files or folders; repeatable", appended)
    .option('--strict', 'warnings count as errors', false)
    .action((targets: string[], options: CommonOptions & LintOptions) => {
      done(lintCommand(new Invocation(host, options), targets, options))
    })
}

function addExplain(program: Command, host: Host, done: Run): void {
  subcommand(program, 'explain', host, examplesOf.explain)
    .description('Show every step from a schedule to the chosen time')
    .argument('<job>', 'the name of a job, or a quoted schedule')
    .option('--at <time>', 'explain the current period at this time or date (default: now)')
    .option('--next', 'explain the period after it', false)
    .option('--identity <text>', 'identity of a quoted schedule (default: its canonical text)')
    .option('--state <folder>', 'where krond remembers what it did')
    .action((job: string, options: CommonOptions & ExplainOptions) => {
      done(explainCommand(new Invocation(host, options), job, options))
    })
}

function addNext(program: Command, host: Host, done: Run): void {
  subcommand(program, 'next', host, examplesOf.next)
    .description('List the next periods and their chosen times')
    .argument('<job>', 'the name of a job, or a quoted schedule')
    .option('-n, --count <number>', 'how many (default: 10, or all with --until)')
    .option('--from <time>', 'first nominal time, or its date (default: now)')
    .option('--until <time>', 'nominal times before this one, or this date')
    .option('--identity <text>', 'identity of a quoted schedule (default: its canonical text)')
    .action((job: string, options: CommonOptions & NextOptions) => {
      done(nextCommand(new Invocation(host, options), job, options))
    })
}

function addSimulate(program: Command, host: Host, done: Run): void {
  subcommand(program, 'simulate', host, examplesOf.simulate)
    .description('Count how many jobs start in each minute, with and without windows')
    .argument('[files...]', 'krontabs, or folders of them')
    .option('--from <time>', 'start, a time or a date (default: now)')
    .option('--for <duration>', 'how long', '24h')
    .option('--bucket <duration>', 'count in steps of this', '1m')
    .option('--tz <zone>', 'show times in this zone (default: the zone of all jobs, or UTC)')
    .option('--out <file>', 'also write the chart, as .svg or .png')
    .action((files: string[], options: CommonOptions & SimulateOptions) => {
      done(simulateCommand(new Invocation(host, options), files, options))
    })
}

function addAdd(program: Command, host: Host, done: Run): void {
  subcommand(program, 'add', host, examplesOf.add)
    .description('Add a job to a krontab')
    .argument('<schedule>', 'a cron expression with modifiers, in quotes')
    .requiredOption('--name <id>', 'lower-case letters, digits, - and /; unique in the file')
    .requiredOption('--command <command>', 'a path, or a command line in quotes')
    .option('--shell', 'let a shell read the command', false)
    .option('--user <user>', 'run as this user')
    .option('--group <group>', 'run as this group')
    .option('--cwd <folder>', 'run in this folder')
    .option('--env <K=V>', 'a variable; repeatable', appended)
    .option('--umask <mask>', 'octal, such as 0027')
    .option('--timeout <duration>', 'end the job after this time')
    .option('--stdout <target>', 'inherit, discard, syslog or file:<path>')
    .option('--stderr <target>', 'the same for stderr')
    .option('--description <text>', 'for people')
    .action((schedule: string, options: CommonOptions & AddOptions) => {
      done(addCommand(new Invocation(host, options), schedule, options))
    })
}

function addRemove(program: Command, host: Host, done: Run): void {
  subcommand(program, 'remove', host, examplesOf.remove)
    .description('Remove a job from a krontab')
    .argument('<job>', 'the name of a job, or its identity')
    .action((job: string, options: CommonOptions) => {
      done(removeCommand(new Invocation(host, options), job))
    })
}

function addImport(program: Command, host: Host, done: Run): void {
  withHost(program.command('import'), host)
    .description('Convert crontabs and systemd timers to a krontab')
    .argument('[paths...]', 'crontabs, or folders such as /etc/cron.d')
    .option('--systemd <unit.timer>', 'a timer, with its service beside it; repeatable', appended)
    .option('--system-format', 'lines name a user (default in /etc/crontab and /etc/cron.d)')
    .option('--user-format', 'lines name no user (default elsewhere)')
    .option('--user <user>', 'who the jobs of the user format run as')
    .option('--tz <zone>', "the zone of the times (default: the system's)")
    .option('-o, --out <file.krontab>', 'write this file (default: print)')
    .option('--force', 'overwrite the file', false)
    .option('--format <format>', 'text or json', 'text')
    .option('--no-color', 'no colours, as with NO_COLOR')
    .addHelpText('after', examplesOf.import)
    .action((paths: string[], options: CommonOptions & ImportOptions) => {
      done(importCommand(new Invocation(host, options), paths, options))
    })
}
