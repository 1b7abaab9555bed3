import {
  compileTemplate,
  type ExchangeRequest,
  parseTarget,
  type Target,
  type Template,
  type TemplateValues,
} from '../dispatch/index.js'
import { type Body, type Endpoint, instantText, runId } from '../domain/index.js'
import type { Vault } from '../secrets/index.js'
import type { ClaimedRun } from '../store/index.js'
import { webhookHeaders } from '../webhook/index.js'

/** What differs from one attempt of a run to the next. */
export interface Attempt {
  readonly attempt: number
  readonly secrets: readonly string[]
  /** Dates the signature, in ms. */
  readonly now: number
  /** Of the lease: nothing may take longer. */
  readonly leftMs: number
}

/** An endpoint's request with everything done that is the same for each run. */
export class RequestTemplate {
  readonly #endpoint: Endpoint
  readonly #url: Template
  /** Where all its requests go, if that is the same for each. */
  readonly #target: Target | null
  readonly #headers: readonly (readonly [name: string, value: Template])[]
  readonly #body: Template | Uint8Array | null

  constructor(endpoint: Endpoint, vault: Vault) {
    const { url, headers, body } = endpoint.definition
    const { tenantId } = endpoint
    this.#endpoint = endpoint
    this.#url = compileTemplate(url, 'url', 'url')
    this.#target = this.#url.hasPlaceholders ? null : knownTarget(url)
    const own = Object.entries(headers).map(([name, sealed]): [string, Template] => {
      const value = vault.open(sealed, { purpose: 'header', tenantId })
      return [name.toLowerCase(), compileTemplate(value, 'header', `headers.${name}`)]
    })
    const type = contentTypeOf(body)
    const hasType = type === null || own.some(([name]) => name === 'content-type')
    this.#headers = hasType ? own : [['content-type', compileTemplate(type, 'header')], ...own]
    this.#body = bodyOf(body)
  }

  render(run: ClaimedRun, { attempt, secrets, now, leftMs }: Attempt): ExchangeRequest {
    const { definition } = this.#endpoint
    const id = runId(run)
    const values = new RunValues(id, run.scheduledFor, attempt)
    const body =
      this.#body === null || this.#body instanceof Uint8Array
        ? this.#body
        : this.#body.render(values)
    const headers: Record<string, string> = {}
    for (const [name, value] of this.#headers) headers[name] = value.render(values)
    headers['kron-run-id'] = id
    headers['kron-period-id'] = run.periodId
    headers['kron-attempt'] = String(attempt)
    headers['idempotency-key'] ??= id
    const signed = (sent: Uint8Array | string) => ({
      ...webhookHeaders(secrets, id, Math.floor(now / 1000), sent),
    })
    if (secrets.length > 0) Object.assign(headers, signed(body ?? ''))
    const mayLoseBody = definition.redirects === 'follow' && body !== null && secrets.length > 0
    return {
      tenantId: this.#endpoint.tenantId,
      method: definition.method,
      url: this.#url.render(values),
      target: this.#target,
      headers,
      body,
      // What is signed is what is sent: a redirect that drops the body has its own signature.
      ...(mayLoseBody && { headersWithoutBody: () => signed('') }),
      timeoutMs: Math.min(definition.timeoutMs, leftMs),
      maxResponseBytes: definition.maxResponseSizeKb * 1024,
      redirects: definition.redirects,
    }
  }
}

/** What is wrong with the URL is said by the dispatcher, for each run. */
function knownTarget(url: string): Target | null {
  const target = parseTarget(url)
  return 'origin' in target ? target : null
}

/** Texts that only some templates need. */
class RunValues implements TemplateValues {
  readonly runId: string
  readonly attempt: number
  readonly #scheduledFor: number

  constructor(runId: string, scheduledFor: number, attempt: number) {
    this.runId = runId
    this.attempt = attempt
    this.#scheduledFor = scheduledFor
  }

  get scheduledFor(): string {
    return instantText(this.#scheduledFor)
  }
}

function contentTypeOf(body: Body | null): string | null {
  if (body === null) return null
  if (body.contentType !== null) return body.contentType
  if (body.kind === 'json') return 'application/json'
  return body.kind === 'text' ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

function bodyOf(body: Body | null): Template | Uint8Array | null {
  if (body === null) return null
  if (body.kind === 'binary') return Buffer.from(body.content, 'base64')
  return compileTemplate(body.content, body.kind, 'body')
}
