import type { Storage } from '@kron/scheduler'
import { Polling } from '../../packages/scheduler/src/polling/polling.js'
import { Retries } from '../../packages/scheduler/src/polling/retries.js'
import { WatchedTime } from '../../packages/scheduler/src/polling/watched-time.js'

/** A mistake: something in the scheduler that is replaced, or a storage that is not what it says. */
export interface PlantedBug {
  /** Puts it in, and answers how to take it out. */
  readonly plant?: () => () => void
  readonly distort?: (storage: Storage) => Storage
}

/** Mistakes that somebody could make, each of which the worlds must show. */
export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  'forgets which tasks were running when the process died': {
    distort: (storage) => ({
      ...passing(storage),
      change: (decide) =>
        storage.change((stored) => {
          const tasks = [...stored.tasks].map((task) => ({
            ...(task as object),
            runningInstance: null,
          }))
          return decide({ ...stored, tasks })
        }),
    }),
  },
  'calls callbacks before their start is stored': {
    distort: (storage) => ({
      ...passing(storage),
      save: async (...args) => {
        void Promise.resolve().then(() => storage.save(...args).catch(() => undefined))
      },
    }),
  },
  'takes what a living process runs for orphans': {
    distort: (storage) => ({
      ...passing(storage),
      own: async (whenInUse) => {
        await storage.own!(whenInUse)
        return false
      },
    }),
  },
  'lets a second process in beside the owner': {
    distort: (storage) => ({ ...passing(storage), own: () => storage.own!('takeOver') }),
  },
  'keeps a retry that a minute took the place of': {
    plant: () => replaced(Retries.prototype, 'forget', () => undefined),
  },
  'loses the minute that fell into a run': {
    plant: () => {
      const { runEnded } = Polling.prototype
      return replaced(Polling.prototype, 'runEnded', function (this: Polling, run, failure) {
        if (run.task !== null) run.task.dueMinute = null
        runEnded.call(this, run, failure)
      })
    },
  },
  'runs minutes again after the clock was set back': {
    plant: () => replaced(WatchedTime.prototype, 'has', () => false),
  },
  'forgets with the process which minutes it has made up for': {
    distort: (storage) => ({
      ...passing(storage),
      change: (decide) =>
        storage.change((stored) => {
          const tasks = [...stored.tasks].map((task) => ({ ...(task as object), madeUpFor: null }))
          return decide({ ...stored, tasks })
        }),
    }),
  },
  'does not keep from starting what is due when it is stopped': {
    plant: () => {
      const { stop } = Polling.prototype
      return replaced(Polling.prototype, 'stop', function (this: Polling) {
        const soon = async (): Promise<void> => {
          for (let turn = 0; turn < 50; turn++) await null
          stop.call(this)
        }
        void soon()
      })
    },
  },
}

function passing(storage: Storage): Storage {
  return {
    open: () => storage.open(),
    own: (whenInUse) => storage.own!(whenInUse),
    change: (decide) => storage.change(decide),
    save: (...args) => storage.save(...args),
    close: () => storage.close(),
  }
}

function replaced<T, K extends keyof T>(owner: T, name: K, by: T[K]): () => void {
  const before = owner[name]
  owner[name] = by
  return () => {
    owner[name] = before
  }
}
