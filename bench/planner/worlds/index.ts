import type { World } from '../world.ts'
import bursts from './bursts.ts'
import calendars from './calendars.ts'
import lyingBodies from './lying-bodies.ts'
import memoryless from './memoryless.ts'
import officeHours from './office-hours.ts'
import outages from './outages.ts'
import publishers from './publishers.ts'
import rateLimits from './rate-limits.ts'
import shifting from './shifting.ts'
import slowHours from './slow-hours.ts'

/** Outages are part of all of them. */
const worlds: readonly World[] = [
  ...memoryless,
  ...publishers,
  ...officeHours,
  ...bursts,
  ...shifting,
  ...rateLimits,
  ...outages,
  ...slowHours,
  ...lyingBodies,
  ...calendars,
]

export default worlds
