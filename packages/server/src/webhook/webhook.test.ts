import { ConfigurationError, ValidationError } from '@kron/core'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createWebhookSecret, sign, verify, webhookHeaders } from './index.js'

/** The example in the tests of Standard Webhooks itself. */
const known = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  payload: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const headers = {
  'webhook-id': known.id,
  'webhook-timestamp': String(known.timestamp),
  'webhook-signature': known.signature,
}
const at = (seconds: number) => ({ now: () => seconds * 1000 })
const onTime = at(known.timestamp)
const codeOf = (...args: Parameters<typeof verify>): string => {
  const verification = verify(...args)
  return verification.valid ? 'valid' : verification.code
}

describe('a signature', () => {
  it('is the one of the known example, for text and for bytes', () => {
    const { secret, id, timestamp, payload, signature } = known
    expect(sign([secret], id, timestamp, payload)).toBe(signature)
    expect(sign([secret], id, timestamp, Buffer.from(payload))).toBe(signature)
    expect(webhookHeaders([secret], id, timestamp, payload)).toEqual(headers)
  })

  it('is made with each secret in turn', () => {
    const other = createWebhookSecret()
    const both = sign([known.secret, other], known.id, known.timestamp, known.payload)
    const [first, second, ...rest] = both.split(' ')
    expect(first).toBe(known.signature)
    expect(second).toBe(sign([other], known.id, known.timestamp, known.payload))
    expect(rest).toEqual([])
  })

  it('is the one that the library of Standard Webhooks makes, and is taken by it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/)
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 })
    fc.assert(
      fc.property(key, id, text, (bytes, messageId, payload) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
        const theirs = new Webhook(secret)
        const now = new Date()
        const seconds = Math.floor(now.getTime() / 1000)
        const signed = webhookHeaders([createWebhookSecret(), secret], messageId, seconds, payload)
        expect(signed['webhook-signature']).toContain(theirs.sign(messageId, now, payload))
        expect(verify([secret], { ...signed }, payload, at(seconds)).valid).toBe(true)
        const json = JSON.stringify({ payload })
        const ofJson = webhookHeaders([createWebhookSecret(), secret], messageId, seconds, json)
        expect(theirs.verify(json, { ...ofJson })).toEqual({ payload })
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  it.each(['a.b', '', 'a b', 'a\n', '\u00e9'])('is not made for the identifier %j', (id) => {
    expect(() => sign([known.secret], id, 1, '')).toThrow(ValidationError)
  })

  it.each([1.5, -1, Number.NaN])('is not made for the timestamp %d', (timestamp) => {
    expect(() => sign([known.secret], 'id', timestamp, '')).toThrow(ValidationError)
  })

  it('is not made without a secret', () => {
    expect(() => sign([], 'id', 1, '')).toThrow(ValidationError)
  })
})

describe('a secret', () => {
  it('is new each time and long enough', () => {
    const [one, other] = [createWebhookSecret(), createWebhookSecret()]
    expect(one).not.toBe(other)
    expect(Buffer.from(one.slice(6), 'base64')).toHaveLength(32)
  })

  const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 7).toString('base64')}`
  it.each([
    ['without its prefix', known.secret.slice(6)],
    ['that is empty', 'whsec_'],
    ['that is too short', ofBytes(23)],
    ['that is too long', ofBytes(65)],
    ['that is not base64', `${known.secret.slice(0, -1)}!`],
    ['with a piece missing', known.secret.slice(0, -1)],
  ])('%s is refused and not repeated', (_, secret) => {
    try {
      sign([secret], 'id', 1, '')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      const shown = JSON.stringify({ ...(error as object), message: (error as Error).message })
      expect(shown).not.toContain(secret.slice(6) || 'none')
    }
  })

  it.each([24, 64])('of %d bytes is good', (count) => {
    expect(sign([ofBytes(count)], 'id', 1, '')).toMatch(/^v1,/)
  })
})

describe('a received request', () => {
  const secrets = [known.secret]

  it('is valid when it is just what was signed', () => {
    expect(verify(secrets, headers, known.payload, onTime)).toEqual({
      valid: true,
      id: known.id,
      timestampSeconds: known.timestamp,
    })
  })

  it('may spell header names in any case', () => {
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    expect(codeOf(secrets, upper, known.payload, onTime)).toBe('valid')
  })

  it.each<[what: string, changed: object, payload: string]>([
    ['payload', {}, '{"test": 2432232315}'],
    ['identifier', { 'webhook-id': 'msg_other' }, known.payload],
    ['timestamp', { 'webhook-timestamp': String(known.timestamp + 1) }, known.payload],
    ['signature', { 'webhook-signature': known.signature.replace('g0', 'h0') }, known.payload],
    ['version', { 'webhook-signature': known.signature.replace('v1', 'v2') }, known.payload],
    ['padding', { 'webhook-signature': known.signature.slice(0, -1) }, known.payload],
  ])('with another %s is not valid', (_, changed, payload) => {
    expect(codeOf(secrets, { ...headers, ...changed }, payload, onTime)).toBe('signature_mismatch')
  })

  it.each(Object.keys(headers))('without %s is not valid', (name) => {
    const rest = { ...headers, [name]: undefined }
    expect(codeOf(secrets, rest, known.payload, onTime)).toBe('header_missing')
  })

  it('is not valid when a part of its payload was moved into the identifier', () => {
    const payload = `${known.timestamp}.moved`
    const signed = webhookHeaders(secrets, 'id', known.timestamp, payload)
    expect(codeOf(secrets, { ...signed }, payload, onTime)).toBe('valid')
    const moved = { ...signed, 'webhook-id': `id.${known.timestamp}` }
    expect(codeOf(secrets, moved, 'moved', onTime)).toBe('id_invalid')
  })

  it.each(['a.b', 'a b', 'a\n', '\u00e9'])('for the identifier %j is not valid', (id) => {
    expect(codeOf(secrets, { ...headers, 'webhook-id': id }, known.payload, onTime)).toBe(
      'id_invalid',
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '300' as never])(
    'is not judged with %s as the time or the tolerance',
    (value) => {
      const check = (options: Parameters<typeof verify>[3]) => () =>
        verify(secrets, headers, known.payload, options)
      expect(check({ ...onTime, toleranceSeconds: value })).toThrow(ValidationError)
      expect(check({ now: () => value })).toThrow(ValidationError)
    },
  )

  it.each(['x', '1.5', '-1', '1e9', ' 1', '9'.repeat(16)])('at %j is not valid', (timestamp) => {
    const changed = { ...headers, 'webhook-timestamp': timestamp }
    expect(codeOf(secrets, changed, known.payload, onTime)).toBe('timestamp_invalid')
  })

  it.each([
    [-301, 'timestamp_future'],
    [-300, 'valid'],
    [300, 'valid'],
    [301, 'timestamp_old'],
  ])('is judged %d s after it was signed: %s', (afterSeconds, code) => {
    const options = at(known.timestamp + afterSeconds)
    expect(codeOf(secrets, headers, known.payload, options)).toBe(code)
    const wider = { ...options, toleranceSeconds: 301 }
    expect(codeOf(secrets, headers, known.payload, wider)).toBe('valid')
  })

  it('needs one good signature among several, whatever their versions', () => {
    const others = `v1a,AAAA v2,${known.signature.slice(3)} v1,AAAA`
    const withOne = { ...headers, 'webhook-signature': `${others} ${known.signature} v3,x` }
    expect(codeOf(secrets, withOne, known.payload, onTime)).toBe('valid')
    const withNone = { ...headers, 'webhook-signature': others }
    expect(codeOf(secrets, withNone, known.payload, onTime)).toBe('signature_mismatch')
  })

  it('is valid by the old or the new secret while they overlap', () => {
    const next = createWebhookSecret()
    const signed = webhookHeaders([next, known.secret], 'id', known.timestamp, 'x')
    for (const held of [[known.secret], [next], [createWebhookSecret(), next]]) {
      expect(codeOf(held, { ...signed }, 'x', onTime)).toBe('valid')
    }
    expect(codeOf([createWebhookSecret()], { ...signed }, 'x', onTime)).toBe('signature_mismatch')
    expect(codeOf([], { ...signed }, 'x', onTime)).toBe('signature_mismatch')
  })
})
