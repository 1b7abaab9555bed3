import { VirtualClock } from '@kron/runtime/testing'
import { applyDefaults } from '../../packages/operator/src/kronjob/index.js'
import { jobs, type KubeObject, kronJobs } from '../../packages/operator/src/kube/index.js'
import {
  type JobFate,
  type JobRun,
  JobWorld,
  MemoryKubeApi,
} from '../../packages/operator/testing/kube-api/index.js'
import { Random } from '../random.js'
import { Chronicle } from './chronicle.js'
import { Operators } from './operators.js'
import { People } from './people.js'
import { none, type Sabotage } from './sabotage.js'
import type { Scenario } from './scenario.js'
import { Weather } from './weather.js'

export interface Observation {
  readonly scenario: Scenario
  readonly chronicle: Chronicle
  readonly runs: readonly JobRun[]
  readonly deaths: number
  readonly startedAt: number
  /** From then on nothing new was due, and nothing failed. */
  readonly calmAt: number
  readonly endedAt: number
  readonly kronJobs: readonly KubeObject[]
  readonly jobs: readonly KubeObject[]
}

const stepMs = 5000
/** Longer than a clock that was set ahead, the longest deadline after it, and what is kept for both. */
const settlingMs = 38 * 60_000

/** Lets a cluster live through its scenario, then brings everything to rest. */
export async function observe(scenario: Scenario, sabotage: Sabotage = none): Promise<Observation> {
  const random = new Random(scenario.seed ^ 0x5eed)
  const startedAt = Date.UTC(2026, 2, 1, 10) + random.between(0, 599_999)
  const clock = new VirtualClock(startedAt, { quietTurns: 0 })
  const { watchDelayMs, terminationMs, trouble } = scenario
  const api = new MemoryKubeApi({
    clock,
    garbageDelayMs: 200,
    watchDelayMs,
    historyLimit: 2000,
    defaults: (_, object) =>
      object.kind === kronJobs.kind ? (applyDefaults(object) as KubeObject) : object,
  })
  const chronicle = new Chronicle(api, () => clock.now().getTime())
  const fates = random.fork()
  const work = new JobWorld({ api, clock, terminationMs, fateOf: () => someFate(fates) })
  const weather = new Weather(api, clock, random.fork(), chronicle, trouble.faults)
  const people = new People(api, clock, random.fork(), chronicle)
  const { faults } = weather
  const parts = { scenario, api, clock, random: random.fork(), chronicle, faults, sabotage }
  const operators = new Operators(parts)
  for (const [index, spec] of scenario.specs.entries()) people.apply(`job-${index}`, spec)

  const happens = (rate: number): boolean => random.chance((rate * stepMs) / 60_000)
  for (let passedMs = 0; passedMs < scenario.minutes * 60_000; passedMs += stepMs) {
    await clock.advanceBy(stepMs - random.between(0, 999))
    if (happens(trouble.deaths)) operators.kill()
    if (happens(trouble.freezes)) operators.freeze()
    if (happens(trouble.clockSteps)) operators.stepClock()
    if (happens(trouble.watchTroubles)) weather.watchTrouble()
    if (happens(trouble.storms)) weather.storm()
    if (happens(trouble.edits)) people.edit()
    if (happens(trouble.erasures)) people.erase()
  }
  const calmAt = clock.now().getTime()
  weather.calmDown()
  operators.calmDown()
  people.leave()
  for (const { job } of work.running) work.complete(job)
  await clock.advanceBy(settlingMs)
  const observation: Observation = {
    scenario,
    chronicle,
    runs: work.runs,
    deaths: operators.deaths,
    startedAt,
    calmAt,
    endedAt: clock.now().getTime(),
    kronJobs: api.objects.all(kronJobs),
    jobs: api.objects.all(jobs),
  }
  operators.end()
  return observation
}

/** Most end soon, some take longer than a period, some never end. */
function someFate(random: Random): JobFate | null {
  if (random.chance(0.05)) return null
  const outcome = random.chance(0.7) ? 'complete' : 'fail'
  return { outcome, afterMs: random.pick([500, 5000, 40_000, 150_000, 400_000]) }
}
