import { badArgument, type ExitCode, exitCodes } from '@kron/command'
import { grouped, ProgressLine } from '@kron/runtime'
import type { Invocation } from '../command/invocation.js'
import type { AuditReport } from './audit-report.js'
import { auditText } from './audit-text.js'
import { LogAudit } from './log-audit.js'
import {
  beginningOf,
  logLines,
  type OpenLog,
  openLog,
  readLog,
  standardInput,
} from './log-files.js'

/** `krond audit <log...>`: several logs are one, read in the order in which they were written. */
export async function auditCommand(
  invocation: Invocation,
  paths: readonly string[],
  open: OpenLog = openLog,
): Promise<ExitCode> {
  if (paths.length === 0) throw badArgument('log', 'which log? krond audit needs at least one')
  if (paths.filter((path) => path === standardInput).length > 1) {
    throw badArgument('log', 'standard input can be read once')
  }
  const logs = paths.map((path) => sourceOf(invocation, path))
  const report = await audit(invocation, await inOrder(logs, open), open)
  if (invocation.format === 'json') invocation.printJson(report)
  else invocation.printLines(auditText(report, invocation.style))
  return report.violation_count > 0 ? exitCodes.unavailable : exitCodes.success
}

interface LogSource {
  readonly path: string
  /** As people see it. */
  readonly name: string
}

function sourceOf(invocation: Invocation, path: string): LogSource {
  if (path === standardInput) return { path, name: 'stdin' }
  const absolute = invocation.absolute(path)
  return { path: absolute, name: invocation.shown(absolute) }
}

/** Rotated logs come from a shell as `krond.log krond.log.1`, which is the wrong way round. */
async function inOrder(logs: readonly LogSource[], open: OpenLog): Promise<readonly LogSource[]> {
  if (logs.length < 2 || logs.some(({ path }) => path === standardInput)) return logs
  const dated: { log: LogSource; beginning: number }[] = []
  for (const log of logs) {
    dated.push({ log, beginning: await beginningOf(open, log.path, log.name) })
  }
  if (dated.some(({ beginning }) => Number.isNaN(beginning))) return logs
  return dated.toSorted((a, b) => a.beginning - b.beginning).map(({ log }) => log)
}

/** Lines after which a log of which none is JSON is known to be another one. */
const maxWithoutJson = 1000

/** What the daemon writes by default is for people; nothing can be proved from that. */
function notJson(name: string): Error {
  const option = 'start the daemon with `krond start --format json` to get one'
  return badArgument('log', `${name} is not a JSON log of krond; ${option}`)
}

async function audit(
  { host }: Invocation,
  logs: readonly LogSource[],
  open: OpenLog,
): Promise<AuditReport> {
  const log = new LogAudit()
  const now = (): number => host.clock.now().getTime()
  const read = (lines: number): string => `auditing: ${grouped(lines)} lines`
  const progress = new ProgressLine(host.stderr, now, read)
  const lines = logLines()
  try {
    for (const { path, name } of logs) {
      log.enter(name)
      await readLog(open, path, name, (piece) => {
        for (const line of lines.split(piece)) log.read(line)
        progress.update(log.lines)
        return log.isNoJson(maxWithoutJson) ? 'enough' : undefined
      })
      log.readUnfinished(lines.end())
      if (log.isNoJson(0)) throw notJson(name)
    }
  } finally {
    progress.end()
  }
  return log.end()
}
