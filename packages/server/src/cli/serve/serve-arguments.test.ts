import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '../../dispatch/index.js'
import type { Host } from '../../process/host.js'
import { defaultServeOptions } from '../../start/serve-options.js'
import { addServe } from '../commands/serve.js'
import type { CommandPorts } from '../invocation.js'
import { type ServeArguments, serveOptions } from './serve-arguments.js'

const usual: ServeArguments = {
  data: 'kron-data',
  host: '127.0.0.1',
  signup: 'closed',
  maxTenants: '1000',
  inFlight: '20000',
  perHost: '64',
  databaseConnections: '10',
  grace: '30s',
  format: 'text',
  logLevel: 'info',
}

const optionsOf = (given: Partial<ServeArguments>, env: Readonly<Record<string, string>> = {}) =>
  serveOptions({ ...usual, ...given }, { env } as unknown as Host)

describe('options of kron serve', () => {
  it('are by default those of a server in a process', () => {
    const program = new Command()
    addServe(program, {} as CommandPorts)
    const options = serveOptions(program.commands[0]!.opts(), { env: {} } as unknown as Host)
    expect(options).toMatchObject(defaultServeOptions)
  })

  it('have the usual port only with the role api', () => {
    expect(optionsOf({}).port).toBe(7077)
    expect(optionsOf({ role: ['worker', 'api'] }).port).toBe(7077)
    expect(optionsOf({ role: ['worker', 'planner'] }).port).toBeNull()
    expect(optionsOf({ role: ['worker'], port: '9100' }).port).toBe(9100)
  })

  it('give up a lost key, or start as after a restore, only where that is said', () => {
    expect(optionsOf({})).toMatchObject({ lostKey: false, restored: false })
    expect(optionsOf({ lostKey: true })).toMatchObject({ lostKey: true, restored: false })
    expect(optionsOf({ restored: true })).toMatchObject({ lostKey: false, restored: true })
  })

  it('allow all of the machine itself only where that is said, beside what else is', () => {
    const env = { KRON_ALLOW: '10.0.0.1' }
    expect(optionsOf({ allow: ['10.0.0.2'] }, env).allow).toEqual(['10.0.0.2', '10.0.0.1'])
    const { allow } = optionsOf({ allowLocal: true }, env)
    const guard = createAddressGuard({ allow })
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '10.0.0.1']) {
      expect(guard.check(address, 8080)).toEqual({ allowed: true })
    }
    for (const address of [
      '10.0.0.2',
      '169.254.169.254',
      '0.0.0.0',
      '::ffff:127.0.0.1',
      'fd00::1',
    ]) {
      expect(guard.check(address, 8080).allowed).toBe(false)
    }
  })

  it('give who signs up limits, which can be changed but not taken away', () => {
    const { signupQuotas, maxTenants } = optionsOf({
      signupQuotas: 'endpoints=20, min-interval=1m',
      maxTenants: '7',
    })
    expect(signupQuotas).toEqual({
      endpoints: 20,
      runsPerMonth: 100_000,
      aiCallsPerMonth: 0,
      aiTokensPerMonth: 0,
      requestsPerMinute: 300,
      minIntervalMs: 60_000,
    })
    expect(maxTenants).toBe(7)
    const refused = (text: string) => expect(() => optionsOf({ signupQuotas: text }))
    refused('endpoints=none').toThrow('must have a limit')
    refused('endpoint=5').toThrow('--signup-quotas knows endpoints, runs-per-month')
    refused('endpoints').toThrow('must be a whole number')
  })

  it('have quotas of the whole system, without which there is no limit', () => {
    const none = { runsPerMonth: null, aiCallsPerMonth: null, aiTokensPerMonth: null }
    expect(optionsOf({}).systemQuotas).toEqual(none)
    const systemQuotas = 'runs-per-month=1000, ai-calls-per-month=0,ai-tokens-per-month=none'
    const given = { ...none, runsPerMonth: 1000, aiCallsPerMonth: 0 }
    expect(optionsOf({ systemQuotas }).systemQuotas).toEqual(given)
    const refused = (text: string) => expect(() => optionsOf({ systemQuotas: text }))
    refused('endpoints=5').toThrow(
      '--system-quotas knows runs-per-month, ai-calls-per-month, ai-tokens-per-month, ' +
        'got "endpoints=5"',
    )
    refused('runs-per-month=many').toThrow(
      '--system-quotas runs-per-month must be a whole number, or none for no limit, got "many"',
    )
  })

  it('take addresses of the environment without the blanks around them', () => {
    const { allow } = optionsOf({ allow: ['::1'] }, { KRON_ALLOW: ' 10.0.0.0/8, 127.0.0.1:80 ,, ' })
    expect(allow).toEqual(['::1', '10.0.0.0/8', '127.0.0.1:80'])
  })

  it('bound connections to all hosts, by default so that one host may have what it is given', () => {
    expect(optionsOf({}).connections).toBe(512)
    expect(optionsOf({ perHost: '1000' }).connections).toBe(1000)
    expect(optionsOf({ perHost: '1000', connections: '20' })).toMatchObject({
      connections: 20,
      connectionsPerOrigin: 1000,
    })
    expect(() => optionsOf({ connections: '0' })).toThrow('--connections must be a whole number')
  })

  it('have traces where the environment names a collector', () => {
    expect(optionsOf({}).tracing).toBeNull()
    const traced = optionsOf({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })
    expect(traced.tracing).toMatchObject({ url: 'http://127.0.0.1:4318/v1/traces' })
    expect(() => optionsOf({}, { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, got "127.0.0.1:4318/v1/traces"',
    )
  })

  it('find the database on the command line, in the environment, or in the folder', () => {
    const env = { KRON_DATABASE: 'postgres://db/kron' }
    expect(optionsOf({ database: 'x.db' }, env).database).toBe('x.db')
    expect(optionsOf({}, env).database).toBe('postgres://db/kron')
    expect(optionsOf({}, { KRON_DATABASE: '' }).database).toBe('kron-data/kron.db')
  })

  it.each([
    ['mysql://root:secret@db/kron', 'mysql:'],
    ['jdbc:mysql://db/kron', 'jdbc:'],
    ['sqlite:kron.db', 'sqlite:'],
    ['file:///tmp/kron.db', 'file:'],
  ])('refuse %s as a database, from every source', (database, scheme) => {
    const expected =
      'must be a postgres:// or postgresql:// URL, or the path of an SQLite file, got a URL with'
    const given = `--database ${expected} "${scheme}"`
    expect(() => optionsOf({ database })).toThrow(given)
    const env = { KRON_DATABASE: database }
    expect(() => optionsOf({}, env)).toThrow(`KRON_DATABASE ${expected} "${scheme}"`)
    expect(optionsOf({ database: 'x.db' }, env).database).toBe('x.db')
  })

  it.each(['POSTGRES://db/kron', 'postgresql://db/kron', 'C:\\kron.db', './a:b/kron.db'])(
    'take %s as a database',
    (database) => {
      expect(optionsOf({ database }).database).toBe(database)
    },
  )
})
