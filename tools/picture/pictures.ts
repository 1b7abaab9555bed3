import { nightOf } from './night.ts'
import { comparisonSvg } from './svg.ts'

const jobs = 60
/** Three hours, and the minute that the last second of the window falls into. */
const minutes = 181

export const before = nightOf('0 0 * * *', jobs, minutes)
export const after = nightOf('0 0 * * * @win(after,3h)', jobs, minutes)

/** The pictures of the documentation, by their path. */
export const pictures: ReadonlyMap<string, string> = new Map([
  ['docs/images/windows.svg', comparisonSvg(before, after)],
])
