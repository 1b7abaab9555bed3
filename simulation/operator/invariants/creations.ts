import type { Creation } from '../chronicle.js'
import type { Observation } from '../cluster-world.js'
import { believable, type Stretch, staleMs, textOf } from './past.js'

/** How long a replacement without a deadline may take. */
const replacementMs = 60_000
/** All that is due together is judged by one instant, however long its start takes, up to this. */
const crowdMs = 60_000

const nameOf = ({ identity, nominal }: Creation): string => `${identity}@${textOf(nominal)}`

/** Each Job is of a period that was due, for a KronJob that wanted it. */
export function wrongCreations(
  { chronicle, scenario }: Observation,
  stretches: readonly Stretch[],
): string[] {
  return chronicle.creations.flatMap((creation) => {
    const { by, ownerUid } = creation
    if (by === null) return []
    const wanted = believable(stretches, ownerUid, by.at)
    const flaws = wanted.map(
      (stretch) =>
        flawOf(creation, stretch, stretchSteps(chronicle, by.at)) ??
        pastOf(creation, stretch, chronicle, scenario.skewMs),
    )
    if (flaws.includes(null)) return []
    return [`${nameOf(creation)} by ${by.process}: ${flaws.at(-1) ?? 'there is no such KronJob'}`]
  })
}

/** What was due before the KronJob had its timing is not started, unless it says so. */
function pastOf(
  { chosen, by }: Creation,
  { kronJob, timedSince }: Stretch,
  { disturbances }: Observation['chronicle'],
  skewMs: number,
): string | null {
  if (chosen === null || kronJob.spec.policy?.first === 'run') return null
  // When it was seen goes by a clock that may have been wrong then.
  const wasClockSet = disturbances.some(
    ({ what, from, to }) => what === 'step' && from <= by!.at && to >= timedSince,
  )
  if (wasClockSet || chosen >= timedSince - skewMs) return null
  return `was due ${timedSince - chosen} ms before it had its timing`
}

/** How far clocks were set lately: between the judgement and the request the clock may jump. */
function stretchSteps({ disturbances }: Observation['chronicle'], at: number): number {
  const isRecent = disturbances.some(
    ({ what, from, to }) => what === 'step' && from <= at && to >= at,
  )
  return isRecent ? 900_000 : 0
}

function flawOf(creation: Creation, { job, isSuspended }: Stretch, stepMs: number): string | null {
  const { nominal, chosen, by } = creation
  if (job === null) return 'the specification is invalid'
  if (isSuspended) return 'it is suspended'
  const decision = job.decide(nominal)
  if (job.nextPeriod(nominal - 1) !== nominal) return 'there is no such period'
  if (decision.chosenTime === null || decision.chosenTime !== chosen) return 'not the chosen time'
  const clock = by!.clock
  if (clock < chosen - stepMs) return `sent ${chosen - clock} ms early`
  const { deadline, concurrency } = job.policy
  const replacing = concurrency === 'replace' && deadline === 0 ? replacementMs : 0
  const latest = chosen + Math.max(deadline, replacing) + crowdMs + 999 + stepMs
  if (clock > latest) return `sent ${clock - chosen} ms late, deadline ${deadline}`
  const superseded = job.supersededAt(nominal)
  if (superseded !== null && clock > superseded + 999 + stepMs) {
    return 'sent in a later period'
  }
  return null
}

/** One Job for each period, ever. */
export function doubleCreations(observation: Observation): string[] {
  const { creations } = observation.chronicle
  const byPeriod = Map.groupBy(creations, ({ identity, nominal }) => `${identity} ${nominal}`)
  return [...byPeriod.values()].flatMap((same) =>
    same.slice(1).flatMap((second, index) => {
      const first = same[index]!
      if (isExcused(observation, first, second)) return []
      return [`${nameOf(second)} has a second Job, after that of ${textOf(first.at)}`]
    }),
  )
}

/**
 * Nobody can know of a run all traces of which were removed from outside: its Job by hand, and the
 * status erased, or not written since who created the Job died. And of a KronJob that was deleted
 * and applied again only times tell: one that a clock ran ahead of its time comes again.
 */
function isExcused({ chronicle }: Observation, first: Creation, second: Creation): boolean {
  if (first.ownerUid !== second.ownerUid) {
    if (judgesThePast(chronicle, second)) return true
    return first.chosen !== null && first.at < first.chosen + 1000
  }
  const removal = chronicle.removals.find(({ jobUid }) => jobUid === first.jobUid)
  const isByHand = removal !== undefined && removal.by === null
  return isByHand && !stoodInStatus(chronicle, first, second.by?.at ?? second.at)
}

/** Who wants the period judged that is current at its creation may have one that ran before it. */
const judgesThePast = ({ versions }: Observation['chronicle'], { ownerUid, at }: Creation) =>
  versions.some(
    (version) =>
      version.uid === ownerUid && version.at <= at && version.kronJob.spec.policy?.first === 'run',
  )

function stoodInStatus(
  { versions }: Observation['chronicle'],
  { ownerUid, nominal, at }: Creation,
  until: number,
): boolean {
  const after = versions.filter((version) => version.uid === ownerUid && version.at >= at)
  const written = after.filter((version) => version.at < until)
  const isThere = ({ kronJob }: (typeof written)[number]): boolean =>
    Date.parse(kronJob.status?.lastPeriodID ?? '') >= nominal
  // Erased after it was written: then it did not stand until the second one.
  const wasErased = written.some(
    (version, index) => index > 0 && isThere(written[index - 1]!) && !isThere(version),
  )
  return written.some(isThere) && !wasErased
}

/** What the status has long called handled is not executed. */
export function lateCreations({ chronicle }: Observation): string[] {
  return chronicle.creations.flatMap((creation) => {
    const { by, ownerUid, nominal } = creation
    if (by === null) return []
    const from = by.at - staleMs
    const own = chronicle.versions.filter(({ uid, at }) => uid === ownerUid && at <= by.at)
    const standing = own.filter(
      ({ at }, index) => (own[index + 1]?.at ?? by.at) >= from || at > from,
    )
    const isHandled = ({ kronJob }: (typeof own)[number]): boolean =>
      Date.parse(kronJob.status?.lastPeriodID ?? '') >= nominal
    if (standing.length === 0 || own[0]!.at > from || !standing.every(isHandled)) return []
    return [`${nameOf(creation)} was handled long before ${textOf(by.at)}`]
  })
}

const changes: ReadonlySet<string> = new Set(['create', 'patch', 'replace', 'delete'])

/** Who acts by a lease sends nothing that changes something while another one holds it. */
export function lawlessRequests({ chronicle }: Observation): string[] {
  return chronicle.requests
    .filter(({ verb, isLawless }) => changes.has(verb) && !isLawless)
    .filter(({ process, leader }) => leader !== '' && leader !== process)
    .map(
      ({ process, leader, verb, plural, at }) =>
        `${process} sent ${verb} ${plural} at ${textOf(at)} while ${leader} led`,
    )
}
