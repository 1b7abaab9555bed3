import { describe, expect, it } from 'vitest'
import { type NaiveZone, naiveZone, naiveZoneNamesWithoutAliases } from '../../test/naive-zone.js'
import { Random } from '../../test/random.js'
import { randomSchedule } from '../../test/random-schedules.js'
import { formatInstant } from '../calendar/instant.js'
import type { JobDefinition } from '../definition/index.js'
import { KronError } from '../errors/index.js'
import { decide } from './decision.js'
import { compileJob, type Job } from './job.js'

const batches = 10
const casesPerBatch = process.env['KRON_LONG'] === '1' ? 100_000 : 10_000
const maxShown = 3

const shown = (instant: number | null) => (instant === null ? 'null' : formatInstant(instant))

/** Half of all instants lie around a change of the clock. */
function randomInstant(random: Random, at: NaiveZone): number {
  const from = Date.UTC(2020, 0, 1)
  const to = Date.UTC(2032, 0, 1)
  const changes = at.changes.filter((second) => second * 1000 > from && second * 1000 < to)
  if (changes.length === 0 || random.chance(0.5)) return random.between(from, to)
  return random.pick(changes) * 1000 + random.between(-30, 30) * 3_600_000
}

/** Period by period, `most` of them: the first that can run, or the last that was tried. */
function walk(job: Job, after: number, most: number): { found: number | null; until: number } {
  let until = after
  for (let tried = 0; tried < most; tried++) {
    const nominal = job.nextPeriod(until)
    if (nominal === null) return { found: null, until: Number.POSITIVE_INFINITY }
    if (job.decide(nominal).chosenTime !== null) return { found: nominal, until: nominal }
    until = nominal
  }
  return { found: null, until }
}

/** What is wrong with the answer, if anything; far answers are looked at from both ends. */
function problem(job: Job, after: number, random: Random): string | null {
  const answer = job.nextSchedulable(after)
  const { found, until } = walk(job, after, random.chance(0.01) ? 2000 : 30)
  if (found !== null) return answer === found ? null : `expected ${shown(found)}`
  if (answer === null) return null
  if (answer <= until) return `periods up to ${shown(until)} can't run`
  let before = answer
  for (let back = 0; back < 10 && before > until; back++) {
    before = job.cron.previous(before - 1, job.zone) ?? until
  }
  const near = walk(job, Math.max(before, until), 12).found
  return near === answer ? null : `${shown(near)} comes before it`
}

/** A refused definition must not have had any period that could run. */
function wronglyRefused(definition: JobDefinition, after: number): string | null {
  const { constraints, ...rest } = definition
  const free = compileJob(rest)
  const dated = [...(constraints?.only ?? [])].find((clause) => clause.startsWith('date'))
  const day = dated === undefined ? null : Date.parse(/\d{4}-\d\d-\d\d/.exec(dated)![0])
  let nominal = free.nextPeriod(day === null ? after : day - 86_400_000)
  for (let tried = 0; nominal !== null && tried < 30; tried++) {
    if (decideOnce(definition, nominal) !== null) return `refused, but ${shown(nominal)} runs`
    nominal = free.nextPeriod(nominal)
  }
  return null
}

function decideOnce(definition: JobDefinition, nominalTime: number): number | null {
  const { schedule: _, dialect: __, policy: ___, ...request } = definition
  return decide({ ...request, nominalTime }).chosenTime
}

describe('the next period that can run', () => {
  const zones = naiveZoneNamesWithoutAliases().map(naiveZone)

  it.each(Array.from({ length: batches }, (_, index) => index + 1))(
    `agrees with trying every period, in batch %i of ${batches} x ${casesPerBatch}`,
    (seed) => {
      const random = new Random(seed)
      const problems: string[] = []
      for (let count = 0; count < casesPerBatch && problems.length < maxShown; count++) {
        const at = random.pick(zones)
        const definition = randomSchedule(random, at.name)
        const after = randomInstant(random, at)
        const found = check(definition, after, random)
        if (found === null) continue
        problems.push(`${JSON.stringify(definition)} after ${shown(after)}: ${found}`)
      }
      expect(problems).toEqual([])
    },
  )
})

function check(definition: JobDefinition, after: number, random: Random): string | null {
  let job: Job
  try {
    job = compileJob(definition)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    if (error.code === 'KRON_CRON_NEVER') return null
    if (error.code === 'KRON_SCHEDULE_NEVER') return wronglyRefused(definition, after)
    throw error
  }
  return problem(job, after, random)
}
