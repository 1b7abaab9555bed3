import {
  formats,
  OptionError,
  parseOptions,
  readNumber,
  readUsual,
  type UsualOptions,
} from './option-reader.ts'

export const parts = ['next', 'parse', 'decide', 'schedulable', 'heap'] as const
export type Part = (typeof parts)[number]

export interface Options extends UsualOptions {
  readonly only: readonly Part[]
  readonly rounds: number | undefined
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

export function readOptions(args: readonly string[]): Options {
  const values = parseOptions(args, ['rounds'])
  return {
    ...readUsual(values, ['quick', 'only']),
    only: values.only === undefined ? parts : readParts(values.only),
    rounds: values.rounds === undefined ? undefined : readNumber('--rounds', values.rounds, 100),
  }
}

function readParts(text: string): Part[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!parts.some((part) => part === name)) {
      throw new OptionError(`--only takes ${parts.join(', ')}, got "${name}"`)
    }
  }
  return parts.filter((part) => names.includes(part))
}
