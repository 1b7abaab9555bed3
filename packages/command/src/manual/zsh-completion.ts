import type { CommandOutline, OptionOutline, ValueOutline } from './command-outline.js'
import { functionName, shellWord } from './shell-word.js'

/** For a folder of `$fpath`, where zsh runs the file as the function, and to be sourced. */
export function zshCompletion(program: CommandOutline): string {
  const name = functionName(program.name)
  const arms = program.commands.map((command) => {
    const call = argumentsCall(['-s', '-S'], specs(command), 10)
    return `        ${command.name})\n${call} && result=0\n          ;;`
  })
  const commands = program.commands.map(
    (command) => `    ${shellWord(`${command.name}:${escaped(command.summary)}`)}`,
  )
  const own = [...program.options.map(optionSpec), "'1: :->command'", "'*:: :->rest'"]
  return `#compdef ${program.name}

${name}() {
  local curcontext="$curcontext" state line result=1
  local -A opt_args
  local -a commands
  commands=(
${commands.join('\n')}
  )
${argumentsCall(['-C', '-s', '-S'], own, 2)} && result=0
  case $state in
    command)
      _describe -t commands ${shellWord(`${program.name} command`)} commands && result=0
      ;;
    rest)
      case $words[1] in
${arms.join('\n')}
      esac
      ;;
  esac
  return $result
}

if [[ $funcstack[1] == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program.name}
fi
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
