import { recordReferenceLoop } from './noise.ts'
import { median } from './statistics.ts'

export interface Contender {
  readonly name: string
  /** Does the work this many times; the result only keeps the work from being optimized away. */
  run(iterations: number): number
}

export interface Effort {
  readonly rounds: number
  /** How long one contender works in one round. */
  readonly sliceMs: number
}

export interface Timing {
  readonly name: string
  readonly bestNs: number
  readonly medianNs: number
}

const maxIterations = 2 ** 30
const maxPieces = 5
const minInPiece = 32

/** Takes every result, so that the engine can't drop the work that made it. */
const sink = { sum: 0 }

/**
 * All contenders in turn, round by round, so that a slow moment of the machine hits every one of
 * them; each round starts with another one. The best piece of a round counts, because noise only
 * ever adds time.
 */
export function measure(contenders: readonly Contender[], effort: Effort): Timing[] {
  const expectedNs = contenders.map((contender) => roughNs(contender, effort.sliceMs))
  const samples = contenders.map((): number[] => [])
  for (let round = 0; round < effort.rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      recordReferenceLoop()
      const index = (round + turn) % contenders.length
      const pieces = slice(contenders[index]!, effort.sliceMs, expectedNs[index]!)
      samples[index]!.push(...pieces)
      // A first guess made while the code was cold or the machine busy must not stay.
      expectedNs[index] = Math.min(expectedNs[index]!, ...pieces)
    }
  }
  return contenders.map(({ name }, index) => ({
    name,
    bestNs: Math.min(...samples[index]!),
    medianNs: median(samples[index]!),
  }))
}

/** Nanoseconds for each piece of a slice: short ones more often fall between interruptions. */
function slice(contender: Contender, sliceMs: number, expectedNs: number): number[] {
  const iterations = Math.max(1, Math.round((sliceMs * 1e6) / expectedNs))
  const pieces = Math.min(maxPieces, Math.max(1, Math.floor(iterations / minInPiece)))
  const count = Math.ceil(iterations / pieces)
  return Array.from({ length: pieces }, () => nsEach(contender, count))
}

/** From ever longer tries up to half a slice; on the way there, the code gets warm. */
function roughNs(contender: Contender, sliceMs: number): number {
  for (let count = 1; ; count *= 2) {
    const ns = nsEach(contender, count)
    if (ns * count >= sliceMs * 5e5 || count >= maxIterations) return ns
  }
}

function nsEach(contender: Contender, iterations: number): number {
  const start = performance.now()
  sink.sum += contender.run(iterations)
  return ((performance.now() - start) * 1e6) / iterations
}
