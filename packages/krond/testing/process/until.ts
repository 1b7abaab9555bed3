import { onTestFinished } from 'vitest'

/** Turns of the event loop until it is so, or until the test is over by its own limit. */
export async function until(isSo: () => boolean): Promise<void> {
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  while (!isSo()) {
    if (isOver) throw new Error(`it never came to ${isSo}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
