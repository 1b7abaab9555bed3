import { expect, it } from 'vitest'
import { keepTheAxioms, seedsOf } from './worlds.js'

it('the scheduler keeps the axioms of its theory in worlds with even seeds', async () => {
  const seeds = seedsOf('even')
  await keepTheAxioms(seeds)
  expect(seeds.every(Number.isInteger)).toBe(true)
})
