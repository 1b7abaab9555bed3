import { describe, it } from 'vitest'
import { keepsItsPromises, seedsOf } from './worlds.js'

const seeds = seedsOf('even')

describe('krond in a virtual world', () => {
  it.runIf(seeds.length > 0)('keeps its promises, whatever happens', () => keepsItsPromises(seeds))
})
