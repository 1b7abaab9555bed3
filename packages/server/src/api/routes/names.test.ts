import { describe, expect, it } from 'vitest'
import type { Send } from '../../../testing/api/api-world.js'
import { newEndpoint } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'

type Naming = (send: Send, job: string, endpoint: string, name: string) => ReturnType<Send>

const namings: readonly [what: string, naming: Naming][] = [
  ['a job', (send, _job, _endpoint, name) => send('POST', '/jobs', { name })],
  ['a job again', (send, job, _endpoint, name) => send('PATCH', `/jobs/${job}`, { name })],
  [
    'an endpoint',
    (send, job, _endpoint, name) =>
      send('POST', `/jobs/${job}/endpoints`, { name, url: 'https://x.example', intervalMs: 5000 }),
  ],
  [
    'an endpoint again',
    (send, _job, endpoint, name) => send('PATCH', `/endpoints/${endpoint}`, { name }),
  ],
  ['a key', (send, _job, _endpoint, name) => send('POST', '/keys', { name, scopes: ['read'] })],
  ['a tenant', (send, _job, _endpoint, name) => send('POST', '/tenants', { name })],
]

describe('who names', () => {
  onBothStores(
    (api) => {
      it.each(namings)('%s must not hide anything in the name', async (_, naming) => {
        const endpoint = await newEndpoint(api.send, api.job)
        const nameIt = (name: string) => naming(api.send, api.job, endpoint, name)
        for (const [character, codePoint] of [
          ['\u202e', 'U+202E'],
          ['\u2067', 'U+2067'],
          ['\u200f', 'U+200F'],
          ['\u061c', 'U+061C'],
          ['\u001b', 'U+001B'],
          ['\u0085', 'U+0085'],
          ['\u2028', 'U+2028'],
          ['\n', 'U+000A'],
          ['\t', 'U+0009'],
        ] as const) {
          const reply = await nameIt(`𝒳 a${character}b`)
          expect(reply.status).toBe(400)
          expect(reply.body.errors).toEqual([
            {
              field: 'name',
              code: 'invalid_character',
              message:
                'name: must not have control or bidirectional characters, ' +
                `got ${codePoint} as character 4`,
              position: 4,
            },
          ])
        }
        expect((await nameIt('Zürich \u200d👩\u200d🚀 عربى')).status).toBeLessThan(300)
      })
    },
    { signup: 'open' },
  )
})
