import {
  leastShare,
  type Memory,
  newMemory,
  shareBudget,
} from '../../packages/server/dist/learner/index.js'
import { calendarOf } from './calendar.ts'
import type { Tally } from './figures.ts'
import { Match } from './match.ts'
import { outagesOf } from './outages.ts'
import type { Policy } from './policies/policy.ts'
import { bandOf, learner } from './policies/rules.ts'
import { hourMs, type World } from './world.ts'

/** One policy in one world. null where it can't be played. */
export function play(world: World, seed: number, policy: Policy, budget: number): Tally | null {
  const target = world.make(seed)
  const calendar = calendarOf(world)
  const player = policy.play({ world, target, calendar, budget })
  if (player === null) return null
  const match = new Match(world, target, calendar, player, outagesOf(world, seed))
  while (!match.isOver) match.step()
  return match.close()
}

/** A world under a common budget, and its share of it. */
interface Pooled {
  readonly world: World
  readonly memory: Memory
  readonly match: Match
  budget: number
}

const shareEveryMs = hourMs

/** The learner in all worlds at once, with one budget for all. */
export function playPooled(worlds: readonly World[], seed: number, budget: number): Tally[] {
  const pool = worlds.map((world) => pooled(world, seed, budget))
  for (let share = shareEveryMs; pool.some(({ match }) => !match.isOver); share += shareEveryMs) {
    for (const { match } of pool) while (!match.isOver && match.at < share) match.step()
    const members = pool.map(({ world, memory }) => ({
      memory,
      baselineMs: world.baselineMs,
      minMs: world.minIntervalMs,
    }))
    shareBudget(members, budget).forEach((part, index) => {
      pool[index]!.budget = part
    })
  }
  return pool.map(({ match }) => match.close())
}

function pooled(world: World, seed: number, budget: number): Pooled {
  const target = world.make(seed)
  const calendar = calendarOf(world)
  const memory = newMemory(world.baselineMs, 0)
  const { baselineMs, minMs, maxMs } = bandOf({ world })
  const band = { baselineMs, minMs, maxMs: Math.min(maxMs, baselineMs / leastShare) }
  const player = learner({ world, target, calendar, budget }, memory, () => ({
    ...band,
    budget: member.budget,
  }))
  const match = new Match(world, target, calendar, player, outagesOf(world, seed))
  const member: Pooled = { world, memory, match, budget }
  return member
}
