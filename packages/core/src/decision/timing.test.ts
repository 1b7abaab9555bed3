import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JobDefinition } from '../definition/index.js'
import { compileJob } from './job.js'
import { hexOf } from './seed-hash.js'
import { hashText } from './timing.js'

const backup: JobDefinition = {
  identity: 'prod/backup',
  schedule: '0 3 * * *',
  window: { mode: 'after', duration: '2h' },
}

const timingOf = (change: Partial<JobDefinition> = {}): string =>
  compileJob({ ...backup, ...change }).timing

it('names the timing of a job, the same in every version: hosts keep it', () => {
  expect(timingOf()).toBe('fbe7c0922ed9f4d0')
})

it.each<[string, Partial<JobDefinition>]>([
  ['identity', { identity: 'prod/other' }],
  ['policy', { policy: { concurrency: 'allow', deadline: '10m' } }],
])('stays when the %s changes', (_, change) => {
  expect(timingOf(change)).toBe(timingOf())
})

it.each<[string, Partial<JobDefinition>]>([
  ['schedule', { schedule: '1 3 * * *' }],
  ['dialect', { dialect: 'extended' }],
  ['zone', { timezone: 'Europe/Paris' }],
  ['window', { window: { mode: 'after', duration: '3h' } }],
  ['distribution', { distribution: { name: 'skewEarly' } }],
  ['seed', { seed: { strategy: 'daily' } }],
  ['salt', { seed: { strategy: 'stable', salt: 'other' } }],
  ['constraints', { constraints: { avoid: ['hours=4'] } }],
])('changes with the %s', (_, change) => {
  expect(timingOf(change)).not.toBe(timingOf())
})

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
