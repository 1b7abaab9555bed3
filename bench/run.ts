import { runNextEverywhere } from './cases/cron-next-everywhere.ts'
import { runParse } from './cases/cron-parse.ts'
import { runDecide } from './cases/decide.ts'
import { runHeap } from './cases/heap.ts'
import { runSchedulable } from './cases/schedulable.ts'
import { command } from './command.ts'
import { thisMachine } from './machine.ts'
import { noise } from './noise.ts'
import { helpText, type Options, type Part, readOptions } from './options.ts'
import { peers } from './peers/index.ts'
import { render } from './report/document.ts'
import type { Results } from './results.ts'

// Peers without time zones work in that of the process: here it is UTC, wherever this runs.
process.env['TZ'] = 'UTC'

function run({ only, quick, rounds: askedRounds }: Options): Results {
  const rounds = askedRounds ?? (quick ? 2 : 5)
  const announced = (part: Part): boolean => {
    if (only.includes(part)) process.stderr.write(`${part} ...\n`)
    return only.includes(part)
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    quick,
    rounds,
    machine: thisMachine(),
    ...(announced('next') && {
      next: runNextEverywhere({ rounds, sliceMs: quick ? 2 : 12 }, quick),
    }),
    ...(announced('parse') && {
      parse: runParse(peers, { rounds, sliceMs: quick ? 1 : 8 }, quick),
    }),
    ...(announced('decide') && {
      decide: runDecide({ rounds: rounds * 4, sliceMs: quick ? 5 : 25 }),
    }),
    ...(announced('schedulable') && {
      schedulable: runSchedulable({ rounds, sliceMs: quick ? 2 : 12 }),
    }),
    ...(announced('heap') && {
      heap: runHeap(quick ? 100_000 : 1_000_000, askedRounds ?? (quick ? 2 : 3)),
    }),
    // Last, when every part has left its samples of the reference loop.
    noise: noise(),
  }
}

await command({
  helpText,
  readOptions,
  run,
  render,
  readme: new URL('README.md', import.meta.url),
})
