import type { CommandOutline, OptionOutline, ValueOutline } from './command-outline.js'
import { functionName, shellWord } from './command-outline.js'

/** For a folder of `$fpath`, where zsh runs the file as the function, and to be sourced. */
export function zshCompletion(program: CommandOutline): string {
  const name = functionName(program.name)
  return `#compdef ${program.name}

${functions(program, name, program.name)}
if [[ $funcstack[1] == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program.name}
fi
`
}

/** One for the program and one for each group of commands, those of the groups first. */
function functions(group: CommandOutline, name: string, path: string): string {
  const nameOf = (command: CommandOutline): string => `${name}_${functionName(command.name)}`
  const groups = group.commands.filter(({ commands }) => commands.length > 0)
  const below = groups.map((each) => functions(each, nameOf(each), `${path} ${each.name}`))
  const arms = group.commands.map((command) => {
    const call = groups.includes(command)
      ? `          ${nameOf(command)}`
      : argumentsCall(['-s', '-S'], specs(command), 10)
    return `        ${command.name})\n${call} && result=0\n          ;;`
  })
  const commands = group.commands.map(
    (command) => `    ${shellWord(`${command.name}:${escaped(command.summary)}`)}`,
  )
  const own = [...group.options.map(optionSpec), "'1: :->command'", "'*:: :->rest'"]
  return `${below.join('\n')}${name}() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
${commands.join('\n')}
  )
${argumentsCall(['-C', '-s', '-S'], own, 2)} && result=0
  case $state in
    command)
      _describe -t commands ${shellWord(`${path} command`)} commands && result=0
      ;;
    rest)
      case $words[1] in
${arms.join('\n')}
      esac
      ;;
  esac
  return $result
}
`
}

function argumentsCall(
  flags: readonly string[],
  specifications: readonly string[],
  spaces: number,
): string {
  const indent = ' '.repeat(spaces)
  const words = specifications.map((specification) => `${indent}  ${specification}`)
  return [`${indent}_arguments ${flags.join(' ')}`, ...words].join(' \\\n')
}

function specs(command: CommandOutline): string[] {
  const operands = command.operands.map(({ value, isVariadic }, index) =>
    shellWord(`${isVariadic ? '*' : index + 1}${valueSpec(value)}`),
  )
  return [...command.options.map(optionSpec), ...operands]
}

/** `'(-n --count)'{-n+,--count=}'[how many]:number: '` */
function optionSpec(option: OptionOutline): string {
  const { short, long, value, isRepeatable } = option
  const flags = [short, long].filter((flag) => flag !== null)
  const shown = [
    ...(short === null ? [] : [value === null ? short : `${short}+`]),
    ...(long === null ? [] : [value === null ? long : `${long}=`]),
  ]
  const text = `[${escaped(option.description)}]${value === null ? '' : valueSpec(value)}`
  const before = isRepeatable ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : ''
  if (shown.length === 1) return shellWord(`${before}${shown[0]}${text}`)
  return `${before === '' ? '' : shellWord(before)}{${shown.join(',')}}${shellWord(text)}`
}

function valueSpec(value: ValueOutline): string {
  const name = escaped(value.name)
  if (value.kind === 'path') return `:${name}:_files`
  return value.kind === 'choices' ? `:${name}:(${value.choices.join(' ')})` : `:${name}: `
}

const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&')
