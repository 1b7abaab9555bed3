import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  formats,
  OptionError,
  parseOptions,
  readNumber,
  readUsual,
  type UsualOptions,
} from '../option-reader.ts'

export interface Options extends UsualOptions {
  readonly seeds: number
  /** A file of worlds, or null for our own. */
  readonly worlds: string | null
}

const defaultSeeds = 60
const quickSeeds = 6

export const helpText = `Policies that choose when to look, in simulated worlds: delay, calls, outages.

Usage: node bench/planner/run.ts [options]

  --seeds <n>         how often each world is made, 1 to 1000 (default: ${defaultSeeds}, quick ${quickSeeds})
  --worlds <file>     a module with worlds of your own as its default export (see README.md)
  --quick             ${quickSeeds} seeds: a look, not a result
  --format <format>   ${formats.join(', ')} (default: text)
  --write-readme      replace the results in bench/planner/README.md, and the picture beside it
  -h, --help          this text

Examples:
  npm run bench:planner
  npm run bench:planner -- --quick
  npm run bench:planner -- --worlds my-worlds.ts --seeds 20 --format json
`

export function readOptions(args: readonly string[]): Options {
  const values = parseOptions(args, ['seeds', 'worlds'])
  const usual = readUsual(values, ['quick', 'seeds', 'worlds'])
  const fewest = usual.quick ? quickSeeds : defaultSeeds
  const worlds = values.worlds === undefined ? null : resolve(values.worlds)
  if (worlds !== null && !existsSync(worlds)) {
    throw new OptionError(`--worlds takes a file, and there is none at ${worlds}`)
  }
  return {
    ...usual,
    seeds: values.seeds === undefined ? fewest : readNumber('--seeds', values.seeds, 1000),
    worlds,
  }
}
