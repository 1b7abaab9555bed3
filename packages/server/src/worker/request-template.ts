import { compileTemplate, type ExchangeRequest, type Template } from '../dispatch/index.js'
import { type Body, type Endpoint, instantText, runId } from '../domain/index.js'
import type { Vault } from '../secrets/index.js'
import type { ClaimedRun } from '../store/index.js'
import { webhookHeaders } from '../webhook/index.js'

/** An endpoint's request with everything done that is the same for each run. */
export class RequestTemplate {
  readonly #endpoint: Endpoint
  readonly #url: Template
  readonly #headers: readonly (readonly [name: string, value: Template])[]
  readonly #body: Template | Uint8Array | null

  constructor(endpoint: Endpoint, vault: Vault) {
    const { url, headers, body } = endpoint.definition
    const { tenantId } = endpoint
    this.#endpoint = endpoint
    this.#url = compileTemplate(url, 'url', 'url')
    const own = Object.entries(headers).map(([name, sealed]): [string, Template] => {
      const value = vault.open(sealed, { purpose: 'header', tenantId })
      return [name.toLowerCase(), compileTemplate(value, 'header', `headers.${name}`)]
    })
    const type = contentTypeOf(body)
    const hasType = type === null || own.some(([name]) => name === 'content-type')
    this.#headers = hasType ? own : [['content-type', compileTemplate(type, 'header')], ...own]
    this.#body = bodyOf(body)
  }

  /** The request of one attempt. `nowMs` dates the signature. */
  render(
    run: ClaimedRun,
    attempt: number,
    secrets: readonly string[],
    nowMs: number,
  ): ExchangeRequest {
    const { definition } = this.#endpoint
    const id = runId(run)
    const values = { runId: id, scheduledFor: instantText(run.scheduledFor), attempt }
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
    if (secrets.length > 0) {
      Object.assign(headers, webhookHeaders(secrets, id, Math.floor(nowMs / 1000), body ?? ''))
    }
    return {
      method: definition.method,
      url: this.#url.render(values),
      headers,
      body,
      timeoutMs: definition.timeoutMs,
      maxResponseBytes: definition.maxResponseSizeKb * 1024,
      redirects: definition.redirects,
    }
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
