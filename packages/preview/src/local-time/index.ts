export {
  type ClockChange,
  type ClockEffect,
  changeText,
  clockChanges,
  effectOn,
} from './clock-change.js'
export {
  formatLocal,
  formatLocalRfc,
  formatLocalShort,
  formatOffset,
  signedDuration,
  wallClock,
  wallDate,
  wallMinute,
  wallTime,
  weekdayOf,
} from './local-time.js'
