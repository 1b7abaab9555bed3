import { readdirSync, readFileSync } from 'node:fs'
import { SystemError } from '@kron/core'
import type { ProcessIdentity } from '../state/index.js'
import { codeOf } from './failure.js'
import type { EndSignal } from './processes.js'

const bootIdPath = '/proc/sys/kernel/random/boot_id'
const groupField = 5
const startTicksField = 22

interface ProcessStatus {
  readonly state: string
  readonly group: number
  readonly startTicks: number
}

/** The process that has this number now; null when there is none. */
export function processIdentity(pid: number): ProcessIdentity | null {
  const status = statusOf(pid)
  return status === null ? null : { pid, startTicks: status.startTicks, bootId: bootId() }
}

/** Whether that very process still exists; a zombie does not. */
export function isProcessAlive(process: ProcessIdentity): boolean {
  if (process.bootId !== null && process.bootId !== bootId()) return false
  const status = statusOf(process.pid)
  if (status === null || isOver(status)) return false
  return process.startTicks === null || process.startTicks === status.startTicks
}

/** Whether any process of the group still exists, by a look at every process of the machine. */
export function isGroupAlive(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    // Names that are no number have no status.
    const status = statusOf(Number(name))
    return status !== null && status.group === group && !isOver(status)
  })
}

/** Signals the group that the process leads, if it is still that process. False: it is gone. */
export function signalGroup(identity: ProcessIdentity, signal: EndSignal): boolean {
  // kill(-1) and kill(0) would reach far more than a group that a job leads.
  if (identity.pid <= 1 || !isProcessAlive(identity)) return false
  try {
    return process.kill(-identity.pid, signal)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ESRCH') return false
    const message = `${signal} can't be sent to process group ${identity.pid}: ${code}`
    const details = { field: 'pid', value: identity.pid, errno: code }
    throw new SystemError('KRON_SYSTEM', message, details, { cause })
  }
}

/** Reads a line of `/proc/<pid>/stat`; the name in parentheses may have any character. */
export function parseProcessStatus(line: string): ProcessStatus | null {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  // The first after the name is field 3, its state.
  const state = fields[0]
  const [group, startTicks] = [groupField, startTicksField].map((field) =>
    Number(fields[field - 3]),
  )
  if (state === undefined || !Number.isSafeInteger(startTicks)) return null
  return { state, group: group!, startTicks: startTicks! }
}

const isOver = ({ state }: ProcessStatus): boolean => /^[ZXx]/.test(state)

function statusOf(pid: number): ProcessStatus | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  try {
    return parseProcessStatus(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (cause) {
    // ESRCH: it ended between open and read.
    if (['ENOENT', 'ESRCH'].includes(codeOf(cause))) return null
    throw unreadable(`/proc/${pid}/stat`, cause)
  }
}

let knownBootId: string | undefined

function bootId(): string {
  try {
    knownBootId ??= readFileSync(bootIdPath, 'latin1').trim()
    return knownBootId
  } catch (cause) {
    throw unreadable(bootIdPath, cause)
  }
}

function unreadable(path: string, cause: unknown): SystemError {
  const errno = codeOf(cause)
  const message = `can't tell which processes still run: ${path} is unreadable: ${errno}`
  const details = { field: 'process', value: path, errno }
  return new SystemError('KRON_SYSTEM', message, details, { cause })
}
