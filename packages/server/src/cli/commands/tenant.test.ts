import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KronCommands } from '../../../testing/kron-commands.js'
import { unlimited } from '../../domain/index.js'
import type { KeyDocument } from '../client/index.js'

const kron = new KronCommands()
const { runLine: run, success, makeSync } = kron
beforeEach(kron.start)
afterEach(kron.stop)

describe('kron forecast, quotas and audit', () => {
  it('shows the load of each busy minute', async () => {
    await makeSync('--cron', '*/20 * * * *')
    await kron.createEndpoint('b', 'nightly', '--cron', '0 * * * *')
    expect(await success('forecast --for 61m')).toBe(
      [
        '4 runs of 2 endpoints in 61 minutes',
        '',
        'minute (UTC)          runs  in a second',
        `2026-03-01T12:20:00Z     1            1  ${'█'.repeat(15)}`,
        `2026-03-01T12:40:00Z     1            1  ${'█'.repeat(15)}`,
        `2026-03-01T13:00:00Z     2            2  ${'█'.repeat(30)}`,
        '',
      ].join('\n'),
    )
  })

  it('shows what is used', async () => {
    await makeSync('--every', '5m')
    expect(await success('quotas')).toBe(
      [
        'quota                 used        of',
        'endpoints                1  no limit',
        'runs this month          0  no limit',
        'AI calls this month      0  no limit',
        'AI tokens this month     0  no limit',
        'requests a minute        -  no limit',
        'shortest interval        -  no limit',
        '',
        'months begin again at 2026-04-01T00:00:00Z (in 30d11h)',
        '',
      ].join('\n'),
    )
  })

  it('shows how much more than a quota is used', async () => {
    await makeSync('--every', '5m')
    await kron.createEndpoint('b', 'nightly', '--every', '5m')
    await kron.sample.store.tenant(kron.tenantId, ({ tenant }) =>
      tenant.update({ quotas: { ...unlimited, endpoints: 1 } }),
    )
    const [, endpoints] = (await success('quotas')).split('\n')
    expect(endpoints!.split(/ +/)).toEqual(['endpoints', '2', '1', '200%'])
  })

  it('shows who changed what', async () => {
    await makeSync('--every', '5m')
    kron.sample.now += 1000
    await run('jobs pause nightly')
    const lines = (await success('audit')).split('\n')
    expect(lines[1]!.replaceAll(/ {2,}/g, ' | ')).toBe(
      '2026-03-01T12:00:31Z | key:key_... | job.pause | job_... | status: "active" -> "paused"',
    )
  })
})

describe('kron keys and secrets', () => {
  it('creates a key alone on stdout, which then works', async () => {
    const made = await run('keys create deployment --scope read --expires-in 90d')
    expect(made.stderr).toBe(
      'kron: the key of deployment (read); save it, it will not be shown again:\n',
    )
    expect(made.stdout).toMatch(/^kron_[0-9a-z]{8}_[0-9a-z]{40}\n$/)
    const env = { KRON_KEY: made.stdout.trim() }
    expect((await kron.run(['jobs'], { env })).exitCode).toBe(0)
    expect(await kron.run(['jobs', 'create', 'x'], { env })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('[scope_missing]'),
    })
    const keys = await kron.json<KeyDocument[]>('keys')
    expect(keys.map(({ name, expiresAt }) => [name, expiresAt]).sort()).toEqual([
      ['admin', null],
      ['deployment', '2026-05-30T12:00:30Z'],
    ])
    expect(await success('keys revoke deployment')).toBe('revoked deployment\n')
    expect(await success('keys')).toMatch(/deployment .* revoked/)
    expect((await kron.run(['jobs'], { env })).exitCode).toBe(1)
  })

  it('makes, rotates and deletes a secret', async () => {
    const made = await run('secrets put billing')
    expect(made.stdout).toMatch(/^whsec_[\w+/=]+\n$/)
    expect(made.stderr).toBe('kron: the value of billing; save it, it will not be shown again:\n')
    expect((await run('secrets rotate billing --overlap 1h')).stdout).not.toBe(made.stdout)
    const shown = await success('secrets show billing')
    expect(shown).toContain('signs until 2026-03-01T13:00:30Z\n')
    expect(shown).not.toContain('whsec_')
    expect(await success('secrets delete billing --yes')).toBe('deleted billing\n')
  })

  it('takes the value of a secret from standard input only', async () => {
    const value = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const put = await kron.run(['secrets', 'put', 'billing', '--value', '-'], {
      input: `${value}\n`,
    })
    expect(put.exitCode).toBe(0)
    expect(put.stdout).not.toContain(value)
    expect((await kron.run(['secrets', 'put', 'billing', '--value', value])).stderr).toBe(
      'kron: --value must be -: the secret itself comes from standard input\n',
    )
  })
})
