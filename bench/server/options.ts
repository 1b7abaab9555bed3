import {
  formats,
  parseOptions,
  readNames,
  readNumber,
  readUsual,
  type UsualOptions,
} from '../option-reader.ts'
import { type Entry, entries } from './contenders/index.ts'

export interface Options extends UsualOptions {
  readonly count: number
  readonly rounds: number
  readonly only: readonly Entry[]
}

const names = entries.map(({ name }) => name)

export const helpText = `HTTP requests that are all due in one second: who sends them when.

Usage: node bench/server/run.ts [options]

  --count <n>         how many requests, 1 to 100000 (default: 10000)
  --rounds <n>        measured rounds of each, 1 to 20 (default: 6); those with cron have one
  --only <names>      comma-separated: ${names.join(', ')}
                      (default: all)
  --quick             1,000 requests, 2 rounds, without those that have cron only
  --format <format>   ${formats.join(', ')} (default: text)
  --write-readme      replace the results in bench/server/README.md with those of this run
  -h, --help          this text

DATABASE_URL names a PostgreSQL to use instead of the one that is started.
The exit code is 0, or 2 for wrong options.
`

export function readOptions(args: readonly string[]): Options {
  const values = parseOptions(args, ['count', 'rounds'])
  const usual = readUsual(values, ['quick', 'only', 'count'])
  const { quick } = usual
  return {
    ...usual,
    count: readNumber('--count', values.count ?? (quick ? '1000' : '10000'), 100_000),
    rounds: readNumber('--rounds', values.rounds ?? (quick ? '2' : '6'), 20),
    only:
      values.only === undefined
        ? entries.filter(({ isCron }) => !quick || !isCron)
        : readNames(values.only, entries),
  }
}
