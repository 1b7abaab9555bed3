import type { Send } from '../sender.ts'

/** A sender that tells when so many requests have been answered. */
export interface Countdown {
  readonly send: Send
  readonly done: Promise<void>
}

export function countdown(count: number, sendOne: Send): Countdown {
  let left = count
  let finish: () => void
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const send: Send = async (id) => {
    await sendOne(id)
    left--
    if (left === 0) finish()
  }
  return { send, done }
}
