/** Two lives of a scheduler in virtual time: the first dies while a task runs. */
import { createScheduler, Duration, memoryStorage } from '../../packages/scheduler/dist/index.js'
import { VirtualClock } from '../../packages/scheduler/dist/testing/index.js'

export const registrations = `[
  ['report', '0 9 * * *', sendReport, Duration.minutes(5)],
  ['sync', '0,30 * * * *', syncFiles, Duration.minutes(5)],
]`

/** Calls `tell` with each start and end, and with null between the two lives. */
export async function diedScheduler(tell) {
  const clock = new VirtualClock(new Date('2026-03-02T08:55:00Z'))
  const storage = memoryStorage()
  const never = () => new Promise(() => {})
  const live = async (its, sync, until) => {
    const onEvent = (event) => event.taskName && tell(event)
    const scheduler = createScheduler({ storage, timeZone: 'UTC', onEvent, ...its })
    await scheduler.initialize([
      ['report', '0 9 * * *', async () => {}, Duration.minutes(5)],
      ['sync', '0,30 * * * *', sync, Duration.minutes(5)],
    ])
    await clock.advanceTo(new Date(until))
    return scheduler
  }
  // A dead process never wakes again: its last sleep does not end.
  const mortal = {
    now: () => clock.now(),
    sleep: async (ms, signal) => {
      await clock.sleep(ms, signal)
      if (clock.now() > new Date('2026-03-02T09:00:30Z')) await never()
    },
  }
  await live({ clock: mortal }, never, '2026-03-02T10:40:00Z')
  tell(null)
  const second = await live({ clock }, async () => {}, '2026-03-02T11:01:00Z')
  await second.stop()
}
