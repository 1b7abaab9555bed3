import { describe, expect, it } from 'vitest'
import { newEndpointSchema } from './endpoint-schema.js'

const given = { name: 'e', url: 'https://x.example/', intervalMs: 5 }
const isTaken = (contentType: string): boolean =>
  newEndpointSchema.safeParse({ ...given, body: { kind: 'text', content: '', contentType } })
    .success

describe('the type of a body', () => {
  it.each([
    'text/plain',
    'text/plain;charset=utf-8',
    'text/plain ;  charset=utf-8; format=flowed',
    'text/plain;',
    'multipart/form-data; boundary="a;;b"',
  ])('may be %s', (type) => {
    expect(isTaken(type)).toBe(true)
  })

  it.each(['', ' text/plain', 'text/plain ', 'text plain', ';', 'text/plain; a b', 'text/plän'])(
    'may not be %j',
    (type) => {
      expect(isTaken(type)).toBe(false)
    },
  )

  it.each([
    ['semicolons', ';'.repeat(197)],
    ['spaced semicolons', ' ; '.repeat(60)],
    ['words between semicolons', ';a'.repeat(90)],
    ['a quarter of a million characters', ';'.repeat(250_000)],
  ])('is refused, and not after years, with %s before what it may not have', (_, middle) => {
    expect(isTaken(`a${middle}\n`)).toBe(false)
  })
})
