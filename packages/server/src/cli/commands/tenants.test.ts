import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { runCommand, wordsOf } from '../../../testing/kron-commands.js'
import { hashOfKey } from '../../access/index.js'
import { type AuditEntry, defaultRetention, type Tenant } from '../../domain/index.js'
import { loadVault } from '../../secrets/index.js'
import type { Store } from '../../store/index.js'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.js'
import { examples } from '../help-text.js'

const now = Date.UTC(2026, 2, 1, 12)
let folder: string
let data: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-tenants-'))
  data = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true }))

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runCommand([...wordsOf(line), '--data', data], () => now, { env })

async function success(line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(line)
  expect([exitCode, stderr]).toEqual([0, ''])
  return stdout
}

async function json<T>(line: string): Promise<T> {
  return JSON.parse(await success(`${line} --format json`)) as T
}

interface Created {
  readonly tenant: { readonly id: string }
  readonly key: { readonly key: string }
  readonly signingSecret: string
}

async function inStore<T>(look: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore({ path: join(data, 'kron.db'), now: () => now })
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

const auditOf = (id: string): Promise<readonly AuditEntry[]> =>
  inStore((store) =>
    store.tenant(id, async (rows) => (await rows.audit.list({ limit: 100, after: null })).items),
  )

it('names of tenants and keys hide nothing', async () => {
  await run('tenants create Example')
  const bad = 'a\u202eb'
  for (const words of [
    ['tenants', 'create', bad],
    ['tenants', 'rename', 'Example', bad],
    ['tenants', 'new-key', 'Example', '--name', bad],
  ]) {
    const { exitCode, stderr } = await runCommand([...words, '--data', data], () => now, {})
    expect([exitCode, stderr]).toEqual([
      1,
      'kron: the name must not have control or bidirectional characters, ' +
        'got U+202E as character 2\n',
    ])
  }
})

it('a database that Kron does not know is refused, and nothing is made of its name', async () => {
  for (const command of ['tenants list', 'tenants create new', 'serve']) {
    const line = `${command} --database mysql://root:secret@127.0.0.1/kron`
    const { exitCode, stdout, stderr } = await run(line)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('--database must be a postgres:// or postgresql:// URL')
    expect(stderr).not.toContain('secret')
  }
  expect(existsSync(data)).toBe(false)
  expect(existsSync('mysql:')).toBe(false)
})

describe('kron tenants create', () => {
  it('makes a tenant with a key and a secret that are in use, by the operator', async () => {
    const { tenant, key, signingSecret } = await json<Created>('tenants create shop')
    const found = await inStore((store) =>
      store.system((rows) => rows.keyByHash(hashOfKey(key.key))),
    )
    expect(found).toMatchObject({ tenantId: tenant.id, scopes: ['admin'] })
    const vault = await loadVault({ keyFile: join(data, 'secret.key') })
    const stored = await inStore((store) =>
      store.tenant(tenant.id, (rows) => rows.secrets.get('default')),
    )
    const context = { purpose: 'secret', tenantId: tenant.id } as const
    expect(vault.open(stored!.values[0]!.sealed, context)).toBe(signingSecret)
    const entries = await auditOf(tenant.id)
    expect(entries.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
      'operator key.create',
      'operator secret.create',
      'operator tenant.create',
    ])
  })

  it('shows both this once, and says so beside them', async () => {
    const { stdout, stderr } = await run('tenants create "Example Inc."')
    expect(stderr).toBe('kron: save the key and the signing secret: they will not be shown again\n')
    expect(stdout.replaceAll(/[0-9a-z]{26}|[0-9a-z]{8}_[0-9a-z]{40}|\S{43}=/g, '...')).toBe(
      [
        'tenant          Example Inc.',
        'id              ten_...',
        'key             kron_...',
        'signing secret  whsec_...',
        '',
      ].join('\n'),
    )
  })

  it('takes no name that nobody could read', async () => {
    expect(await run('tenants create " "')).toMatchObject({ exitCode: 1 })
    expect(existsSync(data)).toBe(false)
  })

  it('does not make a second sealing key for a database that has tenants', async () => {
    await json('tenants create shop')
    await rename(join(data, 'secret.key'), join(folder, 'elsewhere'))
    expect(await run('tenants create other')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^kron: there is no sealing key in .*\nhint: KRON_SECRET_KEY/),
    })
    expect(await readdir(data)).toEqual(['kron.db'])
    expect(await json<Tenant[]>('tenants')).toHaveLength(1)
  })
})

