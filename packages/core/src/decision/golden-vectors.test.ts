import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatInstant, parseInstant } from '../calendar/instant.js'
import type { WindowMode } from '../definition/index.js'
import { decide } from './decision.js'

/** Decisions of the first engine of this contract; ours have to be the same to the byte. */
interface Vector {
  readonly name: string
  readonly input: {
    readonly identity: string
    readonly periodStart: string
    readonly timezone?: string
    readonly window: string
    readonly mode: WindowMode
    readonly distribution: 'uniform' | 'skewEarly' | 'skewLate'
    readonly skewShape?: number
    readonly seedStrategy: 'stable' | 'daily' | 'weekly'
    readonly salt: string
    readonly onlyHours?: number[]
    readonly onlyDow?: number[]
    readonly avoidBetween?: { startMinute: number; endMinute: number }[]
  }
  readonly expected: {
    readonly periodId: string
    readonly periodKey: string
    readonly windowStart: string
    readonly windowEnd: string
    readonly seedHash: string
    readonly chosenTime: string
    readonly attempts: number
    readonly unschedulable?: boolean
    readonly reason?: string
  }
}

const folder = new URL('../../test/vectors/', import.meta.url)

describe.each(readdirSync(folder).sort())('golden vectors of %s', (file) => {
  const { cases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { cases: Vector[] }

  it.each(cases.map((vector) => [vector.name, vector] as const))('decides %s', (_, vector) => {
    const decision = decide(requestOf(vector))
    const { unschedulable = false, reason, ...expected } = vector.expected
    expect({
      periodId: decision.periodId,
      periodKey: decision.periodKey,
      windowStart: formatInstant(decision.windowStart),
      windowEnd: formatInstant(decision.windowEnd),
      seedHash: decision.seedHash,
      chosenTime: decision.chosenTime === null ? '' : formatInstant(decision.chosenTime),
      attempts: decision.attempts,
    }).toEqual(expected)
    expect(decision.unschedulable).toBe(unschedulable)
    expect(decision.reason).toBe(reason)
  })
})

function requestOf({ input }: Vector) {
  const shape = input.skewShape === undefined ? {} : { shape: input.skewShape }
  return {
    identity: input.identity,
    nominalTime: parseInstant(input.periodStart),
    timezone: input.timezone,
    window: { mode: input.mode, duration: input.window },
    distribution: { name: input.distribution, params: shape },
    seed: { strategy: input.seedStrategy, salt: input.salt },
    constraints: {
      only: [
        ...(input.onlyHours ?? []).map((hour) => `hours=${hour}`),
        ...(input.onlyDow ?? []).map((weekday) => `dow=${weekday}`),
      ],
      avoid: (input.avoidBetween ?? []).map(
        ({ startMinute, endMinute }) => `between=${clock(startMinute)}-${clock(endMinute)}`,
      ),
    },
  }
}

function clock(minuteOfDay: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
}
