import {
  atOne,
  type Choice,
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

/** Lines of which each is needed, where the daemon lives on long enough to be missed. */
const needed: Readonly<Record<string, Choice>> = {
  decision: (_, index, log) => livesOn(log, index, 24 * hour) && !isRemovedLater(log, index),
  trigger: (_, index, log) => follows(log, index, 'started', 'missed_deadline', 'completed'),
  started: (_, index, log) => follows(log, index, 'completed', 'recovered'),
  missed_deadline: hasNextPlan,
  skipped_concurrency: hasNextPlan,
  constraint_unsatisfiable: hasNextPlan,
  replaced: (_, index, log) => follows(log, index, 'started'),
  reschedule: ({ reason }, index, log) => reason === 'retry' && hasNextTrigger(log, index),
  unplanned: ({ reason }) => reason !== 'removed',
  error: ({ operation, identity }, index, log) =>
    operation !== 'replace' && identity !== null && eventOf(log[index + 1]) === 'reschedule',
}

/** Whether one of these comes of the same period. */
function follows(log: Log, index: number, ...kinds: readonly string[]): boolean {
  const line = log[index]!
  return log.some(
    (other, at) => at > index && kinds.includes(String(eventOf(other))) && samePeriod(other, line),
  )
}

/** Whether the job is planned again in the same life. */
function hasNextPlan(line: Event, index: number, log: Log): boolean {
  const [, end] = lifeOf(log, index)
  return log.some(
    (other, at) => at > index && at < end && eventOf(other) === 'decision' && sameJob(other, line),
  )
}

/** Whether the job is planned again before a reload, which may bring another schedule. */
function isPlannedAlike(line: Event, index: number, log: Log): boolean {
  const next = log.findIndex((other, at) => {
    const isPlan = eventOf(other) === 'decision' && sameJob(other, line)
    return at > index && (isPlan || eventOf(other) === 'reload' || eventOf(other) === 'start')
  })
  return eventOf(log[next]) === 'decision'
}

function hasNextTrigger(log: Log, index: number): boolean {
  const [, end] = lifeOf(log, index)
  const line = log[index]!
  return log.some(
    (other, at) =>
      at > index && at < end && eventOf(other) === 'trigger' && samePeriod(other, line),
  )
}

/** Whether a reload took the job away: then nothing of it had to follow. */
function isRemovedLater(log: Log, index: number): boolean {
  const [, end] = lifeOf(log, index)
  const line = log[index]!
  return log.some(
    (other, at) => at > index && at < end && eventOf(other) === 'unplanned' && sameJob(other, line),
  )
}

const isWanted =
  (kind: string): Choice =>
  (line, index, log) =>
    line['event'] === kind && (needed[kind]?.(line, index, log) ?? true)

const removals: readonly Tampering[] = Object.keys(needed).flatMap((kind) => [
  atOne(`remove one ${kind}`, isWanted(kind), (log, index) =>
    without(log, (_, at) => at === index),
  ),
  atOne(`give one ${kind} another name`, isWanted(kind), (log, index, line) =>
    log.with(index, { ...line, event: `${kind}_` }),
  ),
])

const jobRemovals: readonly Tampering[] = ['decision', 'trigger', 'started'].map((kind) =>
  atOne(`remove every ${kind} of a job`, isWanted(kind), (log, _, line) =>
    without(log, (other) => eventOf(other) === kind && sameJob(other, line)),
  ),
)

/** Lines that can't be told twice. A reload that changed nothing can. */
const once: Readonly<Record<string, Choice>> = {
  ...Object.fromEntries(
    [
      'start',
      'decision',
      'not_responsible',
      'unplanned',
      'trigger',
      'started',
      'completed',
      'skipped_concurrency',
      'missed_deadline',
      'constraint_unsatisfiable',
      'replaced',
      'reschedule',
      'timed_out',
      'recovered',
      'state_lost',
      'clock_jump',
      'stop',
    ].map((kind) => [kind, ofKind(kind)]),
  ),
  reload: ({ event, added, removed }) => event === 'reload' && (added !== 0 || removed !== 0),
}

const duplicates: readonly Tampering[] = Object.entries(once).map(([kind, fits]) =>
  atOne(`tell one ${kind} twice`, fits, (log, index, line) => log.toSpliced(index + 1, 0, line)),
)

/** A field of an event, what it becomes, and where another value would be as true. */
type Change = readonly [kind: string, field: string, to: (value: never) => unknown, where?: Choice]

const more = (by: number) => (value: number) => value + by
const moved = (ms: number) => (value: string) => later(value, ms)
const uncanonical = (value: string): string => value.replace('Z', '+00:00')
const suffixed = (value: string): string => `${value}x`
const has =
  (name: string): Choice =>
  (line) =>
    typeof line[name] === 'string'
const isFollowed: Choice = (line, index, log) => {
  const next = timeOf(log[index + 1])
  return Math.abs(next - timeOf(line)) < 1000 && eventOf(log[index + 1]) !== 'start'
}

/** Whether the daemon goes on for long, and no jump of the clock could have been meant. */
const isQuiet: Choice = (line, index, log) =>
  isFollowed(line, index, log) &&
  livesOn(log, index, 3 * hour) &&
  !log.slice(index, index + 50).some((other) => eventOf(other) === 'clock_jump')

const changes: readonly Change[] = [
  ['start', 'tzdata', () => '1999a'],
  ['start', 'jobs', more(1)],
  ['start', 'time', moved(hour), isFollowed],
  ['decision', 'period_id', uncanonical],
  ['decision', 'period_id', (value: string) => value.replace('Z', '.000Z')],
  ['decision', 'identity', suffixed],
  ['decision', 'schedule', (value: string) => value.replace('after', 'around'), scheduled('after')],
  [
    'decision',
    'schedule',
    (value: string) => value.replace(/deadline=\w+/, 'deadline=7h'),
    (line, index, log) =>
      scheduled('deadline=')(line, index, log) && isPlannedAlike(line, index, log),
  ],
  ['decision', 'dialect', () => 'quartz'],
  ['decision', 'nominal_time', moved(hour)],
  ['decision', 'window_start', moved(-1000)],
  ['decision', 'window_end', moved(1000)],
  ['decision', 'chosen_time', moved(1000), has('chosen_time')],
  ['decision', 'timezone', () => 'Asia/Tokyo'],
  ['decision', 'tzdata', () => '1999a'],
  ['decision', 'distribution', () => ({ name: 'triangular', params: {} })],
  ['decision', 'seed_strategy', () => 'weekly'],
  ['decision', 'salt', suffixed],
  ['decision', 'seed_hash', suffixed],
  ['decision', 'attempts', more(1)],
  ['decision', 'constraints_applied', () => ({ only: [], avoid: ['hours=3'] })],
  ['decision', 'reason', suffixed, has('reason')],
  ['decision', 'time', moved(hour), isQuiet],
  ['reschedule', 'due', moved(hour)],
  ['reschedule', 'reason', (value: string) => (value === 'retry' ? 'clock' : 'retry')],
  ['not_responsible', 'due', moved(1000)],
  ['not_responsible', 'period_id', moved(hour)],
  ['not_responsible', 'responsible_since', moved(24 * hour)],
  ['not_responsible', 'identity', suffixed],
  ['unplanned', 'reason', (value: string) => (value === 'removed' ? 'suspended' : 'removed')],
  ['unplanned', 'schedule', suffixed],
  ['trigger', 'late_ms', more(1)],
  ['trigger', 'late_ms', () => 0, ({ late_ms }) => late_ms !== 0],
  ['trigger', 'judged_at', moved(1)],
  ['trigger', 'verdict', (value: string) => (value === 'execute' ? 'missed' : 'execute')],
  ['trigger', 'verdict', (value: string) => (value === 'skipped' ? 'missed' : 'skipped')],
  ['trigger', 'period_id', uncanonical],
  ['trigger', 'period_id', moved(hour)],
  ['trigger', 'identity', suffixed],
  ['trigger', 'time', moved(hour), isQuiet],
  ['started', 'outcome', () => 'skipped'],
  ['started', 'period_id', moved(hour)],
  ['started', 'identity', suffixed],
  ['started', 'pid', more(1), (_, index, log) => follows(log, index, 'completed')],
  ['started', 'time', moved(-hour), isQuiet],
  ['completed', 'pid', more(1)],
  ['completed', 'period_id', uncanonical],
  ['completed', 'duration_ms', more(60_000)],
  ['completed', 'exit_code', () => null, ({ exit_code }) => exit_code !== null],
  ['completed', 'signal', () => 'SIGTERM', ({ exit_code }) => exit_code !== null],
  ['skipped_concurrency', 'reason', suffixed],
  ['skipped_concurrency', 'event', () => 'skipped_superseded'],
  ['missed_deadline', 'reason', suffixed],
  ['missed_deadline', 'outcome', () => 'executed'],
  ['missed_deadline', 'period_id', moved(hour)],
  ['constraint_unsatisfiable', 'reason', suffixed],
  ['constraint_unsatisfiable', 'level', () => 'info'],
  ['replaced', 'pid', more(1)],
  ['replaced', 'replaced_period_id', moved(hour)],
  ['timed_out', 'pid', more(1)],
  ['timed_out', 'timeout_ms', more(600_000), (line, index, log) => isOwn(log, index, line)],
  ['recovered', 'alive', () => false, isEndedLater],
  ['recovered', 'pid', more(1), isEndedLater],
  ['state_lost', 'period_id', moved(1000), has('period_id')],
  ['reload', 'jobs', more(1)],
  ['reload', 'added', more(1)],
  ['reload', 'removed', more(1)],
  ['clock_jump', 'jump_ms', (value: number) => -value],
  ['clock_jump', 'from', moved(hour)],
  ['clock_jump', 'to', moved(hour)],
  ['stop', 'running', more(1)],
  ['stop', 'jobs', more(1)],
  ['error', 'operation', suffixed, (line, index, log) => needed['error']!(line, index, log)],
]

/** Whether the execution began in the life that the line is in. */
function isOwn(log: Log, index: number, line: Event): boolean {
  const [first] = lifeOf(log, index)
  return log.some(
    (other, at) =>
      at > first && at < index && eventOf(other) === 'started' && samePeriod(other, line),
  )
}

/** Whether the execution that was found alive ends in the same life. */
function isEndedLater({ alive }: Event, index: number, log: Log): boolean {
  const [, end] = lifeOf(log, index)
  const line = log[index]!
  const isEnd = (other: Event | string): boolean =>
    eventOf(other) === 'completed' && samePeriod(other, line)
  return alive === true && log.some((other, at) => at > index && at < end && isEnd(other))
}

function scheduled(text: string): Choice {
  return ({ schedule }) => String(schedule).includes(text)
}

const alterations: readonly Tampering[] = changes.map(([kind, name, to, where = () => true], at) =>
  atOne(
    `change ${name} of one ${kind} (${at})`,
    (line, index, log) =>
      line['event'] === kind && field(line, name) !== undefined && where(line, index, log),
    (log, index, line) => log.with(index, { ...line, [name]: to(line[name] as never) }),
  ),
)

/** What can be done to the lines of one kind of event. */
export const eventTamperings: readonly Tampering[] = [
  ...removals,
  ...jobRemovals,
  ...duplicates,
  ...alterations,
]
