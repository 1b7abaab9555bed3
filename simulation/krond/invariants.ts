import { auditLog } from '../../packages/krond/src/audit/index.js'
import type { Trace } from './host-simulation.js'

/** The loop may sleep a minute after a change of the clock, and a retry may be a minute away. */
const slackMs = 61_000

/** Everything that is wrong with a world, in words; nothing when all is well. */
export function violationsOf(trace: Trace): string[] {
  return [
    ...doubles(trace),
    ...trace.unrecorded.map((identity) => `executed without being on disk: ${identity}`),
    ...auditLog(trace.lines).violations.map(
      ({ line, rule, message }) => `line ${line}: ${rule}: ${message}`,
    ),
    ...forgotten(trace),
  ]
}

/** From the outside: what really ran. */
function doubles({ executed }: Trace): string[] {
  const seen = new Set<string>()
  const found: string[] = []
  for (const { identity, nominal } of executed) {
    const period = `${identity} ${nominal}`
    if (seen.has(period)) found.push(`executed twice: ${period}`)
    seen.add(period)
  }
  return found
}

interface Promised {
  readonly identity: string
  readonly period_id: string
  readonly chosen_time: string | null
  readonly window_start: string
}

/** What was planned and undisturbed must have been triggered when its time had come. */
function forgotten({ lines, disturbances }: Trace): string[] {
  const found: string[] = []
  const open = new Map<string, Promised>()
  let next = 0
  const settle = (wallMs: number): void => {
    for (const [identity, { period_id, chosen_time, window_start }] of open) {
      if (Date.parse(chosen_time ?? window_start) + slackMs < wallMs) {
        found.push(`planned but never triggered: ${identity} ${period_id}`)
      }
    }
    open.clear()
  }
  for (const [index, line] of lines.entries()) {
    while (next < disturbances.length && disturbances[next]!.line <= index) {
      settle(disturbances[next++]!.wallMs)
    }
    if (!line.includes('"event":"decision"') && !line.includes('"event":"trigger"')) continue
    const event = JSON.parse(line) as Promised & { event: string }
    if (event.event === 'decision') open.set(event.identity, event)
    else if (event.event === 'trigger') open.delete(event.identity)
  }
  for (const { wallMs } of disturbances.slice(next)) settle(wallMs)
  return found
}