describe('kron tenants', () => {
  it('lists them in the order in which they were made', async () => {
    await json('tenants create shop')
    await json('tenants create lab')
    await json('tenants quotas lab --runs-per-month 1000000')
    const lines = (await success('tenants list')).replaceAll(/ten_\w{26}/g, 'ten_...').split('\n')
    expect(lines).toEqual([
      'tenant  created               state   runs a month  id',
      'shop    2026-03-01T12:00:00Z  active      no limit  ten_...',
      'lab     2026-03-01T12:00:00Z  active     1,000,000  ten_...',
      '',
    ])
  })

  it('shows one by its name or its id', async () => {
    const { tenant } = await json<Created>('tenants create shop')
    const shown = await success('tenants show shop')
    expect(await success(`tenants show ${tenant.id}`)).toBe(shown)
    expect(shown).toBe(
      [
        'tenant           shop',
        `id               ${tenant.id}`,
        'created          2026-03-01T12:00:00Z (now)',
        'state            active',
        'runs are kept    30d, 10,000 an endpoint',
        'bodies are kept  7d',
        '',
        'quota                 used        of',
        'endpoints                0  no limit',
        'runs this month          0  no limit',
        'AI calls this month      0  no limit',
        'AI tokens this month     0  no limit',
        'requests a minute        -  no limit',
        'shortest interval        -  no limit',
        '',
        'months begin again at 2026-04-01T00:00:00Z (in 30d12h)',
        '',
      ].join('\n'),
    )
  })

  it('changes the quotas that are said, and writes down by whom', async () => {
    const { tenant } = await json<Created>('tenants create shop')
    await json('tenants quotas shop --endpoints 5 --ai-tokens-per-month 5000000000')
    await json('tenants quotas shop --min-interval 30s')
    const { quotas } = await json<Tenant>('tenants quotas shop --endpoints none --runs-per-month 0')
    expect(quotas).toEqual({
      endpoints: null,
      runsPerMonth: 0,
      aiCallsPerMonth: null,
      aiTokensPerMonth: 5_000_000_000,
      requestsPerMinute: null,
      minIntervalMs: 30_000,
    })
    expect((await json<Tenant>('tenants show shop')).quotas).toEqual(quotas)
    expect((await auditOf(tenant.id))[0]).toMatchObject({
      actor: 'operator',
      action: 'tenant.quotas',
      subject: tenant.id,
      before: { endpoints: 5, runsPerMonth: null },
      after: { endpoints: null, runsPerMonth: 0 },
    })
  })

  it('shows what all of them together have used', async () => {
    for (const name of ['shop', 'other']) {
      const { tenant } = await json<Created>(`tenants create ${name}`)
      const store = openSqliteStore({ path: join(data, 'kron.db'), now: () => now })
      await store.tenant(tenant.id, (rows) => rows.tenant.count({ aiCalls: 600, aiTokens: 7 }))
      await store.close()
    }
    expect(await json('tenants usage')).toEqual({
      usage: { month: '2026-03', runs: 0, aiCalls: 1200, aiTokens: 14 },
      resetsAt: '2026-04-01T00:00:00Z',
    })
    const lines = (await success('tenants usage')).split('\n')
    expect(lines.slice(0, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['of all tenants', 'used'],
      ['runs this month', '0'],
      ['AI calls this month', '1,200'],
      ['AI tokens this month', '14'],
    ])
    expect(lines[5]).toMatch('months begin again at 2026-04-01T00:00:00Z')
  })

  it('changes what is kept', async () => {
    const { tenant } = await json<Created>('tenants create shop')
    const { retention } = await json<Tenant>('tenants retention shop --run-days 90 --body-days 0')
    expect(retention).toEqual({ runDays: 90, runsPerEndpoint: 10_000, bodyDays: 0 })
    expect((await json<Tenant>('tenants show shop')).retention).toEqual(retention)
    expect((await auditOf(tenant.id))[0]).toMatchObject({
      actor: 'operator',
      action: 'tenant.retention',
      before: { runDays: 30, bodyDays: 7 },
      after: { runDays: 90, bodyDays: 0 },
    })
  })

  it.each([
    ['quotas shop', 'kron: nothing to change is named\nhint: use one or more of --endpoints, '],
    ['retention shop', 'kron: nothing to change is named\nhint: use one or more of --run-days, '],
    ['quotas shop --endpoints -1', 'kron: --endpoints must be a whole number, or none'],
    ['retention shop --run-days 0', 'kron: --run-days must be a whole number from 1'],
    ['show shpo', 'kron: no tenant "shpo"; did you mean shop?\nhint: kron tenants list'],
    ['show ten_01k9x2v7m0e5s3q8r4t6w1y2zc', 'kron: no tenant has the id ten_01k9x2v7m0'],
    ['quotas twice --endpoints 1', 'kron: 2 tenants have the name "twice"\nhint: use one of these'],
  ])('explains what is wrong with %j', async (line, message) => {
    for (const name of ['shop', 'twice', 'twice']) await json(`tenants create ${name}`)
    const { exitCode, stdout, stderr } = await run(`tenants ${line}`)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr.slice(0, message.length)).toBe(message)
  })

  it('makes no database where there is none, and says so', async () => {
    for (const line of ['list', 'show x', 'quotas x --endpoints 1', 'retention x --run-days 1']) {
      expect(await run(`tenants ${line}`)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^kron: there is no database .*kron\.db\nhint: --data/),
      })
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('says why a database can not be used, as kron serve does', async () => {
    const run = await runCommand(
      wordsOf('tenants list --database postgres://kron:hidden@127.0.0.1:1/shop'),
      () => now,
    )
    expect(run).toMatchObject({ exitCode: 4, stdout: '' })
    expect(run.stderr).toMatch(
      /^kron: can't use the database postgres:\/\/kron@.*\nhint: check that/,
    )
  })

  it.each(examples.filter((example) => example.startsWith('kron tenants')))(
    'works as in the help: %s',
    async (example) => {
      await json('tenants create default')
      const line = example.replace(/^kron /, '').replace(/ --(data|database) \S+/, '')
      expect(await run(line)).toMatchObject({ exitCode: 0 })
    },
  )
})

