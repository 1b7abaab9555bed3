const codes = {
  strong: '1',
  faint: '2',
  error: '1;31',
  warning: '1;33',
  good: '32',
  accent: '36',
  before: '33',
  after: '32',
} as const

export type Tone = keyof typeof codes

/** Gives text a tone, or leaves it as it is. */
export type Style = (tone: Tone, text: string) => string

export const plain: Style = (_tone, text) => text

export const coloured: Style = (tone, text) =>
  text === '' ? '' : `\u001b[${codes[tone]}m${text}\u001b[0m`

export interface ColourWishes {
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** What `--no-color` says. */
  readonly allowed: boolean
}

/** Colour only on a terminal that is able to, and that nobody asked to be plain. */
export function styleFor({ isTerminal, env, allowed }: ColourWishes): Style {
  const asked = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
  return isTerminal && allowed && !asked && env['TERM'] !== 'dumb' ? coloured : plain
}
