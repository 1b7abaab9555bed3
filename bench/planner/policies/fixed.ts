import type { Policy } from './policy.ts'

/** The baseline, whatever comes. */
export const fixed: Policy = {
  name: 'fixed',
  play: ({ world, budget }) => ({
    next: ({ at }) => (budget === 1 ? null : at + Math.round(world.baselineMs / budget)),
  }),
}
