import type { Disk } from '../../src/disk/disk.js'
import type { Gate, Processes } from '../../src/process/index.js'
import { passingDisk } from '../disk/passing-disk.js'

type Note = (effect: string) => void

/** Notes each write to a disk when it is done. */
export function notedFiles(disk: Disk, note: Note): Disk {
  return passingDisk(disk, {
    act: async (name, effect) => {
      const answer = await effect()
      note(name)
      return answer
    },
    actNow: (_, effect) => effect(),
  })
}

/** Notes what is done to processes before it is done. */
export function notedProcesses(processes: Processes, note: Note): Processes {
  return {
    isAlive: (process) => processes.isAlive(process),
    resumeOutput: (owner, onLine) => processes.resumeOutput(owner, onLine),
    signal(process, signal) {
      note(signal)
      return processes.signal(process, signal)
    },
    async prepare(start) {
      note('prepare')
      return notedGate(await processes.prepare(start), note)
    },
  }
}

function notedGate(gate: Gate, note: Note): Gate {
  return {
    process: gate.process,
    exited: gate.exited,
    release() {
      note('release')
      return gate.release()
    },
    abandon() {
      note('abandon')
      gate.abandon()
    },
  }
}
