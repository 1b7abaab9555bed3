/**
 * A week of reminders in a few milliseconds.
 *
 *   node --test reminders.test.mjs
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '@kron/scheduler'
import { VirtualClock } from '@kron/scheduler/testing'
import { startReminders } from './reminders.mjs'

const hour = 3_600_000
const day = 24 * hour

/** The reminders that were sent within this time, from a Monday on. */
async function sentWithin(ms, send = async () => {}) {
  const clock = new VirtualClock(new Date('2026-03-02T00:00:00Z'))
  const sent = []
  const scheduler = await startReminders({
    clock,
    storage: memoryStorage(),
    send: async () => {
      sent.push(clock.now().toISOString().slice(0, 16))
      await send(sent.length)
    },
  })
  await clock.advanceBy(ms)
  await scheduler.stop()
  return sent
}

test('reminders are sent on weekdays, at 8 in Paris', async () => {
  const days = ['02', '03', '04', '05', '06']
  assert.deepEqual(
    await sentWithin(7 * day),
    days.map((each) => `2026-03-${each}T07:00`),
  )
})

test('a reminder that fails is sent again after ten minutes', async () => {
  const failOnce = async (attempt) => {
    if (attempt === 1) throw new Error('the mail server is away')
  }
  assert.deepEqual(await sentWithin(day, failOnce), ['2026-03-02T07:00', '2026-03-02T07:10'])
})
