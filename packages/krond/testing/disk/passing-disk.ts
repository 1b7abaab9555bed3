import type { Disk, DiskFile } from '../../src/disk/disk.js'

/** Where each call of a disk comes through, by its name: to watch it, hold it up or prevent it. */
export interface DiskPassage {
  act<T>(name: string, effect: () => Promise<T>): Promise<T>
  actNow<T>(name: string, effect: () => T): T
}

/** The same disk, with each call through a passage. */
export function passingDisk(disk: Disk, passage: DiskPassage): Disk {
  const passingFile = (file: DiskFile): DiskFile => ({
    write: (bytes) => passage.act('write', () => file.write(bytes)),
    sync: () => passage.act('sync', () => file.sync()),
    close: () => passage.act('close', () => file.close()),
  })
  return {
    inspect: (path) => passage.actNow('inspect', () => disk.inspect(path)),
    list: (folder) => passage.actNow('list', () => disk.list(folder)),
    open: (path, most) => passage.actNow('open', () => disk.open(path, most)),
    read: (path) => passage.actNow('read', () => disk.read(path)),
    makeFolder: (path, mode) => passage.actNow('makeFolder', () => disk.makeFolder(path, mode)),
    link: (existing, name) => passage.actNow('link', () => disk.link(existing, name)),
    remove: (path) => passage.actNow('remove', () => disk.remove(path)),
    create: async (path, mode) =>
      passingFile(await passage.act('create', () => disk.create(path, mode))),
    rename: (from, to) => passage.act('rename', () => disk.rename(from, to)),
    replace: (from, to) => passage.act('replace', () => disk.replace(from, to)),
    syncFolder: (folder) => passage.act('syncFolder', () => disk.syncFolder(folder)),
  }
}

/** A disk on which no write is durable until it is told to go on. */
export function slowDisk(disk: Disk): { disk: Disk; slowDown(): void; goOn(): void } {
  let passage: Promise<void> = Promise.resolve()
  let open = (): void => {}
  return {
    slowDown() {
      const { promise, resolve } = Promise.withResolvers<void>()
      passage = promise
      open = resolve
    },
    goOn: () => open(),
    disk: passingDisk(disk, {
      act: async (name, effect) => {
        if (name === 'syncFolder') await passage
        return effect()
      },
      actNow: (_, effect) => effect(),
    }),
  }
}
