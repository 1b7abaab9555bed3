import { ageBins } from './ages.js'
import { levels } from './level.js'
import { agedRates, type Memory, type MemoryNumbers, newMemory } from './memory.js'
import { profileBins, profiles } from './profile.js'
import { viewCount } from './views.js'

/**
 * A memory as it is stored: what changes with each run, and the habits, which change only when a
 * change was seen. Numbers are those of the processor, in the order of its bytes, which is the same
 * on all that Node runs on.
 */
export interface StoredMemory {
  readonly numbers: Uint8Array
  readonly habits: Uint8Array | null
}

/** Counts up when the layout changes: what was stored in another one is forgotten. */
const layout = 1

/** In the order in which they are stored. */
const names = [
  'since',
  'lastLookAt',
  'lastSeenAt',
  'changedAt',
  'fingerprint',
  'changes',
  'exposureMs',
  'changedPart',
  'overspent',
  'drift',
  'slant',
  'outageAt',
  'outageLooks',
  'floorMs',
  'refusedMs',
  'cleanRuns',
  'gapMs',
] as const satisfies readonly (keyof MemoryNumbers)[]

type Missing = Exclude<keyof MemoryNumbers, (typeof names)[number]>
const nothingIsMissing: Missing extends never ? true : Missing = true
void nothingIsMissing

const sums = ['changes', 'exposureMs', 'unit'] as const
const doubles = 1 + names.length + sums.length * profiles.length
const singles = levels + viewCount + ageBins * (1 + agedRates)
const numbersBytes = doubles * 8 + singles * 4
const habitsBytes = profileBins * 4

export function storedMemory(memory: Memory): { numbers: Uint8Array; habits: Uint8Array } {
  const numbers = new ArrayBuffer(numbersBytes)
  const wide = new Float64Array(numbers, 0, doubles)
  wide[0] = layout
  let at = 1
  for (const name of names) wide[at++] = memory[name]
  for (const profile of memory.profiles) for (const name of sums) wide[at++] = profile[name]
  let from = doubles * 8
  for (const part of singlesOf(memory)) {
    new Float32Array(numbers, from, part.length).set(part)
    from += part.byteLength
  }
  const { counts } = memory
  const habits = new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength)
  return { numbers: new Uint8Array(numbers), habits: habits.slice() }
}

const singlesOf = ({ level, views, agesSeen, agesExpected }: Memory): readonly Float32Array[] => [
  level,
  views,
  agesSeen,
  ...agesExpected,
]

/** null for what was stored in another layout, or was damaged. */
export function memoryOf({ numbers, habits }: StoredMemory): Memory | null {
  if (numbers.byteLength !== numbersBytes) return null
  if (habits !== null && habits.byteLength !== habitsBytes) return null
  // A copy begins where numbers of eight bytes may begin.
  const buffer = numbers.slice().buffer
  const wide = new Float64Array(buffer, 0, doubles)
  if (wide[0] !== layout || !wide.every(Number.isFinite)) return null
  const memory = newMemory(1, 0)
  let at = 1
  for (const name of names) memory[name] = wide[at++]!
  for (const profile of memory.profiles) for (const name of sums) profile[name] = wide[at++]!
  let from = doubles * 8
  for (const part of singlesOf(memory)) {
    part.set(new Float32Array(buffer, from, part.length))
    from += part.byteLength
  }
  if (habits !== null) memory.counts.set(new Float32Array(habits.slice().buffer))
  return memory
}
