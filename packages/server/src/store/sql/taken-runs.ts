import type { FencedRun } from './hot-statements.js'

/** What a claim took, as it is stored beside the claim's name. */
export function takenText(taken: readonly FencedRun[]): string {
  return JSON.stringify(
    taken.map(({ endpointId, scheduledFor, fence }) => [endpointId, scheduledFor, fence]),
  )
}

export function takenOf(text: string | null): FencedRun[] {
  if (text === null) return []
  const rows = JSON.parse(text) as [string, number, number][]
  return rows.map(([endpointId, scheduledFor, fence]) => ({ endpointId, scheduledFor, fence }))
}
