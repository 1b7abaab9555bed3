import { createScheduler, Duration } from '@kron/scheduler'

/**
 * Sends reminders at 8 on weekdays, in Paris. What it does, where it keeps its state and what time it
 * is come from outside, so that a test can have a week pass at once: reminders.test.mjs.
 */
export async function startReminders({ send, storage, clock }) {
  const scheduler = createScheduler({ storage, timeZone: 'Europe/Paris', ...(clock && { clock }) })
  await scheduler.initialize([['reminders', '0 8 * * 1-5', send, Duration.minutes(10)]])
  return scheduler
}
