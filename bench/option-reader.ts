import { parseArgs } from 'node:util'
import { messageOf } from '@kron/runtime'

export const formats = ['text', 'markdown', 'json'] as const
export type Format = (typeof formats)[number]

export class OptionError extends Error {}

/** What every benchmark may be told. */
export interface UsualOptions {
  readonly quick: boolean
  readonly format: Format
  readonly writeReadme: boolean
  readonly help: boolean
}

const usual = {
  only: { type: 'string' },
  quick: { type: 'boolean' },
  format: { type: 'string' },
  'write-readme': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type UsualValues = ReturnType<typeof parseArgs<{ options: typeof usual }>>['values']
type Values<Own extends string> = UsualValues & { readonly [Name in Own]?: string }

/** The options as they were written: the usual ones, and those that this benchmark has besides. */
export function parseOptions<Own extends string>(
  args: readonly string[],
  own: readonly Own[],
): Values<Own> {
  const others = Object.fromEntries(own.map((name) => [name, { type: 'string' } as const]))
  try {
    return parseArgs({ args: [...args], options: { ...others, ...usual } }).values as Values<Own>
  } catch (error) {
    throw new OptionError(messageOf(error))
  }
}

/** Results with any of `partial` are not those of a whole run, and no README gets them. */
export function readUsual<Own extends string>(
  values: Values<Own>,
  partial: readonly ('quick' | 'only' | Own)[],
): UsualOptions {
  const given = values.format ?? 'text'
  const format = formats.find((known) => known === given)
  if (format === undefined) {
    throw new OptionError(`--format must be one of ${formats.join(', ')}, got "${given}"`)
  }
  if (values['write-readme'] && partial.some((name) => values[name] !== undefined)) {
    const names = partial.map((name) => `--${name}`)
    const leftOut = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    throw new OptionError(`--write-readme needs a whole run: leave out ${leftOut}`)
  }
  return {
    quick: values.quick ?? false,
    format,
    writeReadme: values['write-readme'] ?? false,
    help: values.help ?? false,
  }
}

export function readNumber(option: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new OptionError(`${option} must be a whole number from 1 to ${most}, got "${text}"`)
}

/** Those of `known` whose names are given, in the order in which they are. */
export function readNames<Named extends { readonly name: string }>(
  text: string,
  known: readonly Named[],
): Named[] {
  return text.split(',').map((name) => {
    const found = known.find((each) => each.name === name.trim())
    if (found !== undefined) return found
    const names = known.map((each) => each.name).join(', ')
    throw new OptionError(`--only takes ${names}, got "${name}"`)
  })
}
