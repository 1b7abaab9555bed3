/** Characters that troff would set as something else, or take for its own. */
const specialCharacters: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/**
 * Text as it stands in the middle of a line of troff. Dashes become the minus of the keyboard, so
 * that options can be copied from a page.
 */
export function roffText(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/[\\\-'`^~]/g, (character) => specialCharacters[character]!)
    .replaceAll(/[^ -~]/gu, (character) => `\\[u${hexadecimal(character)}]`)
}

const hexadecimal = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')

/** A line of text; a dot in front would make it a request. */
export function roffLine(text: string): string {
  const escaped = roffText(text)
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped
}

/** An argument of a macro. */
export const roffArgument = (text: string): string => `"${roffText(text).replaceAll('"', '\\(dq')}"`

export const bold = (text: string): string => `\\fB${roffText(text)}\\fR`

export const italic = (text: string): string => `\\fI${roffText(text)}\\fR`