const server = inject('postgresUrl')

describe.runIf(server !== null)('kron tenants on a real PostgreSQL', () => {
  let url: string
  beforeEach(async () => {
    url = await createDatabase(server!)
  })
  afterEach(() => dropDatabase(server!, url))

  it('makes, changes and shows tenants', async () => {
    const env = { KRON_DATABASE: url }
    expect(await run('tenants create shop', env)).toMatchObject({ exitCode: 0 })
    expect(await run('tenants create lab', env)).toMatchObject({ exitCode: 0 })
    expect(await run('tenants quotas lab --endpoints 7', env)).toMatchObject({ exitCode: 0 })
    expect(await run('tenants retention lab --run-days 7', env)).toMatchObject({ exitCode: 0 })
    const { stdout } = await run('tenants list --format json', env)
    const tenants = JSON.parse(stdout) as Tenant[]
    expect(
      tenants.map(({ name, quotas, retention }) => [name, quotas.endpoints, retention]),
    ).toEqual([
      ['shop', null, defaultRetention],
      ['lab', 7, { ...defaultRetention, runDays: 7 }],
    ])
  })

  it('says that the database has another name', async () => {
    const env = { KRON_DATABASE: url.replace(/\/[^/]+$/, '/nothing') }
    expect(await run('tenants list', env)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(
        /^kron: can't use the database .*"nothing" does not exist\nhint: /,
      ),
    })
  })
})
