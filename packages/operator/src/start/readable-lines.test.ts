import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { readableLines } from './readable-lines.js'

const now = new Date(2026, 2, 1, 10, 0, 0)
const identity = 'shop/backup'
type Event = readonly [string, Readonly<Record<string, unknown>>]

function linesOf(...events: Event[]): string[] {
  const lines: string[] = []
  const log = createLog({
    format: readableLines({ NO_COLOR: '1' }),
    level: 'info',
    component: 'kron-operator',
    clock: new VirtualClock(now),
    write: (line) => void lines.push(line),
  })
  for (const [event, fields] of events) log.info(event, fields)
  return lines
}

const failed = (message: string, operation = 'list'): Event => ['error', { message, operation }]

describe('the log on a terminal', () => {
  it.each<[...Event, string]>([
    [
      'start',
      { version: '1.2.3', server: 'https://one', namespace: null, identity: 'host_1' },
      'kron-operator  kron-operator 1.2.3 runs the KronJobs of all namespaces on https://one',
    ],
    ['start', { version: '1', server: 's', namespace: 'shop' }, 'the KronJobs of namespace shop'],
    ['foreground', {}, 'runs in the foreground; this is its log. Ctrl-C stops it.'],
    ['ready', { kronjobs: 2 }, 'read 2 KronJobs'],
    [
      'decision',
      { identity, chosen_time: new Date(2026, 2, 1, 10, 1, 30).toISOString() },
      'shop/backup  next run at 10:01:30, in 1m30s',
    ],
    [
      'decision',
      { identity, chosen_time: null, reason: 'why' },
      'will not run in this period: why',
    ],
    ['started', { identity, job: 'backup-1' }, 'created Job backup-1'],
    ['started', { identity, job: 'backup-1', existed: true }, 'Job backup-1 already exists'],
    ['completed', { identity, job: 'backup-1', result: 'failed' }, 'Job backup-1 failed'],
    ['completed', { identity, job: 'backup-1', result: 'succeeded' }, 'Job backup-1 succeeded'],
    ['missed_deadline', { identity, reason: '20m late' }, 'missed: 20m late'],
    ['stop', {}, 'stopped'],
  ])('says of %s %j: %s', (event, fields, words) => {
    const [line, ...rest] = linesOf([event, fields])
    expect(rest).toEqual([])
    expect(line).toMatch(/^10:00:00 {2}/)
    expect(line).toContain(words)
  })

  it.each([
    [
      'GET /apis/kron.io/v1alpha1/kronjobs?limit=500 was answered with 404: 404 page not found',
      'has no kind KronJob: kron-operator manifests crd | kubectl apply -f - installs it',
    ],
    ['Unauthorized', 'log in again, or name another --context'],
    [
      'leases "x" is forbidden: User "ada" cannot get',
      'a permission is missing: kron-operator manifests operator prints all',
    ],
    [
      'GET /x failed: connect ECONNREFUSED 127.0.0.1:1',
      'kubectl cluster-info asks the same server',
    ],
  ])('says what helps: %s', (message, advice) => {
    const [line] = linesOf(failed(message))
    expect(line).toContain(`(${message})`)
    expect(line).toContain(advice)
    expect(line).toMatch(/\. Retrying until it succeeds\.$/)
  })

  it('says once what fails again and again, and says so again after another failure', () => {
    const messages = ['a', 'a', 'a', 'b', 'a'].map((message) => failed(message, 'acquire_lease'))
    expect(linesOf(...messages)).toHaveLength(3)
  })

  it('promises nothing of what is not tried again', () => {
    expect(linesOf(failed('broken', 'start'))[0]).toMatch(/ broken$/)
  })
})
