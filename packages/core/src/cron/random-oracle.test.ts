import { describe, expect, it } from 'vitest'
import { naiveCron } from '../../test/naive-cron.js'
import { naiveNext, naivePrevious } from '../../test/naive-walk.js'
import { type NaiveZone, naiveZone, naiveZoneNames } from '../../test/naive-zone.js'
import { Random } from '../../test/random.js'
import { randomStandard } from '../../test/random-expressions.js'
import { formatInstant } from '../calendar/instant.js'
import { zone } from '../zone/index.js'
import { parseCron } from './parse.js'

const isLong = process.env['KRON_LONG'] === '1'
const batches = 10
const casesPerBatch = isLong ? 100_000 : 2500
const maxShown = 5

const from1970 = 0
const to2037 = Date.UTC(2038, 0, 1)

/** Half of all instants lie within a few hours of a change of the clock, some right on it. */
function randomInstant(random: Random, at: NaiveZone): number {
  const changes = at.changes.filter((second) => second >= from1970 && second * 1000 < to2037)
  if (changes.length === 0 || random.chance(0.4)) return random.between(from1970, to2037)
  const change = random.pick(changes) * 1000
  const kind = random.between(0, 3)
  if (kind === 0) return change + random.between(-1, 1)
  if (kind === 1) return change + random.between(-4, 4) * 900_000
  return change + random.between(-26, 26) * 3_600_000 + random.between(0, 3_599_999)
}

const shown = (instant: number | null): string =>
  instant === null ? 'null' : `${formatInstant(instant)} (${instant})`

function problems(expression: string, at: NaiveZone, instant: number): string[] {
  const cron = parseCron(expression)
  const naive = naiveCron(expression)
  const kronZone = zone(at.name)
  const next = cron.next(instant, kronZone)
  const previous = cron.previous(instant, kronZone)
  const found: string[] = []
  const check = (what: string, expected: unknown, got: unknown) => {
    if (expected === got) return
    const instants = `expected ${expected}, got ${got}`
    found.push(`${what} of "${expression}" in ${at.name} at ${shown(instant)}: ${instants}`)
  }
  check('next', shown(naiveNext(naive, at, instant)), shown(next))
  check('previous', shown(naivePrevious(naive, at, instant)), shown(previous))
  check('possible', cron.possible, next !== null)
  if (previous !== null) check('previous <= instant', true, previous <= instant)
  if (next === null) return found
  check('next > instant', true, next > instant)
  check('previous(next)', shown(next), shown(cron.previous(next, kronZone)))
  check('previous(next - 1)', shown(previous), shown(cron.previous(next - 1, kronZone)))
  check('matches(next)', true, cron.matches(next, kronZone))
  return found
}

describe('a random expression, zone and instant', () => {
  const zones = naiveZoneNames().map(naiveZone)

  it.each(Array.from({ length: batches }, (_, index) => index + 1))(
    `agrees with trying every minute, in batch %i of ${batches} x ${casesPerBatch}`,
    (seed) => {
      const random = new Random(seed)
      const found: string[] = []
      for (let count = 0; count < casesPerBatch && found.length < maxShown; count++) {
        const at = random.pick(zones)
        found.push(...problems(randomStandard(random), at, randomInstant(random, at)))
      }
      expect(found).toEqual([])
    },
  )
})
