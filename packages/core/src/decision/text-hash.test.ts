import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hexOf } from './seed-hash.js'
import { hashText } from './text-hash.js'

const state = new Int32Array(8)

function expectSha256(text: string): void {
  hashText(text, state)
  expect(hexOf(state)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
}

it('is SHA-256 for every length around the sizes of blocks', () => {
  for (let length = 0; length < 200; length++) expectSha256('t'.repeat(length))
})

it('is SHA-256 of any well-formed text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), expectSha256))
})
