import { blockBytes, doubles, type Memory, type MemoryNumbers, memoryOn } from './memory.js'
import { profileBins, profiles } from './profile.js'

/**
 * A memory as it is stored: what changes with each run, and the habits, which change only when a
 * change was seen. Numbers are those of the processor, in the order of its bytes, which is the same
 * on all that Kron supports.
 */
export interface StoredMemory {
  readonly numbers: Uint8Array
  /** null: as they were stored before, or none yet. */
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
  'resource',
  'notedAt',
  'followed',
  'otherAt',
  'comparedAt',
  'comparedMs',
  'calls',
  'otherCalls',
  'seen',
  'delayMs',
  'otherDelayMs',
] as const satisfies readonly (keyof MemoryNumbers)[]

type Missing = Exclude<keyof MemoryNumbers, (typeof names)[number]>
const nothingIsMissing: Missing extends never ? true : Missing = true
void nothingIsMissing

if (doubles !== 1 + names.length + 3 * profiles.length)
  throw new Error('the block has room for other numbers')

const sums = ['changes', 'exposureMs', 'unit'] as const
const habitsBytes = profileBins * 4

/** The length of each part. */
export const storedBytes = { numbers: blockBytes, habits: habitsBytes } as const

/** The bytes are those of the memory itself: who keeps them longer than the next run copies them. */
export function storedMemory(memory: Memory): StoredMemory {
  const { block, counts, hasNewCounts } = memory
  const wide = new Float64Array(block, 0, doubles)
  wide[0] = layout
  let at = 1
  for (const name of names) wide[at++] = memory[name]
  for (const profile of memory.profiles) for (const name of sums) wide[at++] = profile[name]
  return { numbers: new Uint8Array(block), habits: hasNewCounts ? bytesOf(counts) : null }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** null for what was stored in another layout, or was damaged. */
export function memoryOf({ numbers, habits }: StoredMemory): Memory | null {
  if (numbers.byteLength !== blockBytes) return null
  if (habits !== null && habits.byteLength !== habitsBytes) return null
  // A copy begins where numbers of eight bytes may begin. `slice` of a Buffer would be none.
  const { buffer: block } = new Uint8Array(numbers)
  const wide = new Float64Array(block, 0, doubles)
  if (wide[0] !== layout || !areNumbers(wide)) return null
  const counts =
    habits === null
      ? new Float32Array(profileBins)
      : new Float32Array(new Uint8Array(habits).buffer)
  const memory = memoryOn(block, counts)
  let at = 1
  for (const name of names) memory[name] = wide[at++]!
  for (const profile of memory.profiles) for (const name of sums) profile[name] = wide[at++]!
  return memory
}

function areNumbers(values: Float64Array): boolean {
  for (const value of values) if (!Number.isFinite(value)) return false
  return true
}
