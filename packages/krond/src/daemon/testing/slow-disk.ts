import { type Disk, passingDisk } from '../../disk/index.js'

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
