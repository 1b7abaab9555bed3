import { parseArgs } from 'node:util'

export const parts = ['next', 'parse', 'decide', 'heap'] as const
export type Part = (typeof parts)[number]

export const formats = ['text', 'markdown', 'json'] as const
export type Format = (typeof formats)[number]

export interface Options {
  readonly only: readonly Part[]
  readonly rounds: number | undefined
  readonly quick: boolean
  readonly format: Format
  readonly writeReadme: boolean
  readonly help: boolean
}

export const helpText = `Kron beside its alternatives: one run, interleaved, best of several rounds.

Usage: node bench/run.ts [options]

  --only <parts>     comma-separated: ${parts.join(', ')} (default: all)
  --rounds <n>       rounds of each measurement, 1 to 100 (default: 5, heap 3, quick 2;
                     decide takes four times as many)
  --quick            a few expressions and short slices: a look, not a result
  --format <format>  ${formats.join(', ')} (default: text)
  --write-readme     replace the results in bench/README.md with those of this run
  -h, --help         this text

Examples:
  npx tsc -b packages/core packages/runtime && npx node bench/run.ts
  npx node bench/run.ts --quick
  npx node bench/run.ts --only next,parse --rounds 10
  npx node bench/run.ts --format json > results.json
  npx node bench/run.ts --write-readme

Bars that are not met do not change the exit code: it is 0, or 2 for wrong options.
`

export class OptionError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args)
  const format = values.format ?? 'text'
  if (!isOneOf(formats, format)) {
    throw new OptionError(`--format must be one of ${formats.join(', ')}, got "${format}"`)
  }
  if (values['write-readme'] && (values.quick || values.only !== undefined)) {
    throw new OptionError('--write-readme needs a whole run: leave out --quick and --only')
  }
  return {
    only: values.only === undefined ? parts : readParts(values.only),
    rounds: values.rounds === undefined ? undefined : readRounds(values.rounds),
    quick: values.quick ?? false,
    format,
    writeReadme: values['write-readme'] ?? false,
    help: values.help ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        rounds: { type: 'string' },
        quick: { type: 'boolean' },
        format: { type: 'string' },
        'write-readme': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function readParts(text: string): Part[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!isOneOf(parts, name)) {
      throw new OptionError(`--only takes ${parts.join(', ')}, got "${name}"`)
    }
  }
  return parts.filter((part) => names.includes(part))
}

function readRounds(text: string): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 100) return rounds
  throw new OptionError(`--rounds must be a whole number from 1 to 100, got "${text}"`)
}

const isOneOf = <T extends string>(choices: readonly T[], text: string): text is T =>
  (choices as readonly string[]).includes(text)
