export {
  defaultCount,
  maxPeriods,
  type NextOptions,
  nextAnswer,
  nextStretch,
} from './next-answer.js'
export { type Stretch, type Upcoming, type UpcomingPeriod, upcoming } from './upcoming.js'
