import { setImmediate, setTimeout } from 'node:timers'
import { SchedulingError } from '@kron/core'

/**
 * How to know that everything waits: the microtask queue is always empty when an immediate fires,
 * so promise hops of any number are over after one turn of the event loop. Immediates and requests
 * to the thread pool (files, hashes, name lookups) are listed by the process itself, and turns are
 * spent until none is left. What the process does not list (sockets, other threads, child
 * processes) is not waited for; `quietTurns` gives such hops some room.
 */
const maxTurns = 20_000

/**
 * Resolves once `quietTurns` turns in a row found nothing under way. With none, promise hops are
 * let out first, and the event loop turns only if something is under way then.
 */
export async function settle(quietTurns: number): Promise<void> {
  let quiet = 0
  let requests = 0
  if (quietTurns === 0) {
    await afterMicrotasks()
    const underWay = process.getActiveResourcesInfo()
    if (!underWay.some((name) => name === 'Immediate' || isRequest(name))) return
  }
  for (let turn = 0; turn < maxTurns; turn++) {
    // Spinning while a file is written would take the processor from the thread that writes it.
    await (requests > 0 ? shortPause() : nextTurn())
    const underWay = process.getActiveResourcesInfo()
    requests = underWay.filter(isRequest).length
    quiet = requests === 0 && !underWay.includes('Immediate') ? quiet + 1 : 0
    if (quiet >= quietTurns && quiet > 0) return
  }
  throw neverSettles()
}

// The names of requests, and of nothing else: FSReqPromise, CloseReq, RandomBytesRequest.
const isRequest = (resource: string): boolean => resource.includes('Req')

// Taken from the module and not from the global object, where a test may have put fake ones.
const afterMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const shortPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

function neverSettles(): SchedulingError {
  const underWay = process.getActiveResourcesInfo()
  const busy = underWay.filter((name) => name === 'Immediate' || isRequest(name))
  return new SchedulingError(
    'KRON_CLOCK_BUSY',
    `work must come to rest within ${maxTurns} turns of the event loop before virtual time ` +
      `can pass, still under way: ${[...new Set(busy)].join(', ')}`,
    { field: 'turns', value: busy, allowed: `at most ${maxTurns}` },
  )
}
