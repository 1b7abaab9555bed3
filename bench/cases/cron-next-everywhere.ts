import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Effort } from '../measure.ts'
import { kron, type Peer, peers } from '../peers/index.ts'
import type { ProcessZoneTask } from '../process-zone.ts'
import { type NextResults, runNext } from './cron-next.ts'
import { type ZoneName, zones } from './expressions.ts'

/**
 * All zones. Peers that know only the zone of their process take part here in UTC, which is this
 * process's zone, and elsewhere in a process of their own with Kron beside them.
 */
export function runNextEverywhere(effort: Effort, quick: boolean): NextResults {
  const results = zones.flatMap((zone) => {
    const here = runNext(peers.filter(canWorkHere(zone)), zone, effort, quick)
    return zone === 'UTC' ? [here] : [here, withoutKron(inOwnProcess({ zone, effort, quick }))]
  })
  return {
    timings: results.flatMap(({ timings }) => timings),
    answers: results.flatMap(({ answers }) => answers),
    failures: results.flatMap(({ failures }) => failures),
  }
}

const canWorkHere =
  (zone: ZoneName) =>
  ({ zoneSupport }: Peer): boolean =>
    zoneSupport === 'any' || (zoneSupport === 'process' && zone === 'UTC')

function inOwnProcess(task: ProcessZoneTask): NextResults {
  const script = fileURLToPath(new URL('../process-zone.ts', import.meta.url))
  const child = spawnSync(process.execPath, [script, JSON.stringify(task)], {
    env: { ...process.env, TZ: task.zone },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
    maxBuffer: 64 * 2 ** 20,
  })
  if (child.status === 0) return JSON.parse(child.stdout) as NextResults
  const reason = child.error?.message ?? `exit code ${child.status}`
  return { timings: [], answers: [], failures: [`own process: all in ${task.zone}: ${reason}`] }
}

/** Its timings were made in this process too; the other's have served as its peers' measure. */
const withoutKron = (results: NextResults): NextResults => ({
  ...results,
  timings: results.timings.filter(({ peer }) => peer !== kron.name),
})
