export { nextCommand } from './next-command.js'
export { type Upcoming, type UpcomingPeriod, upcoming } from './upcoming.js'
