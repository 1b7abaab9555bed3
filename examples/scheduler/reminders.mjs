import { createScheduler, Duration } from '@kron/scheduler'

/**
 * Sends reminders at 8 on weekdays, in Paris. The action, the storage and the clock are arguments, so
 * that a test can let a week pass at once: reminders.test.mjs.
 */
export async function startReminders({ send, storage, clock }) {
  const scheduler = createScheduler({ storage, timeZone: 'Europe/Paris', ...(clock && { clock }) })
  await scheduler.initialize([['reminders', '0 8 * * 1-5', send, Duration.minutes(10)]])
  return scheduler
}
