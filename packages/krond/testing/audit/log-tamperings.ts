import {
  atOne,
  type Event,
  eventOf,
  field,
  type Log,
  later,
  lifeOf,
  livesOn,
  ofKind,
  sameJob,
  samePeriod,
  type Tampering,
  timeOf,
  without,
} from './tampering.js'

const hour = 3_600_000
const kept = (...kinds: readonly string[]) => kinds

/** Kinds of lines that a log is reduced to. */
const reductions: readonly (readonly string[])[] = [
  kept('start', 'decision', 'stop'),
  kept('start', 'stop'),
  kept('start', 'decision', 'trigger', 'stop'),
  kept('start', 'decision', 'started', 'completed', 'stop'),
  kept('start', 'decision', 'trigger', 'started', 'stop'),
]

const reduced: readonly Tampering[] = reductions.map((kinds) => ({
  name: `reduce the log to ${kinds.join(', ')}`,
  tamper: (log) => without(log, (line) => !kinds.includes(String(eventOf(line)))),
}))

/** A start that is followed by another outcome of the job in the same life. */
const isInner = (line: Event, index: number, log: Log): boolean => {
  const [first, end] = lifeOf(log, index)
  const planned = log.findIndex(
    (other, at) => at > first && eventOf(other) === 'decision' && samePeriod(other, line),
  )
  const next = log.findIndex(
    (other, at) => at > index && eventOf(other) === 'trigger' && sameJob(other, line),
  )
  return line['event'] === 'started' && planned > 0 && next > 0 && next < end
}

const isJobLine = (line: Event | string, of: Event): boolean => sameJob(line, of)

const absences: readonly Tampering[] = [
  atOne('remove all lines of one period', isInner, (log, _, line) =>
    without(log, (other) => samePeriod(other, line)),
  ),
  atOne('remove all lines of one period but its decision', isInner, (log, _, line) =>
    without(log, (other) => eventOf(other) !== 'decision' && samePeriod(other, line)),
  ),
  atOne('remove all lines of a job', ofKind('decision'), (log, _, line) =>
    without(log, (other) => isJobLine(other, line)),
  ),
  atOne(
    'remove all later lines of a job',
    (line, index, log) => line['event'] === 'started' && livesOn(log, index, hour),
    (log, index, line) => {
      const [, end] = lifeOf(log, index)
      return without(log, (other, at) => at > index && at < end && isJobLine(other, line))
    },
  ),
  atOne(
    'remove the lines of one hour',
    (line, index, log) => line['event'] === 'trigger' && livesOn(log, index, 3 * hour),
    (log, index, line) => {
      const [, end] = lifeOf(log, index)
      const since = timeOf(line)
      return without(log, (other, at) => at >= index && at < end && timeOf(other) <= since + hour)
    },
  ),
  atOne(
    'remove all but the first half of a life in the middle',
    (line, index, log) =>
      line['event'] === 'stop' && index - lifeOf(log, index)[0] > 60 && livesOn(log, index, -hour),
    (log, index) => {
      const [first] = lifeOf(log, index)
      const half = first + Math.floor((index - first) / 2)
      return without(log, (_, at) => at > half && at < index)
    },
  ),
]

/** The index of the start of an execution; -1 when it was in another life. */
const startOf = (log: Log, index: number, line: Event): number => {
  const [first] = lifeOf(log, index)
  return log.findLastIndex(
    (other, at) =>
      at > first && at < index && eventOf(other) === 'started' && samePeriod(other, line),
  )
}

const hasJump = (log: Log): boolean => log.some((line) => eventOf(line) === 'clock_jump')

