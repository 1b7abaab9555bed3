import { type Command, Help, type HelpConfiguration, Option } from 'commander'
import { type ExitCode, exitCodes } from './exit-code.js'
import { type Explain, isCommanderError, reportFailure } from './failure.js'
import type { CommandHost } from './host.js'

/** What a command answers, now or later. */
export type Done = (code: ExitCode | Promise<ExitCode>) => void

type Outputs = Pick<CommandHost, 'stdout' | 'stderr'>

/** Nothing of commander may write to the process or end it. Commands below inherit that. */
export function withHost(command: Command, host: Outputs, help: HelpConfiguration = {}): Command {
  return command
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ optionDescription, visibleOptions, ...help })
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => host.stdout.columns,
      getErrHelpWidth: () => host.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

/** That a switch is off by default goes without saying, and so do quotes. */
const optionDescription = (option: Option): string =>
  new Help()
    .optionDescription(option)
    .replace(/ \(default: false\)$/, '')
    .replace(/\(default: "(.*)"\)$/, '(default: $1)')

const common: readonly (string | undefined)[] = ['--format', '--no-color', '--quiet', '--help']

/** What a command alone has comes first. */
function visibleOptions(command: Command): Option[] {
  const options = new Help().visibleOptions(command)
  const isCommon = ({ long }: Option): boolean => common.includes(long)
  return [...options.filter((each) => !isCommon(each)), ...options.filter(isCommon)]
}

/** For options that may be given several times. */
export const appended = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
]

/** What every command has that prints something for people or for programs. */
export const withOutput = (command: Command): Command =>
  command
    .option('--format <format>', 'text or json', 'text')
    .option('--no-color', 'no colours, as with NO_COLOR')
    .option('-q, --quiet', 'no notes on standard error, only errors', false)

/** Another spelling of an option, which `--help` does not show. */
export function withAlias(command: Command, alias: string, long: string): Command {
  const option = command.options.find((each) => each.long === long)!
  const hidden = new Option(`${alias}${option.required ? ' <value>' : ''}`).hideHelp()
  const name = option.attributeName()
  command.addOption(hidden)
  return command.on(`option:${hidden.name()}`, (value?: string) => {
    const parsed =
      value === undefined ? true : option.parseArg?.(value, command.getOptionValue(name) as never)
    command.setOptionValueWithSource(name, parsed ?? value, 'cli')
  })
}

/** Runs a program with arguments (without its name) and answers its exit code. */
export function runProgram(
  programFor: (done: Done) => Command,
  args: readonly string[],
  host: Outputs,
  explain?: Explain,
): ExitCode | Promise<ExitCode> {
  let exitCode: ExitCode | Promise<ExitCode> = exitCodes.success
  const program = programFor((code) => {
    exitCode = code
  })
  if (args.length === 0) {
    program.outputHelp()
    return exitCodes.input
  }
  const failed = (error: unknown): ExitCode => {
    if (isCommanderError(error) && error.exitCode === 0) return exitCodes.success
    const called = pathOf(calledCommand(program, args))
    return reportFailure(error, host, program.name(), called, explain)
  }
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    return failed(error)
  }
  return typeof exitCode === 'number' ? exitCode : Promise.resolve<ExitCode>(exitCode).catch(failed)
}

/** The command that the arguments name, as far as they name one. */
export function calledCommand(program: Command, args: readonly string[]): Command {
  let command = program
  for (const word of args) {
    command = command.commands.find((each) => each.name() === word) ?? command
  }
  return command
}

/** `kron runs list`. */
export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
