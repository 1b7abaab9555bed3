import { hourMs } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const meanMs = 2 * hourMs

/** Each answer differs from the one before, whether the resource changed or not: a time in it, say. */
export default [
  world('body with a time', 'bodies that lie', (random, end) => {
    const rate = (): number => 1 / meanMs
    const respond = (at: number) => ({ status: 200, durationMs: 200, body: `it is ${at}` })
    return { changes: instants(random, rate, rate(), end), rate, respond }
  }),
  world('tag that never changes', 'bodies that lie', (random, end) => {
    const rate = (): number => 1 / meanMs
    const respond = () => ({ status: 200, durationMs: 200, etag: '"same"' })
    return { changes: instants(random, rate, rate(), end), rate, respond }
  }),
]
