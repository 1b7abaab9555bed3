import type { CommandOutline, OptionOutline, ValueOutline } from './command-outline.js'

export function fishCompletion(program: CommandOutline): string {
  const complete = `complete -c ${program.name}`
  const lines = [
    `# fish completion for ${program.name}`,
    `${complete} -f`,
    ...program.commands.map(
      ({ name, summary }) =>
        `${complete} -n __fish_use_subcommand -a ${quoted(name)} -d ${quoted(summary)}`,
    ),
    ...program.options.map((option) => optionLine(`${complete} -n __fish_use_subcommand`, option)),
    ...program.commands.flatMap((command) => commandLines(complete, command, 2, [])),
  ]
  return `${lines.join('\n')}\n`
}

/** `place` is the index of its name among the words, from 1; `above` what leads to it. */
function commandLines(
  complete: string,
  command: CommandOutline,
  place: number,
  above: readonly string[],
): string[] {
  const path = [...above, `contains -- ${command.name} (commandline -opc)[${place}]`]
  const inCommand = path.join('; and ')
  const names = command.commands.map(({ name }) => name)
  const isNone = `not contains -- (commandline -opc)[${place + 1}] ${names.join(' ')}`
  const here = names.length === 0 ? inCommand : `${inCommand}; and ${isNone}`
  const isNext = `${inCommand}; and test (count (commandline -opc)) -eq ${place}`
  return [
    '',
    ...command.commands.map(
      ({ name, summary }) =>
        `${complete} -n ${quoted(isNext)} -a ${quoted(name)} -d ${quoted(summary)}`,
    ),
    ...command.options.map((option) => optionLine(`${complete} -n ${quoted(here)}`, option)),
    ...command.operands.flatMap(({ value }) => operandLines(complete, inCommand, value)),
    ...command.commands.flatMap((each) => commandLines(complete, each, place + 1, path)),
  ]
}

function optionLine(when: string, { short, long, value, description }: OptionOutline): string {
  const parts = [
    when,
    ...(short === null ? [] : [`-s ${short.replace(/^-/, '')}`]),
    ...(long === null ? [] : [`-l ${long.replace(/^--/, '')}`]),
    ...valueFlags(value),
    `-d ${quoted(description)}`,
  ]
  return parts.join(' ')
}

function valueFlags(value: ValueOutline | null): string[] {
  if (value === null) return []
  if (value.kind === 'path') return ['-r', '-F']
  return value.kind === 'choices' ? ['-x', `-a ${quoted(value.choices.join(' '))}`] : ['-x']
}

/** fish does not count operands; a choice is proposed until one of them was made. */
function operandLines(complete: string, inCommand: string, value: ValueOutline): string[] {
  if (value.kind === 'path') return [`${complete} -n ${quoted(inCommand)} -F`]
  if (value.kind !== 'choices') return []
  const choices = value.choices.join(' ')
  const isOpen = `${inCommand}; and not __fish_seen_subcommand_from ${choices}`
  return [`${complete} -n ${quoted(isOpen)} -a ${quoted(choices)}`]
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
