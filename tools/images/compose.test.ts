import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { durationArgument } from '@kron/command'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { type ComposeService, composeFile, composeText } from './compose-file.ts'
import { understood } from './serve-call.ts'

const secrets = {
  POSTGRES_PASSWORD: 'of-postgres',
  KRON_DATABASE_PASSWORD: 'of-kron',
  KRON_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
}
const compose = composeFile(secrets)
const { database, api, worker } = compose.services as Record<string, ComposeService> & {
  database: ComposeService
  api: ComposeService
  worker: ComposeService
}

/** As the package has it that carries the schema of the Compose specification. */
function composeSchema(): object {
  const linter = createRequire(import.meta.url).resolve('dclint/package.json')
  const schema = readFileSync(`${dirname(linter)}/schemas/compose.schema.json`, 'utf8')
  // Ajv knows the draft by its own name, which differs by its first letters.
  return { ...JSON.parse(schema), $schema: 'http://json-schema.org/draft-07/schema#' }
}

describe('compose.yaml', () => {
  it('fits the schema of the Compose specification', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    const check = ajv.compile(composeSchema())
    check(compose)
    expect(check.errors).toBeNull()
    const wrong = { ...compose, services: { api: { ...api, depend_on: {} } } }
    expect(check(wrong)).toBe(false)
  })

  it('has a database, an API that also plans, and two workers', () => {
    expect(Object.keys(compose.services)).toEqual(['database', 'api', 'worker'])
    const rolesOf = ({ command, environment }: ComposeService) =>
      understood({ words: command!, env: environment }).options.roles
    expect(rolesOf(api)).toEqual(['api', 'planner'])
    expect(rolesOf(worker)).toEqual(['worker'])
    expect(worker.deploy).toEqual({ replicas: 2 })
  })

  it.each([
    ['api', api],
    ['worker', worker],
  ])('gives kron serve options and variables that it knows: %s', (_, service) => {
    const call = { words: service.command!, env: service.environment }
    const { options, unread } = understood(call)
    expect(unread).toEqual([])
    expect(options).toMatchObject({
      database: 'postgres://kron:of-kron@database/kron',
      secretKey: secrets.KRON_SECRET_KEY,
      host: '0.0.0.0',
      // Where the health check of the image asks.
      port: 7077,
      publicUrl: 'http://127.0.0.1:7077',
      allow: [],
    })
    expect(service.tmpfs).toContain(options.folder)
    const stopMs = durationArgument('stop_grace_period', service.stop_grace_period, 0)
    expect(stopMs).toBeGreaterThan(options.graceMs)
  })

  it('starts each only when those that it needs are healthy', () => {
    const healthy = { condition: 'service_healthy' }
    expect(api.depends_on).toEqual({ database: healthy })
    expect(worker.depends_on).toEqual({ database: healthy, api: healthy })
    // The other services have the check of their image.
    expect(database.healthcheck!.test.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
  })

  it('keeps the database in a volume, and out of reach', () => {
    expect(database.image).toBe('postgres:18')
    // From version 18 on the image has its data one level below.
    expect(database.volumes![0]).toBe('database:/var/lib/postgresql')
    expect(compose.volumes).toHaveProperty('database')
    expect(database.ports).toBeUndefined()
    expect(database.networks).toEqual(['inside'])
    expect(compose.networks['inside']).toEqual({ internal: true })
  })

  it('can be reached from this machine alone', () => {
    expect(api.ports).toEqual(['127.0.0.1:7077:7077'])
    expect(worker.ports).toBeUndefined()
  })

  it.each(Object.entries(compose.services))('lets %s do no more than it needs', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    })
  })

  it('does not start without its secrets, and says where they belong', () => {
    for (const name of Object.keys(secrets)) {
      expect(() => composeFile({ ...secrets, [name]: '' })).toThrow(`${name} is not set`)
    }
    expect(composeText('compose.yaml')).not.toMatch(/PASSWORD: [^$]/)
  })

  it('has every variable in env.example, with the default that it has there', () => {
    const used = new Map(
      [...composeText('compose.yaml').matchAll(/\$\{(\w+):(?:-([^}]*)|\?[^}]*)\}/g)].map(
        ([, name, usual]) => [name!, usual ?? ''],
      ),
    )
    const named = [...composeText('env.example').matchAll(/^#?(\w+)=(.*)$/gm)]
    expect(new Map(named.map(([, name, usual]) => [name!, usual!]))).toEqual(used)
  })
})
