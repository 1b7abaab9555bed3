import type { CommandOutline, OptionOutline, ValueOutline } from './command-outline.js'
import { functionName, shellWord } from './command-outline.js'

/**
 * A function that reads the words before the cursor as commander would: which command it is,
 * whether an option still waits for its value, how many operands were given. It needs bash alone,
 * not the package bash-completion.
 */
export function bashCompletion(program: CommandOutline): string {
  const name = functionName(program.name)
  const scopes = scopesOf('', program)
  const commandPaths = scopes.flatMap(([scope, { commands }]) =>
    commands.map((command) => shellWord(`${scope} ${command.name}`)),
  )
  const optionWords = caseOf('"$scope $word"', [[optionsWithValue(scopes), 'pending=$word']])
  const commandWords = caseOf('"$scope $word"', [
    [commandPaths, `scope=\${scope:+$scope }$word`],
    [['*'], 'operands=1'],
  ])
  return `# bash completion for ${program.name}

${proposeFunction(name)}

${pathsFunction(name)}

${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} scope='' pending='' operands=0 ended='' word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ -n $pending ]]; then
      # Readline makes three words of --option=value.
      [[ $word == '=' ]] || pending=''
    elif [[ -z $ended && $word == '--' ]]; then
      ended=yes
    elif [[ -z $ended && $word == -?* ]]; then
${indented(6, optionWords)}
    elif [[ $operands == 0 ]]; then
${indented(6, commandWords)}
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $pending ]]; then
    [[ $current == '=' ]] && current=''
${indented(4, caseOf('"$scope $pending"', valueArms(name, scopes)))}
  elif [[ -z $ended && $current == -* ]]; then
${indented(4, caseOf('$scope', optionArms(name, scopes)))}
  else
${indented(4, caseOf('"$scope $operands"', operandArms(name, scopes)))}
  fi
}

complete -F ${name} ${program.name}
`
}

type Scope = readonly [name: string, command: CommandOutline]
/** By the words that lead to it: `''` for the program itself, `runs list`. */
function scopesOf(path: string, command: CommandOutline): Scope[] {
  const below = command.commands.flatMap((each) =>
    scopesOf(path === '' ? each.name : `${path} ${each.name}`, each),
  )
  return [[path, command], ...below]
}

type Arm = readonly [patterns: readonly string[], action: string]
type Entry = readonly [word: string, meaning: string]

/** Where readline only lists and inserts nothing, words may have their meaning beside them. */
const proposeFunction = (name: string): string => `${name}_propose() {
  local current=$1 entry index
  local -a words=() meanings=()
  shift
  while (($# > 0)); do
    [[ $1 == "$current"* ]] && words+=("$1") meanings+=("$2")
    shift 2
  done
  COMPREPLY=("\${words[@]}")
  [[ \${COMP_TYPE:-} == 63 ]] && ((\${#words[@]} > 1)) || return 0
  for index in "\${!words[@]}"; do
    [[ -n \${meanings[index]} ]] || continue
    printf -v entry '%-14s  %s' "\${words[index]}" "\${meanings[index]}"
    COMPREPLY[index]=$entry
  done
}`

const pathsFunction = (name: string): string => `${name}_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen -f -- "$1")
}`

function caseOf(subject: string, arms: readonly Arm[]): string[] {
  const used = arms.filter(([patterns]) => patterns.length > 0)
  if (used.length === 0) return [':']
  const lines = used.map(([patterns, action]) => `  ${patterns.join('|')}) ${action} ;;`)
  return [`case ${subject} in`, ...lines, 'esac']
}

const indented = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => ' '.repeat(spaces) + line).join('\n')

const propose = (name: string, entries: readonly Entry[]): string =>
  [`${name}_propose "$current"`, ...entries.flat().map(shellWord)].join(' ')

const optionEntry = ({ long, short, description }: OptionOutline): Entry => [
  long ?? short ?? '',
  description,
]

const flagsOf = ({ short, long }: OptionOutline): string[] =>
  [short, long].filter((flag) => flag !== null)

function flagPatterns(scope: string, options: readonly OptionOutline[]): string[] {
  return options.flatMap(flagsOf).map((flag) => shellWord(`${scope} ${flag}`))
}

function optionsWithValue(scopes: readonly Scope[]): string[] {
  return scopes.flatMap(([scope, { options }]) =>
    flagPatterns(
      scope,
      options.filter(({ value }) => value !== null),
    ),
  )
}

/** null: nothing can be proposed. */
function actionFor(name: string, value: ValueOutline | null): string | null {
  if (value?.kind === 'path') return `${name}_paths "$current"`
  if (value?.kind !== 'choices') return null
  return propose(
    name,
    value.choices.map((choice) => [choice, '']),
  )
}

function optionArms(name: string, scopes: readonly Scope[]): Arm[] {
  return scopes.map(([scope, { options }]) => [
    [shellWord(scope)],
    propose(name, options.map(optionEntry)),
  ])
}

function valueArms(name: string, scopes: readonly Scope[]): Arm[] {
  return scopes.flatMap(([scope, { options }]) =>
    options.flatMap((option): Arm[] => {
      const action = actionFor(name, option.value)
      return action === null ? [] : [[flagPatterns(scope, [option]), action]]
    }),
  )
}

function operandArms(name: string, scopes: readonly Scope[]): Arm[] {
  return scopes.flatMap(([scope, command]) => {
    const commands = command.commands.map(({ name, summary }): Entry => [name, summary])
    const arms = command.operands.flatMap(({ value, isVariadic }, index): Arm[] => {
      const action = actionFor(name, value)
      const count = isVariadic ? `[${index}-9]*` : index
      const pattern = shellWord(`${scope} `) + count
      return action === null ? [] : [[[pattern], action]]
    })
    return commands.length === 0 ? arms : [[[shellWord(`${scope} 0`)], propose(name, commands)]]
  })
}
