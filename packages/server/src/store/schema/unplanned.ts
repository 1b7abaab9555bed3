/**
 * Endpoints that run by themselves and have no plan are planned again at each start, like at the end
 * of a pause: a version that could not find the next run of some schedules left them so for ever.
 * Those that have really come to their end are found to be finished again, and stay so.
 *
 * Dying before a worker gets to them leaves them waiting for it.
 */
export const planUnplanned = `UPDATE plans
  SET next_run_at = $1, wake_at = $1, wake_kind = 'waiting', source = 'paused'
  WHERE wake_at IS NULL AND next_run_at IS NULL AND held_for IS NULL AND suspended = 0`
