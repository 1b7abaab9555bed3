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
    ...program.commands.flatMap((command) => commandLines(complete, command)),
  ]
  return `${lines.join('\n')}\n`
}

function commandLines(complete: string, command: CommandOutline): string[] {
  const inCommand = `contains -- ${command.name} (commandline -opc)[2]`
  const when = `${complete} -n ${quoted(inCommand)}`
  return [
    '',
    ...command.options.map((option) => optionLine(when, option)),
    ...command.operands.flatMap(({ value }) => operandLines(complete, inCommand, value)),
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
