import { timingSafeEqual } from 'node:crypto'
import { type Clock, Semaphore } from '@kron/runtime'
import { getCookie } from 'hono/cookie'
import {
  type Allowance,
  type Caller,
  hashOfKey,
  isKeyText,
  type KeyDirectory,
  type KeyOwner,
  type KeyUse,
  type LogIns,
  type LogOuts,
  mayUse,
  newSession,
  openSession,
  remoteNetwork,
  type Session,
  TokenBuckets,
} from '../access/index.js'
import type { Scope, Tenant } from '../domain/index.js'
import type { Vault } from '../secrets/index.js'
import { Refusal, tenantSuspended } from '../use-cases/index.js'
import type { ApiContext, ApiLimits } from './api-ports.js'
import { ApiError, unauthenticated } from './problem.js'

export const sessionCookie = 'kron_session'
export const csrfHeader = 'x-kron-csrf'

const maxBuckets = 10_000
const bearer = /^Bearer +(\S+) *$/i

interface AuthenticatorPorts {
  readonly keys: KeyDirectory
  readonly use: KeyUse
  readonly logIns: LogIns
  readonly logOuts: LogOuts
  readonly vault: Vault
  readonly clock: Clock
  readonly limits: ApiLimits
}

interface BrowserSession {
  readonly session: Session
  readonly owner: KeyOwner
}

/** Finds out who makes a request, and whether it is allowed now. */
export class Authenticator {
  readonly #ports: AuthenticatorPorts
  readonly #tenants = new TokenBuckets(maxBuckets)
  readonly #strangers = new TokenBuckets(maxBuckets)
  readonly #newKeys: Semaphore

  constructor(ports: AuthenticatorPorts) {
    this.#ports = ports
    this.#newKeys = new Semaphore(ports.limits.keyLookUps)
  }

  /** `cost`: how many requests it counts as. */
  async caller(context: ApiContext, scope: Scope, cost: number): Promise<Caller> {
    const caller = await this.#identified(context)
    if (caller.tenant.suspendedAt !== undefined) throw tenantSuspended()
    this.#ports.use.note(caller.key.id, this.#now())
    this.#admit(context, caller, cost)
    if (mayUse(caller.key.scopes, scope)) return caller
    const granted = caller.key.scopes.join(', ')
    throw new ApiError('scope_missing', `This needs the scope ${scope}; the key has ${granted}.`)
  }

  /**
   * The owner of a key that was sent as text. However often its neighbours have failed, a key is
   * looked up: behind a proxy all have one address, and the owner of a key is no stranger.
   */
  async ownerOfKey(text: string): Promise<KeyOwner> {
    if (!isKeyText(text)) throw unauthenticated('The API key is not one of this server.')
    const owner = await this.#lookUp(hashOfKey(text))
    if (owner === null) throw unauthenticated('The API key is unknown, revoked or expired.')
    return owner
  }

