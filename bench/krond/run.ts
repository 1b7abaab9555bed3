import { parseArgs } from 'node:util'
import { thisMachine } from '../machine.ts'
import { writeResultsInto } from '../report/readme.ts'
import { cronResidentMb, measureAtRest } from './at-rest.ts'
import { betterOf, measureLimits } from './limits.ts'
import { renderKrond } from './report.ts'
import { measureStarts } from './starts.ts'

const help = `Measures krond: starts a second, lateness, memory, processor time at rest, start-up.

  npm run bench:krond                     some six minutes
  npm run bench:krond -- --write-readme   replaces the results in bench/krond/README.md
  npm run bench:krond -- --minutes 1      fewer rounds of starts
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    'write-readme': { type: 'boolean' },
    minutes: { type: 'string', default: '2' },
  },
})

if (values.help) process.stdout.write(help)
else {
  const say = (text: string): void => void process.stderr.write(`${text} ...\n`)
  const minutes = Number(values.minutes)
  say('limits of this machine')
  const before = await measureLimits()
  say(`1,000 starts at once, ${minutes} min`)
  const starts = await measureStarts(1000, 0, minutes)
  say(`1,000 starts at once beside 9,000 other jobs, ${minutes} min`)
  const startsAmongMany = await measureStarts(1000, 9000, minutes)
  say('at rest with 10,000 jobs, 1.5 min')
  const many = await measureAtRest(10_000, 30)
  say('at rest with one job, 1 min')
  const one = await measureAtRest(1, 10)
  say('limits of this machine, once more')
  const limits = betterOf(before, await measureLimits())
  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: thisMachine(),
    limits,
    starts: [starts, startsAmongMany],
    atRest: [one, many],
    cronResidentMb: await cronResidentMb(),
  }
  const text = renderKrond(results)
  process.stdout.write(text)
  if (values['write-readme']) writeResultsInto(new URL('README.md', import.meta.url), text)
}
