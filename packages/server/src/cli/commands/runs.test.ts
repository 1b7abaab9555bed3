import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KronCommands, withoutIds } from '../../../testing/kron-commands.js'
import { answered } from '../../../testing/sample-store.js'
import { noSystemQuotas } from '../../domain/index.js'
import type { EndpointDocument, RunDocument } from '../client/index.js'

const kron = new KronCommands()
const { runLine: run, success, makeSync, owned } = kron
beforeEach(kron.start)
afterEach(kron.stop)

describe('kron runs', () => {
  it('lists, filters and shows them', async () => {
    const sync = await makeSync('--every', '5m')
    await kron.sample.run(owned(sync), answered(200))
    await kron.sample.run(owned(sync), {
      ...answered(503),
      error: { code: 'http_status', message: 'answered\u001b[31m 503' },
    })
    const lines = (await success('runs')).trimEnd().split('\n').slice(1)
    expect(lines.map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      '2026-03-01T12:10:30Z | sync | failure | 503 | 100ms | baseline-interval | run_... | ' +
        'answered\ufffd[31m 503',
      '2026-03-01T12:05:30Z | sync | success | 200 | 100ms | baseline-interval | run_...',
    ])
    const failed = await kron.json<RunDocument[]>('runs', 'list', '--status', 'failure')
    expect(failed.map(({ status }) => status)).toEqual(['failure'])
    expect(await success('runs --status timeout --endpoint sync')).toBe('no runs\n')
    const shown = withoutIds((await kron.run(['runs', 'show', failed[0]!.id])).stdout)
    expect(shown).toContain('endpoint       sync (ep_...)\n')
    expect(shown).toContain('answer         HTTP 503, 0 bytes\n')
    expect(shown).toContain('error          answered\ufffd[31m 503 [http_status]\n')
  })

  it('writes a body as it came to a pipe, and harmless to a terminal', async () => {
    const sync = await makeSync('--every', '5m')
    const body = new TextEncoder().encode('a\u001b[2Jb\nc')
    await kron.sample.run(owned(sync), {
      response: { httpStatus: 200, headers: {}, truncated: false, body },
    })
    const [{ id } = { id: '' }] = await kron.json<RunDocument[]>('runs')
    expect((await kron.run(['runs', 'show', id, '--body'])).stdout).toBe('a\u001b[2Jb\nc')
    const onTerminal = await kron.run(['runs', 'show', id, '--body'], { isTerminal: true })
    expect(onTerminal.stdout).toBe('a\ufffd[2Jb\nc\n')
  })

  it('cancels and replays', async () => {
    await makeSync('--every', '5m')
    const asked = await kron.json<RunDocument>('run-now', 'sync')
    expect(asked).toMatchObject({ status: 'pending', source: 'manual' })
    expect((await kron.run(['runs', 'cancel', asked.id])).stdout).toContain('cancelled')
    expect(await kron.run(['runs', 'cancel', asked.id])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('[run_ended]'),
    })
    const again = await kron.json<RunDocument>('runs', 'replay', asked.id)
    expect(again).toMatchObject({ status: 'pending', source: 'replay' })
  })

  it('over the quota of the whole system are refused, in words that say whose it is', async () => {
    await kron.stop()
    await kron.startWith({ ...noSystemQuotas, runsPerMonth: 1 })
    const sync = await makeSync('--every', '5m')
    await kron.sample.run(owned(sync))
    expect(await run('run-now sync')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'The quota of 1 runs a month for the whole system is used up. [system_quota_exceeded]',
      ),
    })
    expect(await success('endpoints explain sync')).toContain(
      'The quota of 1 runs a month for the whole system is used up; it is',
    )
  })

  it('must be named by an id', async () => {
    expect(await run('runs show yesterday')).toMatchObject({
      exitCode: 1,
      stderr: 'kron: "yesterday" is not the id of a run: run_...\n',
    })
  })
})

describe('kron run-now --wait', () => {
  const waited = async (sync: EndpointDocument, httpStatus: number) => {
    const pauses: number[] = []
    const onSleep = async (ms: number) => {
      pauses.push(ms)
      if (pauses.length === 3) await kron.sample.run(owned(sync), answered(httpStatus))
    }
    return { pauses, ...(await kron.run(['run-now', 'sync', '--wait'], { onSleep })) }
  }

  it('waits until the run has ended, ever more patiently', async () => {
    const sync = await makeSync('--every', '5m')
    const { exitCode, stdout, pauses } = await waited(sync, 200)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/status +success\n/)
    expect(pauses).toEqual([100, 150, 225])
  })

  it('exits with 4 when the run fails', async () => {
    const sync = await makeSync('--every', '5m')
    const { exitCode, stdout } = await waited(sync, 500)
    expect(exitCode).toBe(4)
    expect(stdout).toMatch(/status +failure\n/)
  })

  it('gives up after a while', async () => {
    await makeSync('--every', '5m')
    const onSleep = async (ms: number) => {
      kron.sample.now += ms
    }
    const args = ['run-now', 'sync', '--wait', '--timeout', '1s']
    const { exitCode, stderr } = await kron.run(args, { onSleep })
    expect(exitCode).toBe(3)
    expect(withoutIds(stderr)).toBe(
      'kron: run_... is still pending\nhint: does a worker run? kron serve starts one\n',
    )
  })
})

describe('kron runs --follow', () => {
  it('shows what was and what comes, until it is interrupted', async () => {
    const sync = await makeSync('--every', '5m')
    const other = await kron.createEndpoint('other', 'nightly', '--every', '1h')
    await kron.sample.run(owned(sync), answered(200))
    const stop = new AbortController()
    const publish = async () => {
      const { scheduledFor } = await kron.sample.run(owned(sync), answered(500))
      const subject = `run_${sync.id.slice(3)}_${scheduledFor.toString(36)}`
      const { id } = await kron.json<RunDocument>('run-now', 'other')
      await kron.sample.run(owned(other), answered(200))
      const event = { tenantId: kron.tenantId, status: 'failure', at: kron.sample.now }
      kron.sample.store.signals.publish([
        { ...event, type: 'endpoint.changed', subject: sync.id },
        { ...event, type: 'run.ended', subject: id },
        { ...event, type: 'run.ended', subject: 'run_00000000000000000000000000_1' },
        { ...event, type: 'run.ended', subject },
      ])
    }
    let lines = 0
    const onOutput = (all: string) => {
      const now = all.split('\n').length - 1
      if (now === 1 && lines === 0) void publish()
      if (now === 2) stop.abort()
      lines = now
    }
    const args = ['runs', '--follow', '--endpoint', 'sync']
    const { exitCode, stdout, stderr } = await kron.run(args, {
      interrupted: stop.signal,
      onOutput,
    })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(withoutIds(stdout)).toBe(
      [
        '2026-03-01T12:05:30.100Z  success  sync  HTTP 200  in 100ms  run_...',
        '2026-03-01T12:10:30.100Z  failure  sync  HTTP 500  in 100ms  run_...',
        '',
      ].join('\n'),
    )
  })

  it('says so when the server goes away', async () => {
    const sync = await makeSync('--every', '5m')
    await kron.sample.run(owned(sync), answered(200))
    const onOutput = () => void kron.server.close()
    const { exitCode, stderr } = await kron.run(['runs', '--follow'], { onOutput })
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/^kron: (no answer from|the server ended)/)
  })
})
