// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that begins a colour
const colours = /\u001b\[[\d;]*m/g
const invisible = /^[\p{Mark}\p{Control}\p{Format}]$/u
/** Hangul, CJK and full-width forms, emoji, and the supplementary ideographs. */
const wide = new RegExp(
  `^[${[
    '\\u1100-\\u115f\\ua960-\\ua97c\\uac00-\\ud7a3',
    '\\u2e80-\\u303e\\u3041-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6',
    '\\u{1f300}-\\u{1faff}',
    '\\u{20000}-\\u{3fffd}',
  ].join('')}]$`,
  'u',
)

/** Cells that a character takes on a terminal. */
export function characterWidth(character: string): number {
  if (character >= ' ' && character <= '~') return 1
  return invisible.test(character) ? 0 : wide.test(character) ? 2 : 1
}

/** Cells that a text takes on a terminal; colours take none. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text.replace(colours, '')) width += characterWidth(character)
  return width
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text
}
