import type { StateKeeper } from '../../packages/krond/src/daemon/index.js'
import type { Distortion } from './virtual-host.js'

/** Mistakes that a daemon could make, each of which the checks must find. */
export const plantedBugs: Readonly<Record<string, Distortion>> = {
  'marks a period handled after the start instead of before': (keeper, clock) => ({
    load: (identity) => keeper.load(identity),
    async save(state) {
      void clock
        .sleep(1)
        .then(() => keeper.save(state))
        .catch(() => undefined)
    },
  }),

  'goes on when a write has failed': (keeper) => ({
    load: (identity) => keeper.load(identity),
    save: (state) => keeper.save(state).catch(() => undefined),
  }),

  'starts over when a state file is damaged': (keeper) => ({
    load(identity) {
      const loaded = keeper.load(identity)
      return loaded.kind === 'lost' ? { kind: 'new' } : loaded
    },
    save: (state) => keeper.save(state),
  }),

  'takes an edited job for the one before': (keeper) => ({
    load(identity) {
      const loaded = keeper.load(identity)
      if (loaded.kind !== 'found') return loaded
      return { kind: 'found', state: { ...loaded.state, responsibility: null } }
    },
    save: (state) => keeper.save(state),
  }),

  'forgets what is active': (keeper) => ({
    load: (identity) => forgetful(keeper, identity),
    save: (state) => keeper.save(state),
  }),
}

function forgetful(keeper: StateKeeper, identity: string): ReturnType<StateKeeper['load']> {
  const loaded = keeper.load(identity)
  if (loaded.kind !== 'found') return loaded
  return { kind: 'found', state: { ...loaded.state, active: null, others: [] } }
}
