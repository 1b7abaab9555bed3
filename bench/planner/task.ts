import { pathToFileURL } from 'node:url'
import type { Tally } from './figures.ts'
import { play, playPooled } from './play.ts'
import { policies } from './policies/index.ts'
import type { World } from './world.ts'
import ownWorlds from './worlds/index.ts'

/** All seeds of one policy in one world, or of the pool in all worlds. */
export interface Task {
  readonly policy: string
  /** null for all of them. */
  readonly world: number | null
  readonly budget: number
  readonly seeds: number
  /** The worlds of a file instead of our own. */
  readonly file: string | null
}

/** By world and seed; null where the policy can't be played. */
export type TaskResult = readonly (readonly Tally[])[] | null

export async function worldsOf(file: string | null): Promise<readonly World[]> {
  if (file === null) return ownWorlds
  const loaded = (await import(pathToFileURL(file).href)) as { readonly default: readonly World[] }
  return loaded.default
}

export async function perform({ policy, world, budget, seeds, file }: Task): Promise<TaskResult> {
  const worlds = await worldsOf(file)
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1)
  if (world === null) {
    const bySeed = numbers.map((seed) => playPooled(worlds, seed, budget))
    return worlds.map((_, index) => bySeed.map((tallies) => tallies[index]!))
  }
  const found = policies.find(({ name }) => name === policy)!
  const tallies: Tally[] = []
  for (const seed of numbers) {
    const tally = play(worlds[world]!, seed, found, budget)
    if (tally === null) return null
    tallies.push(tally)
  }
  return [tallies]
}
