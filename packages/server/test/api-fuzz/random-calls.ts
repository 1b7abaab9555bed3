import type { Random } from './random.js'
import { allowedValue, damaged, nastyValue, type Schema, type Schemas } from './schema-values.js'

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Schemas }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

export interface RandomCall {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const brokenTexts = [
  '{',
  '{"a":}',
  '[1,]',
  'nul',
  '"',
  '{"name":"\\x"}',
  '\ufeff{}',
  '01',
  '\u0001',
]
/** Bodies where none is expected. */
const uncalledFor = ['{}', ' ', '{"force":true}', '[]', '{']
const badIds = ['x', '%00', '..', '%2e%2e%2f', 'ep_', 'run__', '%F0%9F%98%80', '%', 'a'.repeat(600)]
const oddHeaders: readonly (readonly [string, string])[] = [
  ['if-match', '"1"'],
  ['if-match', 'nonsense'],
  ['if-match', 'W/"1"'],
  ['idempotency-key', 'same'],
  ['idempotency-key', 'two words'],
  ['authorization', 'Bearer kron_wrong'],
  ['authorization', ''],
  ['cookie', 'kron_session=x; other'],
  ['accept', 'text/html'],
  ['content-length', '5'],
]

/** Calls made from the document: most as it says, many with something wrong. */
export class RandomCalls {
  readonly #document: ApiDocument
  readonly #random: Random
  /** Ids that exist, by the names that paths have for them. */
  readonly #ids: Readonly<Record<string, string[]>>
  readonly #operations: readonly (readonly [string, string, DocumentedOperation])[]

  constructor(document: ApiDocument, random: Random, ids: Readonly<Record<string, string[]>>) {
    this.#document = document
    this.#random = random
    this.#ids = ids
    this.#operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => [path, method, operation] as const),
    )
  }

  next(): RandomCall {
    const random = this.#random
    const [path, method, operation] = this.#pick()
    const body = this.#body(operation)
    const headers: Record<string, string> = {}
    if (body !== null) headers['content-type'] = 'application/json'
    if (body !== null && random.chance(0.03)) {
      headers['content-type'] = random.pick(['text/plain', 'application/json; charset=x', 'x'])
    }
    if (random.chance(0.1)) {
      const [name, value] = random.pick(oddHeaders)
      headers[name] = value
    }
    return {
      operationId: operation.operationId,
      method: random.chance(0.04) ? random.pick(methods) : method.toUpperCase(),
      path: this.#path(path) + this.#query(operation),
      headers,
      body,
    }
  }

  #pick(): readonly [string, string, DocumentedOperation] {
    const picked = this.#random.pick(this.#operations)
    // One forecast costs as much as hundreds of other calls.
    const isCostly = picked[2].operationId === 'forecast' && this.#random.chance(0.9)
    return isCostly ? this.#pick() : picked
  }

  #path(path: string): string {
    const random = this.#random
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const known = this.#ids[name] ?? []
      if (known.length === 0 || random.chance(0.1)) return random.pick(badIds)
      // The last characters alone count up: another one there could be the key that calls.
      return random.chance(0.8)
        ? random.pick(known)
        : random.pick(known).replace(/.{8}$/, '00000000')
    })
    return random.chance(0.01) ? `${filled}/more` : filled
  }

  #query({ parameters = [] }: DocumentedOperation): string {
    const random = this.#random
    const query = new URLSearchParams()
    for (const { name, in: place, schema } of parameters) {
      if (place !== 'query' || random.chance(0.7)) continue
      const value = allowedValue(schema, this.#document.components.schemas, random)
      for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
      if (random.chance(0.1)) query.set(name, JSON.stringify(nastyValue(random)))
      if (random.chance(0.05)) query.append(name, 'again')
    }
    if (random.chance(0.02)) query.append(random.pick(['x', '__proto__', '', 'limit']), 'y')
    return query.size === 0 ? '' : `?${query}`
  }

  #body({ requestBody }: DocumentedOperation): string | null {
    const random = this.#random
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) return random.chance(0.04) ? random.pick(uncalledFor) : null
    const dice = random.next()
    if (dice < 0.03) return null
    if (dice < 0.08) return random.pick(brokenTexts)
    if (dice < 0.1) return JSON.stringify({ name: 'x'.repeat(300_000) })
    if (dice < 0.12) return '['.repeat(50_000)
    if (dice < 0.14) return `{"name":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`
    if (dice < 0.15) return '{"__proto__":{"admin":true},"name":"x"}'
    const value = allowedValue(schema, this.#document.components.schemas, random)
    return JSON.stringify(dice < 0.45 ? damaged(value, random) : value)
  }
}