const order: readonly Tampering[] = [
  atOne(
    'exchange a trigger and its start',
    (line, index, log) =>
      line['event'] === 'trigger' &&
      eventOf(log[index + 1]) === 'started' &&
      samePeriod(log[index + 1]!, line),
    (log, index, line) => log.with(index, log[index + 1]!).with(index + 1, line),
  ),
  atOne(
    'end an execution before its start',
    (line, index, log) => line['event'] === 'completed' && startOf(log, index, line) > 0,
    (log, index, line) => log.toSpliced(index, 1).toSpliced(startOf(log, index, line), 0, line),
  ),
  atOne(
    'exchange two lines of different times',
    (line, index, log) => {
      const next = log[index + 1]
      return (
        eventOf(next) !== 'start' &&
        line['event'] !== 'clock_jump' &&
        eventOf(next) !== 'clock_jump' &&
        timeOf(next) - timeOf(line) > 1000 &&
        livesOn(log, index + 1, 3 * hour) &&
        !hasJump(log.slice(Math.max(0, index - 50), index + 50))
      )
    },
    (log, index, line) => log.with(index, log[index + 1]!).with(index + 1, line),
  ),
  atOne(
    'move a line an hour back',
    (line, index, log) => line['event'] === 'completed' && livesOn(log, index, 3 * hour),
    (log, index, line) => log.with(index, { ...line, time: later(line['time'], -hour) }),
  ),
]

const forgeries: readonly Tampering[] = [
  atOne(
    'start 20 s after the trigger with a deadline of 5 s',
    (line, index, log) =>
      isInner(line, index, log) && livesOn(log, index, 3 * hour) && isAlone(log, index),
    (log, index, line) => lateStart(log, index, line),
  ),
  atOne('execute a period again', ofKind('started'), (log, index, line) =>
    log.toSpliced(index + 1, 0, { ...line, pid: 4 }),
  ),
  atOne('execute a period again in the next life', ofKind('started'), (log, index, line) => {
    const [, end] = lifeOf(log, index)
    const start = log[end]
    return start === undefined
      ? null
      : log.toSpliced(end + 1, 0, { ...line, time: field(start, 'time') })
  }),
  atOne('execute what was skipped', ofKind('skipped_concurrency'), (log, index, line) =>
    log.with(index, { ...line, event: 'started', outcome: 'executed', pid: 4 }),
  ),
  atOne('skip what was executed', ofKind('started'), (log, index, line) =>
    log.with(index, {
      ...line,
      event: 'skipped_concurrency',
      outcome: 'skipped',
      reason: 'concurrency',
    }),
  ),
  atOne('miss what was executed', ofKind('started'), (log, index, line) =>
    log.with(index, { ...line, event: 'missed_deadline', outcome: 'missed', reason: '1h late' }),
  ),
  atOne('execute what was missed', ofKind('missed_deadline'), (log, index, line) =>
    log.with(index, { ...line, event: 'started', outcome: 'executed', pid: 4 }),
  ),
  atOne('put a line of text between', ofKind('trigger'), (log, index) =>
    log.toSpliced(index, 0, 'level=info'),
  ),
  atOne('invent a reload', ofKind('trigger'), (log, index, { time, level, component }) =>
    log.toSpliced(index, 0, {
      time,
      level,
      component,
      event: 'reload',
      jobs: 99,
      added: 92,
      changed: 0,
      removed: 0,
    }),
  ),
  atOne(
    'take the beginning of a later life away',
    (line, index, log) =>
      line['event'] === 'start' &&
      index > 0 &&
      eventOf(log[index + 1]) === 'decision' &&
      typeof log[index - 1] === 'object',
    (log, index) => without(log, (_, at) => at === index),
  ),
]

/** Whether nothing else of the log is in the minute that follows. */
const isAlone = (log: Log, index: number): boolean =>
  eventOf(log[index - 1]) === 'trigger' &&
  !log.some(
    (other, at) =>
      at > index + 1 &&
      timeOf(other) - timeOf(log[index]) < 60_000 &&
      timeOf(other) >= timeOf(log[index]),
  )

/** As a daemon would have logged it that did not judge the deadline: all of it is consistent. */
function lateStart(log: Log, index: number, line: Event): Log {
  const [, end] = lifeOf(log, index)
  return log.map((other, at) => {
    if (typeof other === 'string' || !sameJob(other, line)) return other
    if (at === index || at === index + 1) return { ...other, time: later(other['time'], 20_000) }
    const schedule = String(other['schedule'])
    if (eventOf(other) === 'decision' && samePeriod(other, line) && at < end) {
      return { ...other, schedule: schedule.replace(/deadline=\w+/, 'deadline=5s') }
    }
    return other
  })
}

/** What can be done to a log as a whole. */
export const logTamperings: readonly Tampering[] = [...reduced, ...absences, ...order, ...forgeries]
