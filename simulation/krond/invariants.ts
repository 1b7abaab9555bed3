import { auditLog } from '../../packages/krond/src/audit/log-audit.js'
import type { Trace } from './host-simulation.js'
import { leftOpen } from './outcomes.js'

/** Everything that is wrong with a world, in words; nothing when all is well. */
export function violationsOf(trace: Trace): string[] {
  return [
    ...doubles(trace),
    ...trace.unrecorded.map((identity) => `executed without being on disk: ${identity}`),
    ...auditLog(trace.lines).violations.map(
      ({ line, rule, message }) => `line ${line}: ${rule}: ${message}`,
    ),
    ...trace.unanswered.map((period) => `executed for a time before its first sight: ${period}`),
    ...leftOpen(trace),
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
