import type { FailureReason } from '../failure/failure-reason.js'
import type { SchedulerEvent, StorageFailed, TaskRunStarted } from './event.js'
import type { LogLevel } from './logger.js'

const longestReason = 300

const levels: Readonly<Record<SchedulerEvent['type'], LogLevel>> = {
  SchedulerInitializationStarted: 'debug',
  SchedulerInitializationCompleted: 'info',
  // Who called hears it as an error; it need not be logged as well.
  SchedulerInitializationFailed: 'info',
  SchedulerStopRequested: 'info',
  SchedulerStopped: 'info',
  PollingStarted: 'debug',
  PollingStopRequested: 'debug',
  PollingStopped: 'debug',
  TaskRunStarted: 'debug',
  TaskRunCompleted: 'debug',
  TaskRunFailed: 'warn',
  TaskRetryStarted: 'debug',
  TaskRetryPreempted: 'debug',
  StorageFailed: 'error',
  StorageUnresponsive: 'warn',
  PollingDelayed: 'warn',
  ClockSetBack: 'warn',
  HostZoneDiffers: 'warn',
  HostZoneUnnamed: 'warn',
}

export const levelOf = (event: SchedulerEvent): LogLevel => levels[event.type]

/** An event as a sentence. */
export function textOf(event: SchedulerEvent): string {
  switch (event.type) {
    case 'SchedulerInitializationStarted':
      return `initializing with ${event.registrations} registrations`
    case 'SchedulerInitializationCompleted':
      return (
        `initialized: ${event.newTasks} tasks new, ${event.preservedTasks} preserved, ` +
        `${event.overriddenTasks} overridden, ${event.orphanedTasks} orphaned, ` +
        `${event.removedTasks} removed`
      )
    case 'SchedulerInitializationFailed':
      return `could not be initialized: ${reasonOf(event.failure)}`
    case 'SchedulerStopRequested':
      return `stopping, ${event.runningTasks} tasks still run`
    case 'SchedulerStopped':
      return 'stopped'
    case 'PollingStarted':
      return `polling ${event.tasks} tasks`
    case 'PollingStopRequested':
      return 'polling is about to stop'
    case 'PollingStopped':
      return 'polling has stopped'
    case 'StorageFailed':
      return storageFailureText(event)
    case 'StorageUnresponsive': {
      const place = event.place === null ? '' : ` in ${event.place}`
      const seconds = Math.round(event.silentMs / 1000)
      return (
        `the storage has not answered ${event.operation}${place} for ${seconds} s: ` +
        'nothing starts until it does'
      )
    }
    case 'PollingDelayed':
      return `polling is ${Math.round(event.delayMs / 1000)} s late: busy, asleep or a clock step`
    case 'ClockSetBack':
      return `the clock was set back from ${iso(event.from)} to ${iso(event.time)}`
    case 'HostZoneDiffers':
      return (
        `in ${event.timeZone} this host shows ${utc(event.hostOffsetMinutes)} from ` +
        `${iso(event.from)} on, and the time zone database ${event.databaseVersion} of Kron has ` +
        `${utc(event.databaseOffsetMinutes)}: tasks follow the host, unless timeZone is set`
      )
    case 'HostZoneUnnamed':
      return (
        `TZ=${event.TZ} is not an IANA name: tasks follow the clock of this process, which shows ` +
        `${utc(event.hostOffsetMinutes)} now and may not change for summer; set timeZone to be sure`
      )
    default:
      return taskText(event)
  }
}

function storageFailureText({ failure, retryAt }: StorageFailed): string {
  if (retryAt !== null) {
    return `${reasonOf(failure)}; nothing starts until it works, next try at ${iso(retryAt)}`
  }
  return failure.name === 'SupersededError'
    ? 'the storage belongs to another scheduler now, nothing starts any more'
    : `${reasonOf(failure)}; the stop continues without it`
}

type TaskEvent = Extract<SchedulerEvent, { taskName: string }>

export const taskOf = (name: string): string => `task ${JSON.stringify(name)}`

function taskText(event: TaskEvent): string {
  const task = taskOf(event.taskName)
  switch (event.type) {
    case 'TaskRunStarted':
      return startText(task, event)
    case 'TaskRunCompleted':
      return `${task} succeeded`
    case 'TaskRunFailed':
      return `${task} failed, next try at ${iso(event.pendingRetryUntil)}: ${reasonOf(event.failure)}`
    case 'TaskRetryStarted':
      return `${task} is tried again`
    case 'TaskRetryPreempted':
      return `${task} runs for its minute instead of its retry`
  }
}

function startText(task: string, { reason, scheduledBeforeSetBack }: TaskRunStarted): string {
  const again = reason === 'orphaned' ? ' again, its last run never ended' : ''
  const minute =
    scheduledBeforeSetBack === undefined
      ? ''
      : `, for ${iso(scheduledBeforeSetBack)}, which came before the clock was set back`
  return `${task} starts${again}${minute}`
}

/** In a line, with what caused it; the whole of it, with its stack, is in the event. */
export function reasonOf(failure: FailureReason): string {
  let reason = failure.message || failure.name
  if (failure.where !== undefined) reason += ` (${failure.where})`
  for (let { cause } = failure; cause !== undefined; { cause } = cause) {
    const because = cause.message || cause.name
    if (!reason.includes(because)) reason += `: ${because}`
  }
  const line = reason.replace(/\s+/g, ' ').trim()
  return line.length <= longestReason ? line : `${line.slice(0, longestReason)}...`
}

const iso = (date: Date): string => date.toISOString()

function utc(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes)
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
