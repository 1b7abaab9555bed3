import { describe, it } from 'vitest'
import { keepTheirPromises, seedsOf, timeoutMs } from './worlds.js'

const seeds = seedsOf('odd')

describe('operators in a virtual cluster', () => {
  it.runIf(seeds.length > 0)(
    'keep their promises, whatever happens',
    () => keepTheirPromises(seeds),
    timeoutMs,
  )
})
