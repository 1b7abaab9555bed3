import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperations } from './routes/all-operations.js'
import { ApiWorld } from './testing/api-world.js'

interface Documented {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, { content?: Record<string, object> }>>
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> }
}

const operations = allOperations().map((operation) => [operation.operationId, operation] as const)

describe('the document of the API', () => {
  let world: ApiWorld
  let document: {
    openapi: string
    paths: Record<string, Record<string, Documented>>
    components: { schemas: Record<string, { additionalProperties?: unknown }> }
  }

  beforeAll(async () => {
    world = await ApiWorld.open()
    document = (await world.sender(null)('GET', '/api/v1/openapi.json')).body
  })
  afterAll(() => world.close())

  it('is public and of version 3.1', () => {
    expect(document.openapi).toBe('3.1.0')
  })

  it('promises what holds: at most once a period, as the package does', () => {
    const file = new URL('../../package.json', import.meta.url)
    const { description } = JSON.parse(readFileSync(file, 'utf8')) as { description: string }
    for (const text of [description, JSON.stringify(document)]) {
      expect(text).toContain('at most once a period, whatever crashes')
      expect(text).not.toMatch(/exactly.once/i)
    }
  })

  it('has every operation, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method} ${path} ${operationId}`,
      ),
    )
    const declared = operations.map(([id, { method, path }]) => `${method} /api/v1${path} ${id}`)
    expect(documented.sort()).toEqual(declared.sort())
    expect(new Set(operations.map(([id]) => id)).size).toBe(operations.length)
  })

  it.each(operations)('says of %s what it needs, gives and may refuse', (_, operation) => {
    const { method, path, scope, answer, body, query } = operation
    const documented = document.paths[`/api/v1${path}`]![method]!
    expect(documented.summary.length).toBeGreaterThan(8)
    expect(documented.security.length > 0).toBe(scope !== null)
    expect(documented.responses[String(answer.status)]).toBeDefined()
    for (const status of ['400', '429', '500', '503']) {
      const content = documented.responses[status]!.content!
      expect(Object.keys(content)).toEqual(['application/problem+json'])
    }
    const named = (documented.parameters ?? []).map((parameter) => parameter.name)
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(named).toContain(name)
    if (query !== undefined) {
      const shape = Object.keys((query as unknown as { shape: object }).shape)
      expect(named).toEqual(expect.arrayContaining(shape))
    }
    expect(documented.requestBody !== undefined).toBe(body !== undefined)
  })

  it.each(operations)('has examples for %s that are right', (_, { answer, body, bodyExample }) => {
    if (answer.schema !== undefined) {
      expect(answer.schema.safeParse(answer.example).error?.issues).toBeUndefined()
      expect(answer.example).toBeDefined()
    }
    if (body !== undefined) {
      expect(bodyExample).toBeDefined()
      expect(body.safeParse(bodyExample).error?.issues).toBeUndefined()
    }
  })

  it('lets nobody send fields that do not exist', () => {
    for (const [, { body }] of operations) {
      if (body === undefined) continue
      const found = body.safeParse({ nobodyKnowsThis: 1 })
      const codes = found.error!.issues.map(({ code }) => code)
      expect(codes).toContain('unrecognized_keys')
    }
  })
})
