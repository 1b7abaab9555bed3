import {
  atOne,
  type Choice,
  type Event,
  eventOf,
  type Log,
  later,
  lifeOf,
  ofKind,
  type Tampering,
  without,
} from './tampering.js'

/** A change after which the log is as true as before, and why nobody can tell. */
export interface EqualTampering extends Tampering {
  readonly why: string
}

const equal = (why: string, tampering: Tampering): EqualTampering => ({ ...tampering, why })

const removed = (name: string, fits: Choice): Tampering =>
  atOne(`remove ${name}`, fits, (log, index) => without(log, (_, at) => at === index))

const changed = (kind: string, name: string, to: (line: Event) => unknown): Tampering =>
  atOne(`change ${name} of one ${kind}`, ofKind(kind), (log, index, line) =>
    log.with(index, { ...line, [name]: to(line) }),
  )

/** The end of an execution is written before it is on disk, so it is not lost with the daemon. */
const told: readonly unknown[] = ['start', 'completed']

const isLastOfKilled: Choice = (line, index, log) => {
  const [first, end] = lifeOf(log, index)
  const isKilled = !log.slice(first, end).some((other) => eventOf(other) === 'stop')
  const isLast = log.slice(index + 1, end).every((other) => typeof other === 'string')
  return isKilled && isLast && !told.includes(line['event'])
}

const isEmptyReload: Choice = ({ event, added, changed: others, removed: gone }) =>
  event === 'reload' && added === 0 && others === 0 && gone === 0

export const equalTamperings: readonly EqualTampering[] = [
  equal('a daemon that is killed says nothing', removed('one stop', ofKind('stop'))),
  equal(
    'a job may end by a signal for other reasons',
    removed('one timed_out', ofKind('timed_out')),
  ),
  equal(
    'a reload that changed nothing need not have been',
    removed('an empty reload', isEmptyReload),
  ),
  equal(
    'the line may not have been written when it died',
    removed('the last line', isLastOfKilled),
  ),
  equal('a log may begin anywhere, as after a rotation', {
    name: 'remove the first line',
    tamper: (log: Log) => log.slice(1),
  }),
  equal('a log may end anywhere, as one that is still written', {
    name: 'remove the last hundred lines',
    tamper: (log: Log) => log.slice(0, -100),
  }),
  equal(
    'any version can write such lines',
    changed('start', 'version', () => '0.1.1'),
  ),
  equal(
    'the folder may have been moved',
    changed('start', 'state', () => '/srv/krond'),
  ),
  equal(
    'any process may have this number',
    changed('start', 'pid', () => 77_777),
  ),
  equal(
    'only the job knows how it ended',
    atOne(
      'change exit_code of one completed',
      ({ event, exit_code }) => event === 'completed' && exit_code !== null,
      (log, index, line) => log.with(index, { ...line, exit_code: 9 }),
    ),
  ),
  equal(
    'the folder has the file, not the log',
    changed('state_lost', 'moved_to', () => 'x'),
  ),
  equal(
    'it is for people',
    changed('error', 'message', () => 'x'),
  ),
  equal('jumps are told to the second', changed('clock_jump', 'jump_ms', nearly('jump_ms'))),
  equal(
    'clocks are adjusted by so much all the time',
    changed('completed', 'duration_ms', ({ duration_ms }) => Number(duration_ms) + 10),
  ),
  equal(
    'it is true of any time from the due one on',
    changed('not_responsible', 'responsible_since', ({ due }) =>
      later(`${due}`.replace('Z', '.000Z'), 1),
    ),
  ),
]

function nearly(name: string): (line: Event) => number {
  return (line) => Number(line[name]) + (Number(line[name]) > 0 ? 1 : -1)
}
