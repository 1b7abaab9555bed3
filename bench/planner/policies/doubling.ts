import { atGap, type Policy } from './policy.ts'

/** The baseline, and after failures twice the gap before. */
export const doubling: Policy = {
  name: 'doubling',
  play(setting) {
    const { world, budget } = setting
    const usualMs = world.baselineMs / budget
    let gapMs = usualMs
    return {
      next(look) {
        gapMs = look.kind === 'ok' ? usualMs : Math.min(2 * gapMs, world.maxIntervalMs)
        if (gapMs === world.baselineMs) return null
        return atGap(setting, { at: look.at, retryAfterMs: null }, gapMs)
      },
    }
  },
}
