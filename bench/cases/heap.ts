import { DueHeap } from '@kron/runtime'
import { recordReferenceLoop } from '../noise.ts'
import { randomFrom } from '../random.ts'
import { median } from '../statistics.ts'
import { ObjectHeap } from './object-heap.ts'
import { SortedArray } from './sorted-array.ts'

export const heapSteps = ['set', 'update', 'pop'] as const
export type HeapStep = (typeof heapSteps)[number]

export interface HeapTiming {
  readonly contender: string
  readonly step: HeapStep
  readonly bestNs: number
  readonly medianNs: number
}

export interface HeapResults {
  readonly entries: number
  readonly timings: readonly HeapTiming[]
}

interface Work {
  readonly keys: readonly string[]
  readonly dues: Float64Array
  readonly newDues: Float64Array
}

interface Step {
  readonly operations: number
  run(): void
}

interface HeapContender {
  readonly name: string
  /** A fresh structure; its steps follow each other. */
  steps(work: Work): Record<HeapStep, Step>
}

interface Queue {
  set(key: string, due: number): void
  pop(): { key: string; due: number } | undefined
}

const contenders: readonly HeapContender[] = [
  { name: 'kron DueHeap', steps: (work) => stepsOf(new DueHeap<string>(), work) },
  { name: 'binary heap of objects', steps: (work) => stepsOf(new ObjectHeap(), work) },
  { name: 'sorted array', steps: sortedArraySteps },
]

export function runHeap(entries: number, rounds: number): HeapResults {
  const work = workOf(entries)
  const samples = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length]!
      const steps = contender.steps(work)
      for (const step of heapSteps) {
        recordReferenceLoop()
        const start = performance.now()
        steps[step].run()
        const ns = ((performance.now() - start) * 1e6) / steps[step].operations
        const id = `${contender.name}/${step}`
        samples.set(id, [...(samples.get(id) ?? []), ns])
      }
    }
  }
  const timings = contenders.flatMap(({ name }) =>
    heapSteps.map((step) => {
      const ns = samples.get(`${name}/${step}`)!
      return { contender: name, step, bestNs: Math.min(...ns), medianNs: median(ns) }
    }),
  )
  return { entries, timings }
}

function workOf(entries: number): Work {
  const random = randomFrom(1_000_003)
  const yearMs = 365 * 86_400_000
  const times = (): Float64Array =>
    Float64Array.from({ length: entries }, () => Math.floor(random() * yearMs))
  return {
    keys: Array.from({ length: entries }, (_, index) => `job-${index}`),
    dues: times(),
    newDues: times(),
  }
}

function stepsOf(queue: Queue, { keys, dues, newDues }: Work): Record<HeapStep, Step> {
  return {
    set: { operations: keys.length, run: () => setAll(queue, keys, dues) },
    update: { operations: keys.length, run: () => setAll(queue, keys, newDues) },
    pop: { operations: keys.length, run: () => popAll(queue, keys.length) },
  }
}

function sortedArraySteps({ keys, dues, newDues }: Work): Record<HeapStep, Step> {
  const array = new SortedArray()
  // Each moves megabytes: a sample of them is enough to know.
  const sample = keys.slice(0, 500)
  return {
    set: { operations: keys.length, run: () => array.fill(keys, dues) },
    update: { operations: sample.length, run: () => setAll(array, sample, newDues) },
    pop: { operations: keys.length, run: () => popAll(array, keys.length) },
  }
}

function setAll(queue: Queue, keys: readonly string[], dues: Float64Array): void {
  for (let index = 0; index < keys.length; index++) queue.set(keys[index]!, dues[index]!)
}

function popAll(queue: Queue, expected: number): void {
  let count = 0
  let latest = Number.NEGATIVE_INFINITY
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    if (entry.due < latest) throw new RangeError(`popped ${entry.due} after ${latest}`)
    latest = entry.due
    count++
  }
  if (count !== expected) throw new RangeError(`popped ${count} entries of ${expected}`)
}
