import { ApiFailure } from '../api-failure.js'
import type { Call } from './call.js'

const shownCharacters = 200

/** What the API server says about a failure, of which we use this. */
interface Status {
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly causes?: readonly { readonly reason?: string }[]
    readonly retryAfterSeconds?: number
  }
}

/** Of an answer that is not a success. */
export function refusal(call: Call, code: number, retryAfter: unknown, text: string): ApiFailure {
  const status = parseStatus(text)
  return new ApiFailure(status?.message || plainMessage(call, code, text), {
    status: code,
    reason: status?.reason,
    causes: causesOf(status),
    retryAfterMs: secondsOf(retryAfter) ?? secondsOf(status?.details?.retryAfterSeconds),
  })
}

/** Of an ERROR event: the watch had begun, so that HTTP could not say it. */
export function watchRefusal(object: unknown): ApiFailure {
  const status: Status = isObject(object) ? object : {}
  const code = typeof status.code === 'number' ? status.code : 500
  return new ApiFailure(status.message || `the watch ended with an error (${code})`, {
    status: code,
    reason: status.reason ?? (code === 410 ? 'Expired' : undefined),
    causes: causesOf(status),
    retryAfterMs: secondsOf(status.details?.retryAfterSeconds),
  })
}

function parseStatus(text: string): Status | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) && parsed['kind'] === 'Status' ? parsed : null
  } catch {
    return null
  }
}

/** What stands between us and the API server answers in its own way. */
function plainMessage({ method, path }: Call, code: number, text: string): string {
  const shown = text.slice(0, shownCharacters).replaceAll(/\s+/g, ' ').trim()
  return `${method} ${path} was answered with ${code}${shown === '' ? '' : `: ${shown}`}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function causesOf(status: Status | null): string[] {
  const causes = status?.details?.causes
  if (!Array.isArray(causes)) return []
  return causes.flatMap(({ reason }: { reason?: string }) => (reason ? [reason] : []))
}

function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value * 1000 : undefined
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined
}

const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of `Warning` headers: `299 - "text"`, several of them in one line or in several. */
export function warningsOf(header: string | readonly string[] | undefined): string[] {
  const lines = [header ?? []].flat()
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map(([, text]) => text!.replaceAll(/\\(.)/g, '$1')),
  )
}
