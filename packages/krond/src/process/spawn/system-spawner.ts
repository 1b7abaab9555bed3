import { loadProcessCalls } from '../../native/process-calls.js'
import { nativeSpawner } from './native-spawner.js'
import { nodeSpawner } from './node-spawner.js'
import type { Spawner } from './spawner.js'

let fastest: Spawner | null = null

/** The fastest way to start processes that works here. */
export function systemSpawner(): Spawner {
  if (fastest === null) {
    const calls = loadProcessCalls()
    fastest = calls === null ? nodeSpawner : nativeSpawner(calls)
  }
  return fastest
}