  /** The session in the request's cookie, with its owner; null without a valid one. */
  async session(context: ApiContext): Promise<BrowserSession | null> {
    const { vault, logOuts, keys } = this.#ports
    const token = getCookie(context, sessionCookie)
    const session = token === undefined ? null : openSession(vault, token)
    if (session === null || session.expiresAt <= this.#now()) return null
    const owner = await keys.byId(session.tenantId, session.keyId)
    return owner === null || (await logOuts.has(session)) ? null : { session, owner }
  }

  /** A session with a key that was sent as text. All of it is audited, refusals too. */
  async beginSession(context: ApiContext, text: string): Promise<BrowserSession> {
    const { logIns, limits } = this.#ports
    try {
      const owner = await this.ownerOfKey(text)
      if (owner.tenant.suspendedAt !== undefined) throw tenantSuspended()
      // Each leaves an entry in the audit log, so that they count like any other request.
      this.#take(owner.tenant, 1)
      const session = newSession(owner.tenant.id, owner.key.id, this.#now() + limits.sessionMs)
      await logIns.begun(session, networkOf(context))
      return { session, owner }
    } catch (error) {
      // Who has failed too often must not fill the log with it.
      if (isRefusal(error) && this.#failuresLeft(context).allowed) {
        await logIns.refused(text, networkOf(context))
      }
      throw error
    }
  }

  /** Ends the session in the request's cookie, wherever else that cookie may be. */
  async endSession(context: ApiContext): Promise<void> {
    const found = await this.session(context)
    if (found === null) return
    checkCsrf(context, found.session)
    await this.#ports.logOuts.add(found.session)
  }

  /** Throws when the sender has failed too often, or done too much without a key. */
  checkStranger(context: ApiContext): void {
    const allowance = this.#failuresLeft(context)
    if (!allowance.allowed) throw tooManyAttempts(allowance)
  }

  countStranger(context: ApiContext): Allowance {
    const { failuresPerMinute } = this.#ports.limits
    return this.#strangers.take(networkOf(context), failuresPerMinute, this.#now())
  }

  /** What a failed request without a key is answered: its error, until there were too many. */
  refusal(context: ApiContext, error: unknown): unknown {
    const allowance = this.countStranger(context)
    return allowance.allowed ? error : tooManyAttempts(allowance)
  }

  async #identified(context: ApiContext): Promise<Caller> {
    try {
      return await this.#claimed(context)
    } catch (error) {
      const isStranger = error instanceof ApiError && error.code === 'unauthenticated'
      throw isStranger ? this.refusal(context, error) : error
    }
  }

  async #claimed(context: ApiContext): Promise<Caller> {
    const header = context.req.header('authorization')
    if (header !== undefined) {
      const { key, tenant } = await this.ownerOfKey(bearer.exec(header)?.[1] ?? '')
      return { key, tenant, session: null }
    }
    const found = await this.session(context)
    if (found === null) throw unauthenticated('Send an API key: Authorization: Bearer kron_...')
    const { session, owner } = found
    checkCsrf(context, session)
    return { key: owner.key, tenant: owner.tenant, session }
  }

  /** Guesses wait for each other, so that they leave the database to those who have been here. */
  #lookUp(hash: string): Promise<KeyOwner | null> {
    const { keys, limits } = this.#ports
    if (keys.hasMet(hash)) return keys.byHash(hash)
    const found = this.#newKeys.tryRun(() => keys.byHash(hash), limits.keyLookUpsWaiting)
    if (found !== null) return found
    const headers = { 'retry-after': '1' }
    throw new ApiError(
      'rate_limited',
      'Too many unknown keys are being looked up. Try again in a second.',
      { headers },
    )
  }

  #admit(context: ApiContext, { tenant }: Caller, cost: number): void {
    const tell = (allowance: Allowance): void => {
      for (const [name, value] of Object.entries(rateHeaders(allowance)))
        context.header(name, value)
    }
    this.#take(tenant, cost, tell)
  }

  #take(tenant: Tenant, cost: number, tell?: (allowance: Allowance) => void): void {
    const limit = tenant.quotas.requestsPerMinute ?? this.#ports.limits.requestsPerMinute
    const allowance = this.#tenants.take(tenant.id, limit, this.#now(), cost)
    tell?.(allowance)
    if (allowance.allowed) return
    throw tooMany(allowance, `The tenant may make ${limit} requests a minute.`)
  }

  #failuresLeft(context: ApiContext): Allowance {
    const { failuresPerMinute } = this.#ports.limits
    return this.#strangers.peek(networkOf(context), failuresPerMinute, this.#now())
  }

  #now(): number {
    return this.#ports.clock.now().getTime()
  }
}

/** The key itself was refused, and not this moment. */
const isRefusal = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'unauthenticated') ||
  (error instanceof Refusal && error.code === 'tenant_suspended')

/** A browser adds the cookie to whatever another site makes it send, but never this header. */
function checkCsrf(context: ApiContext, { csrf }: Session): void {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') return
  const sent = Buffer.from(context.req.header(csrfHeader) ?? '')
  const expected = Buffer.from(csrf)
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return
  throw new ApiError('csrf_invalid', `Changes by a session need the header ${csrfHeader}.`)
}

function networkOf(context: ApiContext): string {
  return remoteNetwork(context.env?.incoming?.socket?.remoteAddress)
}

function rateHeaders({ limit, remaining, fullAfterMs }: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(fullAfterMs / 1000)),
  }
}

const tooManyAttempts = (allowance: Allowance): ApiError =>
  tooMany(allowance, 'Too many attempts without a valid key.')

function tooMany(allowance: Allowance, message: string): ApiError {
  const retryAfter = String(Math.max(1, Math.ceil(allowance.retryAfterMs / 1000)))
  const headers = { 'retry-after': retryAfter, ...rateHeaders(allowance) }
  return new ApiError('rate_limited', message, { headers })
}
