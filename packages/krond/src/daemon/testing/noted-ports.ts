import type { Disk, DiskFile } from '../../disk/index.js'
import type { Gate, Processes } from '../../process/index.js'

type Note = (effect: string) => void

/** Notes each write to a disk when it is done. */
export function notedFiles(disk: Disk, note: Note): Disk {
  const after = async <T>(name: string, effect: Promise<T>): Promise<T> => {
    const answer = await effect
    note(name)
    return answer
  }
  const notedFile = (file: DiskFile): DiskFile => ({
    write: (bytes) => after('write', file.write(bytes)),
    sync: () => after('sync', file.sync()),
    close: () => after('close', file.close()),
  })
  return {
    inspect: (path) => disk.inspect(path),
    list: (folder) => disk.list(folder),
    read: (path) => disk.read(path),
    open: (path, most) => disk.open(path, most),
    makeFolder: (path, mode) => disk.makeFolder(path, mode),
    link: (existing, name) => disk.link(existing, name),
    remove: (path) => disk.remove(path),
    create: async (path, mode) => notedFile(await after('create', disk.create(path, mode))),
    rename: (from, to) => after('rename', disk.rename(from, to)),
    replace: (from, to) => after('replace', disk.replace(from, to)),
    syncFolder: (folder) => after('syncFolder', disk.syncFolder(folder)),
  }
}

/** Notes what is done to processes before it is done. */
export function notedProcesses(processes: Processes, note: Note): Processes {
  return {
    isAlive: (process) => processes.isAlive(process),
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
