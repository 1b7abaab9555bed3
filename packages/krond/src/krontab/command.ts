import { ConfigurationError } from '@kron/core'
import type { FieldValue } from './field-scanner.js'

/** What a job runs: words for `exec`, or one text for a shell when the job asks for a shell. */
export type Command =
  | { readonly kind: 'words'; readonly words: readonly [string, ...string[]] }
  | { readonly kind: 'shell'; readonly text: string }

/** A value without quotes is one word, the path of a program, whatever characters it has. */
export function commandOf(value: FieldValue, shell: boolean): Command {
  const [first, ...others] = wordsIn(value, shell)
  if (first === undefined) {
    throw new ConfigurationError('KRON_FIELD_INVALID', 'command must not be empty', {
      field: 'command',
      value: value.text,
      allowed: 'a path or a "quoted command line"',
    })
  }
  if (shell) return { kind: 'shell', text: value.text }
  return { kind: 'words', words: [first, ...others] }
}

/** What quotes mean in a text for a shell, only the shell knows. */
function wordsIn({ text, quoted }: FieldValue, shell: boolean): string[] {
  return quoted && !shell ? wordsOf(text) : [text].filter((word) => word.trim() !== '')
}

/**
 * Splits at white space and expands nothing: `$`, `*`, `~`, `|` and all others are characters.
 * Single and double quotes keep a word together; a backslash outside of single quotes takes the
 * next character as it is.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  let openedAt = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote === '' && (character === ' ' || character === '\t')) {
      if (word !== null) words.push(word)
      word = null
    } else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character
      openedAt = at
      word ??= ''
    } else if (character === '\\' && quote !== "'") {
      if (at + 1 === text.length) throw unfinished('the backslash takes no character', at)
      word = (word ?? '') + text[++at]!
    } else word = (word ?? '') + character
  }
  if (quote !== '') throw unfinished('the quote that opens here is not closed', openedAt)
  if (word !== null) words.push(word)
  return words
}

function unfinished(reason: string, position: number): ConfigurationError {
  return new ConfigurationError('KRON_KRONTAB_SYNTAX', `command: ${reason}`, {
    field: 'command',
    allowed: 'a command line whose quotes are closed',
    position,
    length: 1,
  })
}
