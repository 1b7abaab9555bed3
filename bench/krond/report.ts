import type { Machine } from '../machine.ts'
import type { AtRest } from './at-rest.ts'
import type { Limits } from './limits.ts'
import type { Starts } from './starts.ts'

export interface KrondResults {
  readonly date: string
  readonly machine: Machine
  readonly limits: Limits
  readonly starts: readonly Starts[]
  readonly atRest: readonly AtRest[]
  readonly cronResidentMb: number | string
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const ratio = (value: number): string => `${value.toFixed(2)}x`

export function renderKrond(results: KrondResults): string {
  const { date, machine, limits, starts, atRest, cronResidentMb } = results
  const posix = limits.posixSpawnPerSecond
  const startRows = starts.map(({ jobs, idleJobs, p50Ms, p99Ms, lastMs, perSecond }) => [
    `${whole(jobs)} jobs due in one second${idleJobs > 0 ? `, of ${whole(jobs + idleJobs)}` : ''}`,
    whole(perSecond),
    ratio(perSecond / limits.nodeSpawnPerSecond),
    posix === null ? '-' : ratio(perSecond / posix),
    `${whole(p50Ms)} ms`,
    `${whole(p99Ms)} ms`,
    `${whole(lastMs)} ms`,
  ])
  const restRows = atRest.map((rest) => [
    whole(rest.jobs),
    `${whole(rest.firstReadyMs)} ms`,
    `${whole(rest.readyMs)} ms`,
    `${whole(rest.residentMb)} MB`,
    `${rest.processorPercent.toFixed(2)} %`,
  ])
  return [
    `${date}, ${machine.processor}, ${machine.cores} cores, Node ${machine.node}`,
    '',
    'Starts, each with a gate, a durable record before it and one after it:',
    '',
    table(
      ['', 'a second', "beside Node's spawn", 'beside posix_spawn', 'p50', 'p99', 'last'],
      startRows,
    ),
    '',
    'The limits beside them, each alone in a process that does nothing else:',
    '',
    table(
      ['', 'a second'],
      [
        ["Node's own spawn of /bin/true", whole(limits.nodeSpawnPerSecond)],
        ['posix_spawn of /bin/true', posix === null ? 'not available' : whole(posix)],
        ['durable file writes, one by one', whole(limits.durableWritesPerSecond)],
        ['durable file writes, 64 in flight', whole(limits.durableWritesAtOncePerSecond)],
      ],
    ),
    '',
    'At rest:',
    '',
    table(['jobs', 'first start', 'start with state', 'resident', 'processor'], restRows),
    '',
    typeof cronResidentMb === 'number'
      ? `Debian's cron: ${cronResidentMb.toFixed(1)} MB resident.`
      : `Debian's cron: ${cronResidentMb}.`,
    '',
  ].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
