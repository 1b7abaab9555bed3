import type { Argument, Command, Option } from 'commander'

/** What a shell needs to know of a command to complete it; no shell is in it. */
export interface CommandOutline {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionOutline[]
  readonly operands: readonly OperandOutline[]
  readonly commands: readonly CommandOutline[]
}

export interface OptionOutline {
  readonly short: string | null
  readonly long: string | null
  readonly description: string
  /** null: it takes none. */
  readonly value: ValueOutline | null
  readonly isRepeatable: boolean
}

export interface OperandOutline {
  readonly value: ValueOutline
  readonly isVariadic: boolean
}

/** `free`: only the person who types knows. */
export type ValueOutline =
  | { readonly kind: 'choices'; readonly name: string; readonly choices: readonly string[] }
  | { readonly kind: 'path' | 'free'; readonly name: string }

export function commandOutline(command: Command): CommandOutline {
  return {
    name: command.name(),
    summary: summaryOf(command),
    options: optionsOf(command).map(optionOutline),
    operands: command.registeredArguments.map(operandOutline),
    commands: subcommandsOf(command).map(commandOutline),
  }
}

/** A group of commands also takes the options of the command that it means by default. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp()
  const usual = subcommandsOf(command).find((each) => each.name() === defaultNameOf(command))
  const all = [
    ...help.visibleOptions(command),
    ...(usual === undefined ? [] : help.visibleOptions(usual)),
    ...(help.showGlobalOptions ? help.visibleGlobalOptions(command) : []),
  ]
  const isFirst = (option: Option, index: number): boolean =>
    all.findIndex(({ flags }) => flags === option.flags) === index
  return all.filter(
    (option, index) =>
      isFirst(option, index) && (command.parent === null || option.long !== '--version'),
  )
}

/** commander keeps it to itself. */
const defaultNameOf = (command: Command): string | null =>
  (command as Command & { readonly _defaultCommandName: string | null })._defaultCommandName

function optionOutline(option: Option): OptionOutline {
  const placeholder = /<([^>]+)>/.exec(option.flags)?.[1]
  return {
    short: option.short ?? null,
    long: option.long ?? null,
    description: option.description,
    value: placeholder === undefined ? null : valueOutline(placeholder, choicesOf(option)),
    // commander checks choices with a parser too; any other parser collects.
    isRepeatable:
      option.variadic || (option.parseArg !== undefined && option.argChoices === undefined),
  }
}

function operandOutline(argument: Argument): OperandOutline {
  return {
    value: valueOutline(argument.name(), argument.argChoices ?? null),
    isVariadic: argument.variadic,
  }
}

/** `file`, `paths...`, `state-folder`, `chart.svg`: what is to be found on disk. */
const pathName = /^(?:[\w-]+-)?(?:path|file|folder|directory|log|krontab|crontab)s?$|^\w+\.\w+$/

function valueOutline(placeholder: string, choices: readonly string[] | null): ValueOutline {
  const name = placeholder.replace(/\.\.\.$/, '')
  if (choices !== null) return { kind: 'choices', name, choices }
  return { kind: pathName.test(name) ? 'path' : 'free', name }
}

/**
 * Those that commander checks, or a description that is nothing but a list of words, the default
 * among them: `debug, info, warn or error`.
 */
function choicesOf(option: Option): readonly string[] | null {
  if (option.argChoices !== undefined) return option.argChoices
  if (!/^[\w-]+(?:, [\w-]+)* or [\w-]+$/.test(option.description)) return null
  const words = option.description.split(/, | or /)
  return words.includes(option.defaultValue) ? words : null
}

/** The program, and every command down to this one. */
export function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [...lineage(command.parent), command]
}

/** `krontab-lint` for `krontab lint`. */
export function pageName(command: Command): string {
  return lineage(command)
    .map((each) => each.name())
    .join('-')
}

/** Those that `--help` lists, without the `help` that commander may add. */
export function subcommandsOf(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.filter((each) => command.commands.includes(each))
}

export const summaryOf = (command: Command): string => command.summary() || command.description()

/** A word in single quotes, for any shell that is like the Bourne shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What may be part of the name of a function in every shell. */
export const functionName = (program: string): string => `_${program.replaceAll(/\W/g, '_')}`
