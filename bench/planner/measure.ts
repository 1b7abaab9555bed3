import { thisMachine } from '../machine.ts'
import { geometricMean } from '../statistics.ts'
import { performAll } from './crew.ts'
import { figuresOf, type Tally } from './figures.ts'
import type { Options } from './options.ts'
import { policies } from './policies/index.ts'
import type { FleetResult, ParetoPoint, Results, WorldResult } from './results.ts'
import { type Compared, callsOf, compare, equalCalls, type Played } from './score.ts'
import { type Task, type TaskResult, worldsOf } from './task.ts'
import type { World } from './world.ts'

/** Budgets that the picture shows beside 1. */
const otherBudgets = [0.25, 0.5, 2]
const maxBudget = 32
const maxRounds = 5

type Say = (text: string) => void

/** All that was played: by policy, then by world. */
type Board = ReadonlyMap<string, readonly (readonly Tally[] | null)[]>

export async function measure(options: Options, say: Say): Promise<Results> {
  const worlds = await worldsOf(options.worlds)
  const all = await playAll(worlds, options, 1, say)
  const pool = (await perform([task('pooled', null, 1, options)], say))[0]!
  const again = await playAgain(worlds, all, options, say)
  const curves = options.worlds === null ? await playCurves(worlds, all, options, say) : []
  const board: Board = new Map([...all, ['pooled', pool]])
  return {
    date: new Date().toISOString().slice(0, 10),
    seeds: options.seeds,
    machine: thisMachine(),
    results: worlds.flatMap((world, index) => resultsOf(world, index, board, options.seeds)),
    fleet: fleetOf(board, options.seeds),
    compared: comparedIn(worlds, board, again),
    pareto: curves,
  }
}

const task = (policy: string, world: number | null, budget: number, options: Options): Task => ({
  policy,
  world,
  budget,
  seeds: options.seeds,
  file: options.worlds,
})

async function perform(tasks: readonly Task[], say: Say): Promise<TaskResult[]> {
  return performAll(tasks, (done) => {
    if (done % 10 === 0 || done === tasks.length) say(`${done} of ${tasks.length}`)
  })
}

async function playAll(
  worlds: readonly World[],
  options: Options,
  budget: number,
  say: Say,
): Promise<Board> {
  say(`${policies.length} policies in ${worlds.length} worlds, budget ${budget}`)
  const tasks = policies.flatMap(({ name }) =>
    worlds.map((_, index) => task(name, index, budget, options)),
  )
  const results = await perform(tasks, say)
  return new Map(
    policies.map(({ name }, policy) => [
      name,
      worlds.map((_, index) => results[policy * worlds.length + index]?.[0] ?? null),
    ]),
  )
}

/** Where a policy made other calls than the fixed schedule, with budgets that make up for it. */
async function playAgain(
  worlds: readonly World[],
  board: Board,
  options: Options,
  say: Say,
): Promise<ReadonlyMap<string, readonly Played[]>> {
  const played = new Map<string, Played[]>()
  for (const [policy, byWorld] of board) {
    byWorld.forEach((tallies, world) => {
      if (tallies !== null) played.set(`${policy}/${world}`, [{ budget: 1, tallies }])
    })
  }
  for (let round = 1; round <= maxRounds; round++) {
    const tasks = policies.flatMap(({ name }) =>
      worlds.flatMap((_, world) => {
        const budget = nextBudget(played.get(`${name}/${world}`), board.get('fixed')![world]!)
        return budget === null ? [] : [task(name, world, budget, options)]
      }),
    )
    if (tasks.length === 0) break
    say(`${tasks.length} once more, for equal calls`)
    const results = await perform(tasks, say)
    tasks.forEach(({ policy, world, budget }, at) => {
      played.get(`${policy}/${world}`)!.push({ budget, tallies: results[at]![0]! })
    })
  }
  return played
}

/** null when the calls are equal, or can't be made so. */
function nextBudget(played: readonly Played[] | undefined, fixed: readonly Tally[]): number | null {
  const last = played?.at(-1)
  if (last === undefined) return null
  const ratio = callsOf(last.tallies) / callsOf(fixed)
  if (Math.abs(ratio - 1) <= equalCalls) return null
  const budget = Math.min(Math.max(last.budget / ratio, 1 / maxBudget), maxBudget)
  return played!.some((one) => one.budget === budget) ? null : budget
}

async function playCurves(
  worlds: readonly World[],
  board: Board,
  options: Options,
  say: Say,
): Promise<ParetoPoint[]> {
  const points = pointsOf(worlds, board, board, 1)
  for (const budget of otherBudgets) {
    points.push(...pointsOf(worlds, await playAll(worlds, options, budget, say), board, budget))
  }
  return points
}

/** The means over the worlds in which something changes. */
function pointsOf(
  worlds: readonly World[],
  played: Board,
  base: Board,
  budget: number,
): ParetoPoint[] {
  return [...played].map(([policy, byWorld]) => {
    const calls: number[] = []
    const delays: number[] = []
    worlds.forEach((_, index) => {
      const tallies = byWorld[index] ?? null
      if (tallies === null) return
      const fixed = figuresOf(base.get('fixed')![index]!, 1)
      const own = figuresOf(tallies, 1)
      if (fixed.delayMs === 0 || own.delayMs === 0) return
      calls.push(own.calls / fixed.calls)
      delays.push(own.delayMs / fixed.delayMs)
    })
    return { policy, budget, calls: geometricMean(calls), delay: geometricMean(delays) }
  })
}

function resultsOf(world: World, index: number, board: Board, seeds: number): WorldResult[] {
  return [...board].flatMap(([policy, byWorld]) => {
    const tallies = byWorld[index] ?? null
    return tallies === null ? [] : [{ world: world.name, policy, ...figuresOf(tallies, seeds) }]
  })
}

/** A policy that can't be played everywhere has no figures of the fleet. */
function fleetOf(board: Board, seeds: number): FleetResult[] {
  return [...board].flatMap(([policy, byWorld]) =>
    byWorld.includes(null)
      ? []
      : [
          {
            policy,
            ...figuresOf(
              byWorld.flatMap((tallies) => tallies!),
              seeds,
            ),
          },
        ],
  )
}

function comparedIn(
  worlds: readonly World[],
  board: Board,
  again: ReadonlyMap<string, readonly Played[]>,
): Compared[] {
  return policies.flatMap(({ name }) =>
    worlds.flatMap((world, index) => {
      const played = again.get(`${name}/${index}`)
      if (played === undefined) return []
      return [compare(name, world, board.get('fixed')![index]!, played)]
    }),
  )
}
