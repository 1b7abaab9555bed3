/** What we use of the grammars of TextMate; patterns are those of Oniguruma. */
export interface Rule {
  readonly name?: string
  readonly match?: string
  readonly begin?: string
  readonly end?: string
  readonly captures?: Captures
  readonly beginCaptures?: Captures
  readonly endCaptures?: Captures
  readonly patterns?: readonly Rule[]
}

/** By the number of a group, which starts with 1. */
export type Captures = Readonly<Record<string, Rule>>

/** Every scope ends with the name of the language. */
export const scoped = (name: string): string => `${name}.krontab`

export const named = (name: string): Rule => ({ name: scoped(name) })

export const token = (match: string, name: string): Rule => ({ match, name: scoped(name) })

/** What the parser refuses. */
export const illegal = (what: string): string => `invalid.illegal.${what}`

/** The longest first, so that `date` does not hide `dates`. */
export const anyOf = (words: Iterable<string>): string =>
  `(?:${[...words].toSorted((a, b) => b.length - a.length).join('|')})`

/** As Go writes them; `\w` and `\d` are avoided, since Oniguruma takes them for all of Unicode. */
export const duration =
  '[+-]?(?:0|(?:(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)'
export const decimal = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?'
