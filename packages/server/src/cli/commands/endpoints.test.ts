import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  KronCommands,
  sampleUrl as url,
  withoutIds,
  wordsOf,
} from '../../../testing/kron-commands.js'
import { answered } from '../../../testing/sample-store.js'
import type { EndpointDocument } from '../client/index.js'

const kron = new KronCommands()
const { runLine: run, success, makeSync, owned } = kron
beforeEach(kron.start)
afterEach(kron.stop)

describe('kron endpoints', () => {
  it('creates one with all that its options say', async () => {
    await run('jobs create nightly')
    const { exitCode, stderr } = await kron.run([
      ...wordsOf(`endpoints create report --job nightly --url ${url} --method post`),
      ...['--cron', '0 3 * * * @win(after,2h)', '--timezone', 'Europe/Paris'],
      ...['--header', 'authorization: Bearer abc', '--header', 'x-a:b', '--json', '{"a":1}'],
      ...wordsOf('--timeout 5s --min 1m --max 2d --deadline 10m --attempts 3 --concurrency allow'),
      ...wordsOf('--planner off --description nightly-report --set steering=true'),
    ])
    expect([exitCode, stderr]).toEqual([0, ''])
    const report = await kron.json<Record<string, unknown>>('endpoints', 'show', 'report')
    expect(report).toMatchObject({
      name: 'report',
      url,
      method: 'POST',
      cron: '0 3 * * * @win(after,2h)',
      timezone: 'Europe/Paris',
      intervalMs: null,
      headers: { authorization: '•••', 'x-a': '•••' },
      body: { kind: 'json', content: '{"a":1}' },
      timeoutMs: 5000,
      minIntervalMs: 60_000,
      maxIntervalMs: 172_800_000,
      deadlineMs: 600_000,
      retry: { attempts: 3, backoffMs: 1000, maxDelayMs: 60_000, jitter: 0.5 },
      concurrency: 'allow',
      planner: 'off',
      description: 'nightly-report',
      steering: true,
    })
  })

  it('shows no next run while the job is paused', async () => {
    await makeSync('--every', '5m')
    await run('jobs pause nightly')
    const [, row] = (await success('endpoints')).split('\n')
    expect(row!.split(/ {2,}/).slice(3, 5)).toEqual(['suspended', '-'])
    expect(await success('endpoints show sync')).toContain('next run  none while it is suspended\n')
  })

  it('shows one', async () => {
    await makeSync('--every', '5m')
    expect(await success('endpoints show sync')).toBe(
      [
        'endpoint  sync',
        'id        ep_...',
        'job       nightly (job_...)',
        `request   GET ${url}`,
        'schedule  every 5m',
        'timeout   30s',
        'planner   suggest',
        'status    active',
        'next run  2026-03-01T12:05:30Z (in 5m), baseline-interval',
        'failures  0',
        'changed   2026-03-01T12:00:30Z (now)',
        'version   1',
        '',
      ].join('\n'),
    )
  })

  it('lists them with their jobs', async () => {
    await makeSync('--every', '5m')
    await run('jobs create weekly')
    await kron.run([
      ...wordsOf(`endpoints create mail --job weekly --url ${url} --cron`),
      '0 6 * * 1',
    ])
    const lines = (await success('endpoints')).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^endpoint +job +schedule +status +next \(UTC\) +last +failures +id$/)
    expect(
      lines
        .slice(1)
        .map((line) => line.replaceAll(/ {2,}/g, ' | '))
        .sort(),
    ).toEqual([
      'mail | weekly | 0 6 * * 1 | active | 2026-03-02T06:00:00Z | - | 0 | ep_...',
      'sync | nightly | every 5m | active | 2026-03-01T12:05:30Z | - | 0 | ep_...',
    ])
    expect(await success('endpoints --job weekly')).not.toContain('sync')
    await run('endpoints archive mail')
    expect(await success('endpoints')).not.toContain('mail')
    expect(await success('endpoints list --archived')).toMatch(/mail .* archived/)
  })

  it('changes what is named, and the other baseline with it', async () => {
    await makeSync('--every', '5m', '--header', 'x-token: abc', '--header', 'x-old: def')
    const changed = await kron.json<EndpointDocument>(
      ...wordsOf('endpoints update sync --name synchronise --timeout 3s --cron "*/10 * * * *"'),
      ...['--header', 'x-old:', '--header', 'x-new: ghi'],
    )
    expect(changed).toMatchObject({
      name: 'synchronise',
      cron: '*/10 * * * *',
      intervalMs: null,
      timeoutMs: 3000,
      headers: { 'x-token': '•••', 'x-new': '•••' },
      url,
    })
    expect(Object.keys(changed.headers)).not.toContain('x-old')
    const back = await kron.json<EndpointDocument>(
      ...wordsOf('endpoints update synchronise --every 1m --set timeoutMs=null'),
    )
    expect(back).toMatchObject({ cron: null, intervalMs: 60_000, timeoutMs: 30_000 })
  })

  it('replaces and removes a header in any case of its name', async () => {
    await makeSync('--every', '5m', '--header', 'X-Token: abc', '--header', 'X-Old: def')
    const changed = await kron.json<EndpointDocument>(
      ...wordsOf('endpoints update sync --header "x-token: ghi" --header "x-old:"'),
    )
    expect(changed.headers).toEqual({ 'x-token': '•••' })
  })

  it('pauses for a time, until a time, or until resumed', async () => {
    await makeSync('--every', '5m')
    expect(await success('pause sync --for 90m --reason maintenance')).toContain(
      'paused until  2026-03-01T13:30:30Z (in 1h30m): maintenance\n',
    )
    expect(await success('endpoints pause sync --until 2026-03-03T12:00:00+01:00')).toContain(
      'paused until  2026-03-03T11:00:00Z (in 1d22h)\n',
    )
    expect(await success('pause sync')).toContain('paused until  9999-12-31T23:59:59Z')
    expect(await success('endpoints resume sync')).toContain('status    active\n')
    expect(await run('pause sync --for 1h --until 2030-01-01T00:00:00Z')).toMatchObject({
      exitCode: 1,
      stderr: 'kron: --until and --for exclude each other\n',
    })
  })

  it('gives hints and takes them back', async () => {
    await makeSync('--every', '5m')
    const line = 'endpoints hint sync --every 1m --ttl 30m --reason "catching up"'
    expect(withoutIds((await run(line)).stdout)).toContain(
      'interval hint  every 1m until 2026-03-01T12:30:30Z (in 30m), by admin: catching up\n',
    )
    const oneShot = await success('endpoints hint sync --at 2026-03-01T13:00:00Z --ttl 2h')
    expect(oneShot).toContain(
      'next run       2026-03-01T13:00:00Z (in 59m30s), ai-oneshot (admin)\n',
    )
    expect(oneShot).toContain('one-shot hint  at 2026-03-01T13:00:00Z until 2026-03-01T14:00:30Z')
    const far = await success('endpoints hint sync --at 2026-03-01T15:00:00Z')
    expect(far).toContain('one-shot hint  at 2026-03-01T15:00:00Z until 2026-03-01T15:01:30Z')
    expect(await success('endpoints clear-hints sync')).not.toContain('hint')
    const late = await run('endpoints hint sync --at 2026-03-01T15:00:00Z --ttl 2h')
    expect([late.exitCode, late.stderr]).toEqual([
      2,
      'kron: A field has a value that is not allowed [validation_failed]\n' +
        '  nextRunAt: nextRunAt is after the hint expires, at 2026-03-01T14:00:30Z [after_expiry]\n',
    ])
    expect((await run('endpoints hint sync')).stderr).toBe(
      'kron: a hint has either --every or --at\n',
    )
  })

  it('previews, explains and tells how it went', async () => {
    const sync = await makeSync('--every', '5m')
    expect(await success('endpoints next sync --limit 2')).toBe(
      [
        'next (UTC)            when    source',
        '2026-03-01T12:05:30Z  in 5m   baseline-interval',
        '2026-03-01T12:10:30Z  in 10m  baseline-interval',
        '',
      ].join('\n'),
    )
    const explained = await success('endpoints explain sync')
    expect(explained).toMatch(
      /^It runs next at 2026-03-01T12:05:30Z \(in 5m\), because of its base/,
    )
    expect(explained).toMatch(/\n> {2}baseline-interval {2}2026-03-01T12:05:30Z {2}5m after/)
    await kron.sample.run(owned(sync), answered(500))
    await kron.sample.run(owned(sync), answered(200))
    expect(await success('endpoints health sync')).toBe(
      [
        'runs             2 since 2026-03-01T12:05:30Z',
        'by status        success 1, failure 1',
        'success rate     50%',
        'duration         p50 100ms, p90 100ms, p95 100ms, p99 100ms, max 100ms',
        'lateness         p50 0ms, p99 0ms',
        'streak           1 x success',
        'longest failing  1',
        'last success     2026-03-01T12:10:30.100Z (now)',
        'last failure     2026-03-01T12:05:30.100Z (5m ago)',
        '',
      ].join('\n'),
    )
    expect(await success('endpoints reset-failures sync')).toContain('failures  0\n')
  })

  it('advises, with what was learned', async () => {
    const sync = await makeSync('--every', '5m')
    expect(await success('endpoints advice sync')).toMatch(
      /^Nothing was learned yet: the learner begins with the second run\.\n\nnext by the baseline {2}next with/,
    )
    for (let run = 0; run < 300; run++) {
      await kron.sample.run(owned(sync), answered(200, {}, String(Math.floor(run / 12))))
    }
    const lines = (await success('endpoints advice sync')).split('\n')
    expect(lines[0]).toMatch(
      /^A change is seen about every 1h.* With the learner it would have \d+ calls a day instead of 28\d/,
    )
    expect(lines.slice(2, 5)).toEqual([
      'planner        suggest',
      expect.stringMatching(/^learns since {3}2026-03-01T12:10:30Z \(1d/),
      expect.stringMatching(/^changes every {2}1h/),
    ])
    expect(lines.join('\n')).toMatch(/\nbaseline +28\d\.\d calls a day, sees a change after 2m/)
    expect(lines.join('\n')).toMatch(/\nlearner +\d+\.\d calls a day, sees a change after /)
  })

  it('deletes one', async () => {
    await makeSync('--every', '5m')
    expect((await run('endpoints delete sync')).exitCode).toBe(1)
    expect(await success('endpoints delete nightly/sync --yes')).toBe('deleted nightly/sync\n')
    expect(await success('endpoints')).toBe('no endpoints; kron endpoints create adds one\n')
  })
})
