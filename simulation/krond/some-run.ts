import type {
  VirtualRun,
  VirtualStart,
} from '../../packages/krond/testing/process/virtual-process.js'
import type { Random } from '../random.js'

const minute = 60_000

/** What becomes of a start: mostly well and soon, now and then slow, stubborn or impossible. */
export function someRun({ earlier }: VirtualStart, random: Random): VirtualRun {
  if (earlier === 0 && random.chance(0.05)) return { prepare: 'transient' }
  if (random.chance(0.03)) return { prepare: 'permanent' }
  if (random.chance(0.04)) return { exec: 'fails' }
  const durationMs = random.pick([0, 10, 1000, 20_000, 3 * minute, 30 * minute, 300 * minute])
  const ignoresTerm = random.chance(0.15)
  const killMs = random.chance(0.1) ? random.pick([3000, 20_000, 40 * minute]) : 0
  return { durationMs, exitCode: random.pick([0, 0, 0, 1, 127]), ignoresTerm, killMs }
}
