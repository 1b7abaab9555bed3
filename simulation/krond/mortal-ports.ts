import type { Clock } from '@kron/runtime'
import type { Disk, DiskFile } from '../../packages/krond/src/disk/index.js'
import type { Gate, Processes } from '../../packages/krond/src/process/index.js'

/** Passes on effects, as long as there is somebody to have them. */
export interface Passage {
  act<T>(name: string, effect: () => Promise<T>): Promise<T>
  actNow<T>(name: string, effect: () => T): T
  await<T>(promise: Promise<T>): Promise<T>
}

/** Ports of a process that may die at any of its effects. */

export function mortalClock(clock: Clock, life: Passage): Clock {
  return {
    now: () => clock.now(),
    sleep: (ms, signal) => life.await(clock.sleep(ms, signal)),
  }
}

export function mortalDisk(disk: Disk, life: Passage): Disk {
  return {
    inspect: (path) => life.actNow('inspect', () => disk.inspect(path)),
    list: (folder) => life.actNow('list', () => disk.list(folder)),
    open: (path, most) => life.actNow('open', () => disk.open(path, most)),
    read: (path) => life.actNow('read', () => disk.read(path)),
    makeFolder: (path, mode) => life.actNow('makeFolder', () => disk.makeFolder(path, mode)),
    link: (existing, name) => life.actNow('link', () => disk.link(existing, name)),
    remove: (path) => life.actNow('remove', () => disk.remove(path)),
    create: async (path, mode) =>
      mortalFile(await life.act('create', () => disk.create(path, mode)), life),
    rename: (from, to) => life.act('rename', () => disk.rename(from, to)),
    replace: (from, to) => life.act('replace', () => disk.replace(from, to)),
    syncFolder: (folder) => life.act('syncFolder', () => disk.syncFolder(folder)),
  }
}

function mortalFile(file: DiskFile, life: Passage): DiskFile {
  return {
    write: (bytes) => life.act('write', () => file.write(bytes)),
    sync: () => life.act('sync', () => file.sync()),
    close: () => life.act('close', () => file.close()),
  }
}

export function mortalProcesses(processes: Processes, life: Passage): Processes {
  return {
    prepare: async (start) =>
      mortalGate(await life.act('prepare', () => processes.prepare(start)), life),
    isAlive: (process) => life.actNow('isAlive', () => processes.isAlive(process)),
    signal: (process, signal) => life.actNow('signal', () => processes.signal(process, signal)),
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
