import { memoryOutput } from '@kron/command/testing'
import { describe, expect, it } from 'vitest'
import { type Greet, greeting } from './greeting.js'

const now = new Date(2026, 2, 1, 10, 0, 0)
const next = { identity: '/etc/krond.d/a.krontab:backup', due: now.getTime() + 90_000 }

interface Place {
  readonly logFormat: 'readable' | 'text' | 'json'
  /** Whether each is a terminal. */
  readonly stdout: boolean
  readonly stderr: boolean
  readonly logFile?: string
}

function greeted({ logFormat, stdout, stderr, logFile }: Place) {
  const { output, ...streams } = memoryOutput()
  const logged: [string, unknown][] = []
  const host = {
    clock: { now: () => now },
    stdout: { ...streams.stdout, isTerminal: stdout },
    stderr: { ...streams.stderr, isTerminal: stderr },
  }
  const log = { info: (event: string, fields?: unknown) => void logged.push([event, fields]) }
  const greet = greeting({ logFormat }, host, log, () => logFile ?? null)
  return { greet, output, logged }
}

const said = (place: Place, ...about: Parameters<Greet>) => {
  const { greet, output, logged } = greeted(place)
  greet!(...about)
  return { ...output, logged }
}

describe('krond start', () => {
  const terminal = { logFormat: 'readable', stdout: true, stderr: true } as const

  it('says on a terminal which job is first, and that it stays', () => {
    const { logged, both } = said(terminal, { jobs: 2, next })
    const due = new Date(next.due).toISOString()
    expect(logged).toEqual([
      ['next', { identity: next.identity, due }],
      ['foreground', undefined],
    ])
    expect(both).toBe('')
  })

  it.each([
    ['a single job, which said so itself', { jobs: 1, next }],
    ['jobs of which none is planned', { jobs: 2, next: null }],
  ])('names none as the first of %s', (_, readiness) => {
    expect(said(terminal, readiness).logged).toEqual([['foreground', undefined]])
  })

  it.each([
    ['/var/log/krond.jsonl', '/var/log/krond.jsonl'],
    [undefined, 'a pipe'],
  ])('says on the terminal where the log goes: %s', (logFile, place) => {
    const elsewhere = { logFormat: 'json', stdout: false, stderr: true, logFile } as Place
    const { stderr, stdout, logged } = said(elsewhere, { jobs: 3, next })
    expect(stderr).toBe(
      'krond: runs 3 jobs, the first is backup at 10:01:30, in 1m30s\n' +
        `krond: stays in the foreground, and logs to ${place}. Ctrl-C stops it.\n`,
    )
    expect({ stdout, logged }).toEqual({ stdout: '', logged: [] })
  })

  it.each<Place>([
    { logFormat: 'json', stdout: true, stderr: true },
    { logFormat: 'text', stdout: true, stderr: true },
    { logFormat: 'text', stdout: false, stderr: false },
  ])('says nothing more to programs: %j', (place) => {
    expect(greeted(place).greet).toBeNull()
  })
})
