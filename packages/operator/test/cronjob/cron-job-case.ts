import { readFileSync } from 'node:fs'
import { formatInstant } from '@kron/core'
import { goDuration, goTime } from './go-time.js'

/** A situation of Kubernetes' own tests, as it stands in the vectors. */
export interface CronJobCase {
  readonly name: string
  readonly concurrencyPolicy?: string
  readonly suspend?: boolean
  readonly schedule: string
  readonly timeZone?: string
  readonly deadline?: string
  readonly successfulJobsHistoryLimit?: string
  readonly ranPreviously?: boolean
  readonly stillActive?: boolean
  readonly cronjobCreationTime?: string
  readonly jobCreationTime?: string
  readonly lastScheduleTime?: string
  readonly now?: string
  readonly jobCreateError?: string
  readonly jobGetErr?: string
  readonly jobStillNotFoundInLister?: boolean
  readonly jobPresentInCJActiveStatus?: boolean
  readonly expectCreate?: boolean
  readonly expectDelete?: boolean
  readonly expectActive?: number
  readonly expectCompleted?: boolean
  readonly expectedWarnings?: number
  readonly expectRequeueAfter?: boolean
  readonly expectedRequeueDuration?: string
}

/** What is to be seen a few seconds after a controller has looked at a situation. */
export interface Outcome {
  readonly created: number
  /** Active Jobs that were deleted. */
  readonly deleted: number
  readonly active: number
  /** A time of success is in the status. */
  readonly succeeded: boolean
  /** Events of type Warning. */
  readonly warnings: number
  /** When the next run is due, as the controller sees it. */
  readonly next: string | null
}

interface Vectors {
  readonly constants: Readonly<Record<string, string>>
  readonly cases: readonly CronJobCase[]
}

const file = new URL('../vectors/k8s-cronjob-cases.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

export const cases = vectors.cases

/** `"TZ=UTC " + onTheHour`, `&newYork`: what Go would make of it. */
export function constant(expression: string): string {
  const [, literal = '', name = ''] = /^&?(?:"([^"]*)" \+ )?(\w+)$/.exec(expression) ?? []
  const value = vectors.constants[name]
  if (value === undefined) throw new Error(`not a constant of the vectors: ${expression}`)
  return literal + value
}

/** Undefined where the CronJob has none. */
export function deadlineSeconds({ deadline }: CronJobCase): number | undefined {
  if (deadline === undefined || deadline === 'noDead') return undefined
  return constant(deadline)
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1)
}

/** Where a situation says no time, nothing is due in it. */
export const nowOf = ({ now }: CronJobCase): number => goTime(now ?? 'justBeforeTheHour()')

export function cronJobOutcome(situation: CronJobCase): Outcome {
  const { expectCreate = false, expectActive = expectCreate ? 1 : 0 } = situation
  return {
    created: expectCreate ? 1 : 0,
    deleted: situation.expectDelete === true ? 1 : 0,
    active: expectActive,
    succeeded: situation.expectCompleted === true,
    warnings: situation.expectedWarnings ?? 0,
    next: wakeOf(situation),
  }
}

/** It sleeps until the next run is due and a little longer; null where only an event wakes it. */
function wakeOf(situation: CronJobCase): string | null {
  const { now, expectedRequeueDuration } = situation
  if (now === undefined) return formatInstant(goTime('topOfTheHour()'))
  if (expectedRequeueDuration === undefined) return null
  const sleepMs = goDuration(expectedRequeueDuration) - goDuration('nextScheduleDelta')
  return formatInstant(nowOf(situation) + sleepMs)
}
