import { grouped } from '../../report/figures.ts'

export const milliseconds = (ms: number): string => {
  if (!Number.isFinite(ms)) return '-'
  return Math.abs(ms) < 10 ? `${ms.toFixed(1)} ms` : `${grouped(ms)} ms`
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 1000 ? 3 : 2)} s`

export const bytes = (count: number): string => `${grouped(count)} B`

export const megabytes = (count: number): string => `${grouped(count / 2 ** 20)} MB`

/** How many of all: only said when it is not all. */
export const share = (count: number, all: number): string =>
  count === all ? 'all' : `${((count / all) * 100).toFixed(1)} %`

export const processorShare = (part: number | null): string =>
  part === null ? '-' : `${(part * 100).toFixed(2)} %`
