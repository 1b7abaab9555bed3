import { type HeapResults, type HeapStep, heapSteps } from '../cases/heap.ts'
import { duration, grouped } from './figures.ts'
import type { Table } from './table.ts'

const stepTitles: Record<HeapStep, string> = {
  set: 'set each',
  update: 'update each',
  pop: 'pop each',
}

export function heapTable({ entries, timings }: HeapResults): Table {
  const names = [...new Set(timings.map(({ contender }) => contender))]
  const rows = names.map((name) => [
    name,
    ...heapSteps.map((step) => {
      const timing = timings.find((entry) => entry.contender === name && entry.step === step)
      return duration(timing?.bestNs ?? Number.NaN)
    }),
  ])
  return {
    title: `heap: ${grouped(entries)} keys by due time, time for one operation`,
    head: ['structure', ...heapSteps.map((step) => stepTitles[step])],
    rows,
    notes: [
      'The sorted array is filled by one sort, and only 500 of its entries are updated.',
      'Kron keeps keys of one time in the order they were set; the others do not.',
    ],
  }
}
