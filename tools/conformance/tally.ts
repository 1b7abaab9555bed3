import type { Demand } from './demand.js'

/** How many demands there are, and how they stand. */
export interface Tally {
  readonly demands: number
  readonly kept: number
  readonly deviating: number
  readonly open: number
}

export function tallyOf(demands: readonly Demand[]): Tally {
  const standing = (wanted: Demand['standing']): number =>
    demands.filter((demand) => demand.standing === wanted).length
  return {
    demands: demands.length,
    kept: standing('kept'),
    deviating: standing('deviates'),
    open: standing('open'),
  }
}

export const tallyLine = ({ demands, kept, deviating, open }: Tally): string =>
  `**${demands} demands: ${kept} kept, ${deviating} deviating on purpose, ${open} open.**`

/** What stands in a page, however wrong its numbers are. */
export const isTallyLine = (line: string): boolean => /^\*\*\d+ demands: .*\*\*$/.test(line)
