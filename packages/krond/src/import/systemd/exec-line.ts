/** One command of an `ExecStart=`. */
export interface ExecCommand {
  readonly words: readonly [string, ...string[]]
  /** Whether a failure counts for nothing: a `-` stands before it. */
  readonly mayFail: boolean
}

/** Reads an `ExecStart=` with the variables of the unit. A text says why it can't be converted. */
export function execCommands(
  line: string,
  env: Readonly<Record<string, string>>,
): ExecCommand[] | string {
  const tokens = tokensOf(line)
  if (tokens === null) return 'a quote is not closed'
  const commands: ExecCommand[] = []
  for (const command of splitAtSemicolons(tokens)) {
    const found = execCommand(command, env)
    if (typeof found === 'string') return found
    commands.push(found)
  }
  return commands
}

/** The words of a value such as that of `Environment=`; a text says why it can't be converted. */
export function unitWords(value: string): { readonly words: readonly string[] } | string {
  const tokens = tokensOf(value)
  return tokens === null
    ? 'a quote is not closed'
    : withoutSpecifiers(tokens.map(({ text }) => text))
}

function splitAtSemicolons(tokens: readonly Token[]): Token[][] {
  const commands: Token[][] = [[]]
  for (const token of tokens) {
    if (token.text === ';' && !token.quoted) commands.push([])
    else commands.at(-1)?.push(token)
  }
  return commands.filter((command, index) => index === 0 || command.length > 0)
}

function execCommand(
  [first, ...rest]: readonly Token[],
  env: Readonly<Record<string, string>>,
): ExecCommand | string {
  if (first === undefined) return 'it has no command'
  const prefix = /^[-@:+!|]*/.exec(first.text)![0]
  if (/[@+!|]/.test(prefix)) return `${prefix} before the command changes how it is run`
  const words: string[] = []
  for (const token of [{ ...first, text: first.text.slice(prefix.length) }, ...rest]) {
    const expanded = prefix.includes(':') ? [token.text] : expand(token, env)
    if (typeof expanded === 'string') return expanded
    words.push(...expanded)
  }
  const plain = withoutSpecifiers(words)
  if (typeof plain === 'string') return plain
  const [program, ...args] = plain.words
  if (program === undefined || program === '') return 'it has no command'
  return { words: [program, ...args], mayFail: prefix.includes('-') }
}

/** `%%` is a `%`; what other specifiers stand for, only systemd knows. */
function withoutSpecifiers(
  words: readonly string[],
): { readonly words: readonly string[] } | string {
  for (const word of words) {
    const specifier = /%./.exec(word.replaceAll('%%', ''))?.[0]
    if (specifier !== undefined) return `it has the specifier ${specifier}`
  }
  return { words: words.map((word) => word.replaceAll('%%', '%')) }
}

interface Token {
  readonly text: string
  readonly quoted: boolean
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  s: ' ',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** Words as systemd splits them; null when a quote stays open. */
function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  let word: string | null = null
  let quoted = false
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote === '' && /\s/.test(character)) {
      if (word !== null) tokens.push({ text: word, quoted })
      word = null
      quoted = false
    } else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character
      quoted = true
      word ??= ''
    } else if (character === '\\' && at + 1 < text.length) {
      const next = text[++at]!
      word = (word ?? '') + (escapes[next] ?? `\\${next}`)
    } else word = (word ?? '') + character
  }
  if (quote !== '') return null
  if (word !== null) tokens.push({ text: word, quoted })
  return tokens
}

/** `$NAME` as a word of its own gives several words, `${NAME}` goes where it stands. */
function expand(token: Token, env: Readonly<Record<string, string>>): string[] | string {
  const alone = token.quoted ? null : /^\$([A-Za-z_]\w*)$/.exec(token.text)
  if (alone !== null) {
    const value = env[alone[1]!]
    return value === undefined ? unknown(alone[1]!) : value.split(/\s+/).filter(Boolean)
  }
  let missing = ''
  const text = token.text.replace(/\$\$|\$\{(\w+)\}|\$([A-Za-z_]\w*)/g, (found, braced, bare) => {
    if (found === '$$') return '$'
    const name = String(braced ?? bare)
    if (env[name] === undefined) missing = name
    return env[name] ?? ''
  })
  return missing === '' ? [text] : unknown(missing)
}

const unknown = (name: string): string => `it uses $${name}, which the unit does not set`
