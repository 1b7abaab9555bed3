import type { Clock } from '@kron/runtime'
import type { Gate, Processes } from '../../packages/krond/src/process/index.js'
import type { DiskPassage } from '../../packages/krond/testing/disk/passing-disk.js'

/** Passes on effects, as long as there is somebody to have them. */
export interface Passage extends DiskPassage {
  await<T>(promise: Promise<T>): Promise<T>
}

/** Ports of a process that may die at any of its effects. */

export function mortalClock(clock: Clock, life: Passage): Clock {
  return {
    now: () => clock.now(),
    sleep: (ms, signal) => life.await(clock.sleep(ms, signal)),
  }
}

export function mortalProcesses(processes: Processes, life: Passage): Processes {
  return {
    prepare: async (start) =>
      mortalGate(await life.act('prepare', () => processes.prepare(start)), life),
    isAlive: (process) => life.actNow('isAlive', () => processes.isAlive(process)),
    signal: (process, signal) => life.actNow('signal', () => processes.signal(process, signal)),
    resumeOutput: (owner, onLine) => {
      const drained = life.actNow('resumeOutput', () => processes.resumeOutput(owner, onLine))
      return () => life.await(drained())
    },
  }
}

function mortalGate(gate: Gate, life: Passage): Gate {
  return {
    process: gate.process,
    exited: life.await(gate.exited),
    release: () => life.act('release', () => gate.release()),
    abandon: () => life.actNow('abandon', () => gate.abandon()),
  }
}
