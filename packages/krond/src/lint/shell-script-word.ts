/** A word of a command line, and where it stands in its source. */
interface PlacedWord {
  readonly text: string
  readonly start: number
  readonly end: number
}

const shell = /^(?:(?:ba|da|a|z|k|mk|pdk|fi|c|tc|rba|ya)?sh|ksh93)$/
/** Programs that hand the value of their `-c` to a shell. */
const withShell = /^(?:su|runuser|flock|script)$/
const shortScriptOption = /^-[A-Za-z]*c[A-Za-z]*$/
const optionWithValue = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/

/**
 * The words of a command that a shell reads though krond's own does not: the script of `sh -c`,
 * wherever that stands (`nice timeout 5m bash -euc ...`), and what `ssh` hands on. `source` is the
 * command as it is written in a krontab, with its quotes.
 */
export function shellScriptWords(source: string): readonly PlacedWord[] {
  const words = placedWords(source)
  return words.flatMap(({ text }, at) => {
    const program = text.slice(text.lastIndexOf('/') + 1)
    const behind = words.slice(at + 1)
    if (program === 'ssh' && at === 0) return behind
    const script = shell.test(program)
      ? scriptOf(behind)
      : withShell.test(program)
        ? behind[behind.findIndex((word) => /^(?:-c|--command)$/.test(word.text)) + 1 || -1]
        : undefined
    return script === undefined ? [] : [script]
  })
}

function scriptOf(behind: readonly PlacedWord[]): PlacedWord | undefined {
  let isScript = false
  for (let at = 0; at < behind.length; at++) {
    const { text } = behind[at]!
    if (!/^[-+]./.test(text)) return isScript ? behind[at] : undefined
    if (shortScriptOption.test(text)) isScript = true
    if (optionWithValue.test(text)) at++
  }
  return undefined
}

/** Splits as krond does. The source may be in double quotes, with `\"` and `\\` in them. */
function placedWords(source: string): PlacedWord[] {
  const characters = unquoted(source)
  const words: PlacedWord[] = []
  let word: { text: string; start: number; end: number } | null = null
  let quote = ''
  for (let at = 0; at < characters.length; at++) {
    let { character, index } = characters[at]!
    if (quote === '' && /[ \t]/.test(character)) {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    word ??= { text: '', start: index, end: index }
    if (character === quote) quote = ''
    else if (quote === '' && /["']/.test(character)) quote = character
    else {
      if (character === '\\' && quote !== "'" && at + 1 < characters.length) {
        ;({ character, index } = characters[++at]!)
      }
      word.text += character
    }
    word.end = index + 1
  }
  return word === null ? words : [...words, word]
}

function unquoted(source: string): { character: string; index: number }[] {
  const isQuoted = source.startsWith('"')
  const end = isQuoted && source.endsWith('"') ? source.length - 1 : source.length
  const characters: { character: string; index: number }[] = []
  for (let index = isQuoted ? 1 : 0; index < end; index++) {
    if (isQuoted && source[index] === '\\' && index + 1 < end) index++
    characters.push({ character: source[index]!, index })
  }
  return characters
}
