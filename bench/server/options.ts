import { parseArgs } from 'node:util'
import { type Format, formats, OptionError } from '../options.ts'
import { type Entry, entries } from './contenders/index.ts'

export interface Options {
  readonly count: number
  readonly rounds: number
  readonly only: readonly Entry[]
  readonly quick: boolean
  readonly format: Format
  readonly writeReadme: boolean
  readonly help: boolean
}

const names = entries.map(({ name }) => name)

export const helpText = `HTTP requests that are all due in one second: who sends them when.

Usage: node bench/server/run.ts [options]

  --count <n>         how many requests, 1 to 100000 (default: 10000)
  --rounds <n>        measured rounds of each, 1 to 20 (default: 5); those with cron have one
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
  const values = parse(args)
  const format = formats.find((known) => known === (values.format ?? 'text'))
  if (format === undefined) throw new OptionError(`--format must be one of ${formats.join(', ')}`)
  const isPart = values.quick || values.only !== undefined || values.count !== undefined
  if (values['write-readme'] && isPart) {
    throw new OptionError('--write-readme needs a whole run: leave out --quick, --only and --count')
  }
  const quick = values.quick ?? false
  return {
    count: readNumber('--count', values.count ?? (quick ? '1000' : '10000'), 100_000),
    rounds: readNumber('--rounds', values.rounds ?? (quick ? '2' : '5'), 20),
    only:
      values.only === undefined
        ? entries.filter(({ isCron }) => !quick || !isCron)
        : readNames(values.only),
    quick,
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
        count: { type: 'string' },
        rounds: { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean' },
        format: { type: 'string' },
        'write-readme': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(option: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new OptionError(`${option} must be a whole number from 1 to ${most}, got "${text}"`)
}

function readNames(text: string): Entry[] {
  return text.split(',').map((name) => {
    const entry = entries.find((known) => known.name === name.trim())
    if (entry !== undefined) return entry
    throw new OptionError(`--only takes ${names.join(', ')}, got "${name}"`)
  })
}
