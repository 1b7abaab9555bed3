import type { Disk } from '../../disk/index.js'

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
    disk: {
      inspect: (path) => disk.inspect(path),
      list: (folder) => disk.list(folder),
      read: (path) => disk.read(path),
      open: (path, most) => disk.open(path, most),
      makeFolder: (path, mode) => disk.makeFolder(path, mode),
      link: (existing, name) => disk.link(existing, name),
      remove: (path) => disk.remove(path),
      create: (path, mode) => disk.create(path, mode),
      rename: (from, to) => disk.rename(from, to),
      replace: (from, to) => disk.replace(from, to),
      syncFolder: (folder) => passage.then(() => disk.syncFolder(folder)),
    },
  }
}
