import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import type { ApiOptions } from '../../src/api/api-ports.js'
import { createApi } from '../../src/api/create-api.js'
import { createAddressGuard } from '../../src/dispatch/index.js'
import { noSystemQuotas, type Scope } from '../../src/domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../../src/secrets/index.js'
import type { Store } from '../../src/store/index.js'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js'
import { createKey, createTenant, inCall, type UseCasePorts } from '../../src/use-cases/index.js'

export const start = Date.parse('2026-03-01T02:32:20Z')

/** What a test reads of an answer. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

export interface TestTenant {
  readonly id: string
  readonly key: string
  readonly keyId: string
  /** Sends with the tenant's admin key. */
  readonly send: Send
}

/** An API on an empty database in memory, in virtual time. */
export class ApiWorld {
  readonly clock = new VirtualClock(start)
  readonly metrics = new MetricRegistry()
  readonly logged: string[] = []
  readonly ports: UseCasePorts
  readonly options: ApiOptions
  readonly app: ReturnType<typeof createApi>

  private constructor(store: Store, options: Partial<ApiOptions>) {
    const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
    const addressGuard = createAddressGuard({ allow: ['127.0.0.1:9999'] })
    this.ports = { store, vault, addressGuard }
    const log = createLog({
      format: 'json',
      level: 'info',
      component: 'api',
      clock: this.clock,
      write: (line) => void this.logged.push(line),
    })
    const { clock, metrics } = this
    this.options = { ...this.ports, clock, log, metrics, signup: 'closed', ...options }
    this.app = createApi(this.options)
  }

  static async open(
    options: Partial<ApiOptions> = {},
    systemQuotas = noSystemQuotas,
  ): Promise<ApiWorld> {
    let now = (): number => start
    const memory = { path: ':memory:', now: () => now(), systemQuotas }
    const store = options.store ?? openSqliteStore(memory)
    await store.migrate()
    const world = new ApiWorld(store, options)
    now = () => world.clock.now().getTime()
    return world
  }

  get store(): Store {
    return this.ports.store
  }

  async tenant(name = 'Example'): Promise<TestTenant> {
    const { tenant, key, text } = await createTenant(this.ports, { name })
    return { id: tenant.id, key: text, keyId: key.id, send: this.sender(text) }
  }

  async keyWith(tenantId: string, scopes: readonly Scope[]): Promise<string> {
    const asker = { tenantId, actor: 'test' }
    const wanted = { name: scopes.join(), scopes, expiresAt: null }
    const { text } = await inCall(this.ports, asker, (call) => createKey(call, wanted))
    return text
  }

  /** Sends with this key, or without one. */
  sender(key: string | null): Send {
    return async (method, path, body, headers = {}) => {
      const init = {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }
      const target = path.startsWith('/api') || !path.startsWith('/') ? path : `/api/v1${path}`
      return replyOf(await this.app.request(target, init))
    }
  }

  async close(): Promise<void> {
    await this.store.close()
  }
}

export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  }
}
