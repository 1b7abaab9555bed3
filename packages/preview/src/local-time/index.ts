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
  signedDuration,
  wallClock,
  wallDate,
  wallMinute,
  wallTime,
} from './local-time.js'
