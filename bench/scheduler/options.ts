import {
  formats,
  OptionError,
  parseOptions,
  readNames,
  readUsual,
  type UsualOptions,
} from '../option-reader.ts'
import { type Contender, contenders } from './contenders/index.ts'

export interface Options extends UsualOptions {
  readonly tasks: readonly number[]
  readonly expressions: number
  readonly only: readonly Contender[] | null
}

const names = contenders.map(({ name }) => name)

export const helpText = `In-process schedulers side by side: registration, memory, lateness, rest.

Usage: node bench/scheduler/run.ts [options]

  --tasks <n,n>       how many tasks (default: 10000,100000,1000000); above 100,000 only
                      Kron is measured, and 100,000 of them fall due, unless --only is given
  --expressions <n>   how many different expressions they share, 1 to 1,000,000 (default: 100)
  --only <names>      comma-separated: ${names.slice(0, 5).join(', ')},
                      ${names.slice(5).join(', ')} (default: all)
  --quick             1,000 tasks, everybody at once, one boundary: a look, not a result
  --format <format>   ${formats.join(', ')} (default: text)
  --write-readme      replace the results in bench/scheduler/README.md with those of this run
  -h, --help          this text

Examples:
  npm run bench:scheduler                              some forty minutes: each has its own
  npm run bench:scheduler -- --quick                   two minutes
  npm run bench:scheduler -- --only kron-sqlite,croner --tasks 10000
  npm run bench:scheduler -- --write-readme

Bars that are not met do not change the exit code: it is 0, or 2 for wrong options.
`

export function readOptions(args: readonly string[]): Options {
  const values = parseOptions(args, ['tasks', 'expressions'])
  const usual = readUsual(values, ['quick', 'only', 'tasks', 'expressions'])
  const defaultTasks = usual.quick ? '1000' : '10000,100000,1000000'
  return {
    ...usual,
    tasks: readCounts('--tasks', values.tasks ?? defaultTasks),
    expressions: readCounts('--expressions', values.expressions ?? '100')[0]!,
    only: values.only === undefined ? null : readNames(values.only, contenders),
  }
}

/** In ascending order, since the smaller tell how long the larger will take. */
function readCounts(option: string, text: string): number[] {
  const counts = text.split(',').map(Number)
  for (const count of counts) {
    if (!Number.isInteger(count) || count < 1 || count > 1_000_000) {
      throw new OptionError(`${option} takes whole numbers from 1 to 1000000, got "${text}"`)
    }
  }
  return counts.sort((a, b) => a - b)
}
