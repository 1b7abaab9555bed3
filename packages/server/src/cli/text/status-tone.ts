import type { Cell } from '@kron/command'
import type { Tone } from '@kron/runtime'

const tones: Readonly<Record<string, Tone>> = {
  success: 'good',
  active: 'good',
  running: 'accent',
  pending: 'accent',
  failure: 'error',
  timeout: 'error',
  cancelled: 'warning',
  skipped: 'warning',
  missed: 'warning',
  paused: 'warning',
  suspended: 'warning',
  unschedulable: 'warning',
  finished: 'faint',
  archived: 'faint',
}

/** A status in its colour; `-` when there is none yet. */
export function statusCell(status: string | null): Cell {
  if (status === null) return '-'
  const tone = tones[status]
  return tone === undefined ? status : [tone, status]
}
