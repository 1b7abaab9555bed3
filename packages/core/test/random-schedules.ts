import { parseCron } from '../src/cron/index.js'
import type { JobDefinition } from '../src/definition/index.js'
import type { Random } from './random.js'
import { randomExtended, randomStandard } from './random-expressions.js'

const weekdays = 'MON TUE WED THU FRI SAT SUN'.split(' ')
const twoDigits = (number: number) => String(number).padStart(2, '0')
const usual = ['* * * * *', '*/5 * * * *', '0 * * * *', '30 1 * * *', '0 0 1 * *', '59 23 * * *']

/** A job with clauses, often with a window, in a zone; cron and clauses may have nothing in common. */
export function randomSchedule(random: Random, timezone: string): JobDefinition {
  const isExtended = random.chance(0.15)
  const schedule = isExtended ? randomExtended(random) : scheduleOf(random)
  return {
    identity: `job-${random.between(0, 999)}`,
    schedule,
    dialect: isExtended ? 'extended' : 'standard',
    timezone,
    window: windowOf(
      random,
      parseCron(schedule, isExtended ? 'extended' : 'standard').smallestGap(),
    ),
    distribution: distributionOf(random),
    seed: { strategy: random.pick(['stable', 'stable', 'daily', 'weekly']), salt: '' },
    constraints: { only: clauses(random, 0.7), avoid: clauses(random, 0.35) },
  }
}

const scheduleOf = (random: Random) =>
  random.chance(0.4) ? random.pick(usual) : randomStandard(random)

function windowOf(random: Random, gapSeconds: number): NonNullable<JobDefinition['window']> {
  const most = Math.min(gapSeconds, 40 * 86_400)
  const seconds = random.chance(0.4) ? 0 : random.between(1, random.chance(0.5) ? most : 60)
  const duration = Math.min(seconds, most) * 1000
  return { mode: random.pick(['after', 'around', 'before']), duration }
}

function distributionOf(random: Random): NonNullable<JobDefinition['distribution']> {
  const sample = random.chance(0.2) ? 'exact' : 'rejection'
  const name = random.pick(['uniform', 'uniform', 'skewEarly', 'skewLate', 'exponential'] as const)
  return { name, params: { sample } }
}

function clauses(random: Random, likely: number): string[] {
  if (!random.chance(likely)) return []
  const length = random.chance(0.6) ? 1 : random.between(2, 3)
  return Array.from({ length }, () => clause(random))
}

function clause(random: Random): string {
  switch (random.between(0, 5)) {
    case 0:
      return `hours=${range(random, 0, 23)}`
    case 1:
      return `dow=${random.pick(weekdays)}${random.chance(0.5) ? `,${random.pick(weekdays)}` : ''}`
    case 2:
      return `dom=${range(random, 1, 31)}`
    case 3:
      return `months=${range(random, 1, 12)}`
    case 4:
      return `between=${clock(random)}-${clock(random)}`
    default:
      return dates(random)
  }
}

function range(random: Random, min: number, max: number): string {
  const first = random.between(min, max)
  return random.chance(0.25) ? `${first}` : `${first}-${random.between(first, max)}`
}

const clock = (random: Random) =>
  `${twoDigits(random.between(0, 23))}:${twoDigits(random.pick([0, 0, 1, 29, 30, 59]))}`

function dates(random: Random): string {
  const year = random.between(2024, 2030)
  const day = (month: number) => `${year}-${twoDigits(month)}-${twoDigits(random.between(1, 28))}`
  const first = random.between(1, 12)
  if (random.chance(0.4)) return `date=${day(first)}`
  return `dates=${day(first)}..${year + random.between(0, 1)}-12-31`
}
