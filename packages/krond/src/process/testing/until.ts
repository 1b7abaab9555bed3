/** Turns of the event loop until it is so; the test's own limit ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
