import { type Job, nextChosenPeriod } from '@kron/core'
import { pointerNames } from '../domain/index.js'
import { type Band, textNumber } from '../learner/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { type Calendar, calendarOf, intervalBand } from './planner-bounds.js'

/** What the learner has to know of an endpoint. It follows from the definition alone. */
export interface Pupil {
  readonly band: Band
  readonly calendar: Calendar | null
  /** What is called, as a number. */
  readonly resource: number
  /** The places in a body that count, as names. */
  readonly changeOf: readonly (readonly string[])[]
}

const known = new WeakMap<CompiledEndpoint, Pupil>()

/** Made when it is asked for: most that compile an endpoint learn nothing from it. */
export function pupilOf(compiled: CompiledEndpoint): Pupil {
  const made = known.get(compiled) ?? newPupil(compiled)
  known.set(compiled, made)
  return made
}

function newPupil(compiled: CompiledEndpoint): Pupil {
  const { url, method, body, adaptive } = compiled.endpoint.definition
  return {
    band: bandOf(compiled),
    calendar: calendarOf(compiled),
    resource: textNumber(JSON.stringify([url, method, body, adaptive.changeOf])),
    changeOf: adaptive.changeOf.map((text) => pointerNames(text) ?? []),
  }
}

/** Of a cron baseline times are left out, so that its own gap has no lower end. */
const cronMaxPart = 12

function bandOf({ endpoint, job }: CompiledEndpoint): Band {
  const { baseline, adaptive, minIntervalMs, maxIntervalMs } = endpoint.definition
  const { budget } = adaptive
  if (job === null) {
    return { ...intervalBand(endpoint.definition), baselineMs: baseline.intervalMs!, budget }
  }
  const baselineMs = meanGap(job, endpoint.createdAt)
  const minMs = minIntervalMs ?? 0
  const maxMs = maxIntervalMs ?? Math.max(minMs, cronMaxPart * baselineMs)
  return { baselineMs, minMs, maxMs, budget }
}

const countedGaps = 64
const defaultGapMs = 86_400_000

/** From a fixed instant on, so that it is the same whenever it is asked for. */
function meanGap(job: Job, from: number): number {
  const first = nextChosenPeriod(job, from)
  let last = first
  let gaps = 0
  for (; last !== null && gaps < countedGaps; gaps++) {
    const next = nextChosenPeriod(job, last.chosenTime)
    if (next === null) break
    last = next
  }
  if (first === null || last === null || gaps === 0) return defaultGapMs
  return (last.chosenTime - first.chosenTime) / gaps
}
