import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/disk/memory-disk.js'
import { passingDisk } from '../../testing/disk/passing-disk.js'
import type { Disk } from '../disk/disk.js'
import { StateStore } from './state-store.js'
import { emptyState } from './transitions.js'

const folder = '/s'
/** Long enough for all that needs no further call of the disk. */
const turn = (): Promise<void> => new Promise(setImmediate)

/** A disk of which no write ends before it is told to. */
function heldDisk(disk: Disk) {
  const held: { name: string; end: () => void }[] = []
  return {
    disk: passingDisk(disk, {
      act: async (name, effect) => {
        await new Promise<void>((end) => void held.push({ name, end }))
        return effect()
      },
      actNow: (_, effect) => effect(),
    }),
    underWay: () => held.map(({ name }) => name),
    endFirst: () => held.shift()?.end(),
  }
}

function make() {
  const { disk, underWay, endFirst } = heldDisk(new MemoryDisk())
  const store = new StateStore({ disk, folder, uid: 0, clock: new VirtualClock(0) })
  store.open()
  const ended: string[] = []
  const save = (identity: string): void =>
    void store.save(emptyState(identity)).then(() => ended.push(identity))
  return { store, save, ended, underWay, endFirst }
}

const replacing = ['create', 'write', 'sync', 'close', 'replace', 'syncFolder']

describe('a save', () => {
  it('takes each step after the one before has ended, and ends with the last', async () => {
    const { save, ended, underWay, endFirst } = make()
    // Only the first save of a life has to see to it that the folder is as durable as it looks.
    for (const steps of [['syncFolder', ...replacing], replacing]) {
      ended.length = 0
      save('a')
      for (const step of steps) {
        await turn()
        expect([underWay(), ended]).toEqual([[step], []])
        endFirst()
      }
      await turn()
      expect([underWay(), ended]).toEqual([[], ['a']])
    }
  })

  it('waits for the one of the same job before it, and not for those of others', async () => {
    const { save, ended, underWay, endFirst } = make()
    save('a')
    save('a')
    save('b')
    await turn()
    expect(underWay()).toEqual(['syncFolder'])
    endFirst()
    for (const step of replacing.slice(0, -1)) {
      await turn()
      expect(underWay()).toEqual([step, step])
      endFirst()
      endFirst()
    }
    await turn()
    // It began after the first rename: the second may have come too late for it.
    endFirst()
    await turn()
    expect([ended, underWay()]).toEqual([['a'], ['syncFolder', 'create']])
  })

  it('leaves the store idle only when it has ended', async () => {
    const { store, save, underWay, endFirst } = make()
    save('a')
    let idle = false
    const waiting = store.idle().then(() => {
      idle = true
    })
    for (let left = replacing.length + 1; left > 0; left--) {
      await turn()
      expect(idle).toBe(false)
      endFirst()
    }
    await waiting
    expect(underWay()).toEqual([])
  })
})
