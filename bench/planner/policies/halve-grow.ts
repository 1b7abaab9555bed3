import { atGap, type Policy } from './policy.ts'

const growth = 1.1

/** What people tend to do: half the gap after a change, a little more after each quiet look. */
export const halveGrow: Policy = {
  name: 'halve-grow',
  play(setting) {
    const { world, budget } = setting
    const { minIntervalMs, maxIntervalMs } = world
    let gapMs = world.baselineMs
    return {
      next(look) {
        const wanted = look.kind === 'ok' && look.changed ? gapMs / 2 : gapMs * growth
        gapMs = Math.min(Math.max(wanted, minIntervalMs), maxIntervalMs)
        return atGap(setting, look, gapMs / budget)
      },
    }
  },
}
