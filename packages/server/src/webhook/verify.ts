import { timingSafeEqual } from 'node:crypto'
import { systemClock } from '@kron/runtime'
import { invalidArgument, isSignedId, signature } from './signature.js'

export interface VerifyOptions {
  /** How far the sender's clock and the receiver's may be apart. By default 300. */
  readonly toleranceSeconds?: number
  /** Epoch milliseconds; by default of the clock of this machine. */
  readonly now?: () => number
}

export type Verification =
  | { readonly valid: true; readonly id: string; readonly timestampSeconds: number }
  | { readonly valid: false; readonly code: VerificationCode; readonly message: string }

export const verificationCodes = {
  header_missing: 'webhook-id, webhook-timestamp or webhook-signature is missing',
  id_invalid: 'webhook-id has characters that no signed identifier has, such as a dot',
  timestamp_invalid: 'webhook-timestamp is not a whole number of epoch seconds',
  timestamp_old: 'the request was signed too long ago',
  timestamp_future: 'the request was signed too far in the future',
  signature_mismatch: 'no signature is one that any of the secrets makes of this request',
} as const

export type VerificationCode = keyof typeof verificationCodes

/** Header names in any case, as Node.js gives them. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const maxSignatures = 100

const clock = systemClock()
const machineTime = (): number => clock.now().getTime()

/** What a receiver does. Throws only for a secret or an option that is none. */
export function verify(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  payload: Uint8Array | string,
  { toleranceSeconds = 300, now = machineTime }: VerifyOptions = {},
): Verification {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  if (id === '' || timestamp === '' || given === '') return invalid('header_missing')
  if (!isSignedId(id)) return invalid('id_invalid')
  if (!/^\d{1,15}$/.test(timestamp)) return invalid('timestamp_invalid')
  const timestampSeconds = Number(timestamp)
  // Nothing is too far from a time that is no number: such options would let everything through.
  const toleratedSeconds = finite('toleranceSeconds', toleranceSeconds)
  const nowSeconds = Math.floor(finite('now', now()) / 1000)
  if (nowSeconds - timestampSeconds > toleratedSeconds) return invalid('timestamp_old')
  if (timestampSeconds - nowSeconds > toleratedSeconds) return invalid('timestamp_future')
  const expected = secrets.map((secret) => signature(secret, id, timestamp, payload))
  if (!anyMatches(given.split(' ', maxSignatures), expected)) return invalid('signature_mismatch')
  return { valid: true, id, timestampSeconds }
}

function finite(field: string, value: number): number {
  if (!Number.isFinite(value)) throw invalidArgument(field, value, 'a finite number')
  return value
}

/** All are compared, so that the time taken does not tell which one, or how much of it, fits. */
function anyMatches(given: readonly string[], expected: readonly string[]): boolean {
  let matches = false
  for (const one of given) {
    // Versions other than v1 differ from all that is expected.
    for (const other of expected) matches = equal(one, other) || matches
  }
  return matches
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

const invalid = (code: VerificationCode): Verification => ({
  valid: false,
  code,
  message: verificationCodes[code],
})
