import type { Creation } from '../chronicle.js'
import type { Observation } from '../cluster-world.js'
import { believable, type Stretch, staleMs, textOf } from './past.js'

/** A request that takes effect later than that has been under way when others acted. */
const promptMs = 100

/** Where it is forbidden or replaced, no Job begins beside one that its operator knew of. */
export function overlaps(observation: Observation, stretches: readonly Stretch[]): string[] {
  const { chronicle, scenario } = observation
  // Of two that act at once each may be about to start one.
  if (scenario.lawless > 0) return []
  const byUid = new Map(chronicle.creations.map((creation) => [creation.jobUid, creation]))
  return chronicle.creations.flatMap((second) => {
    const { by, at, identity, nominal } = second
    if (by === null || at - by.at > promptMs) return []
    const wanted = believable(stretches, second.ownerUid, by.at)
    if (wanted.some(({ job }) => job?.policy.concurrency === 'allow')) return []
    const known = second.beside.filter(({ jobUid, since }) =>
      isKnown(observation, second, byUid.get(jobUid), since),
    )
    if (known.length === 0) return []
    return [`${identity}@${textOf(nominal)} began beside a Job of ${textOf(known[0]!.since)}`]
  })
}

function isKnown(
  { chronicle }: Observation,
  { by }: Creation,
  first: Creation | undefined,
  since: number,
): boolean {
  const { process, at } = by!
  // Its own, the answer of which it has seen.
  if (
    first?.by?.process === process &&
    first.at < first.by.at + promptMs &&
    first.at < at - 60_000
  ) {
    return true
  }
  const lists = chronicle.jobLists.get(process) ?? []
  return since < at - staleMs || lists.some((listedAt) => listedAt > since + 1000 && listedAt < at)
}

/** What runs is over before its replacement begins, unless somebody else deleted its Job. */
export function runsBeside(
  { chronicle, runs, scenario }: Observation,
  stretches: readonly Stretch[],
) {
  if (scenario.lawless > 0) return []
  const byUid = new Map(chronicle.creations.map((creation) => [creation.jobUid, creation]))
  const replaced = chronicle.removals.filter(({ by, wasActive }) => by !== null && wasActive)
  return replaced.flatMap(({ jobUid, at }) => {
    const run = runs.find(({ uid }) => uid === jobUid)
    const first = byUid.get(jobUid)
    if (run?.endedAt == null || first === undefined) return []
    const wanted = believable(stretches, first.ownerUid, at)
    if (wanted.length > 0 && wanted.every(({ job }) => job?.policy.concurrency !== 'replace')) {
      return [`${first.identity}@${textOf(first.nominal)} was deleted while it was active`]
    }
    const endedAt = run.endedAt.getTime()
    const next = chronicle.creations.find(
      (creation) =>
        creation.ownerUid === first.ownerUid && creation.at > at && creation.at < endedAt,
    )
    // Somebody may have deleted it once more, in the background.
    const wasMeddledWith = chronicle.disturbances.some(
      (each) => each.identity === first.identity && each.from >= at && each.from <= endedAt,
    )
    const mayOverlap =
      wasMeddledWith || wanted.some(({ job }) => job?.policy.concurrency === 'allow')
    if (next === undefined || mayOverlap) return []
    return [`${next.identity}@${textOf(next.nominal)} began before the replaced one had ended`]
  })
}
