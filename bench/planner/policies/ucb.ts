import { atGap, type Policy } from './policy.ts'

const arms = [1 / 4, 1 / 2, 1, 1.5, 2, 4, 8, 12]
const fade = 0.995
const curiosity = 0.3

/**
 * A bandit that is often proposed: eight intervals, each worth the changes that its looks found by
 * the call, less what a look costs; old rewards fade, and what was seldom tried gets a bonus.
 */
export const ucb: Policy = {
  name: 'ucb',
  play(setting) {
    const { world, budget } = setting
    const rewards = arms.map(() => 0)
    const tries = arms.map(() => 0)
    let arm = 2
    const worthOf = (index: number, all: number): number =>
      tries[index]! < 0.5
        ? Number.POSITIVE_INFINITY
        : rewards[index]! / tries[index]! +
          curiosity * Math.sqrt(Math.log(Math.max(all, 2)) / tries[index]!)
    return {
      next(look) {
        // A long interval finds changes late, and a short one finds none most of the time.
        const length = arms[arm]! / arms.at(-1)!
        const reward = look.kind !== 'ok' ? 0 : look.changed ? 1 - length : length / 2
        for (let index = 0; index < arms.length; index++) {
          rewards[index]! *= fade
          tries[index]! *= fade
        }
        rewards[arm]! += reward
        tries[arm]! += 1
        const all = tries.reduce((sum, each) => sum + each, 0)
        for (let index = 0; index < arms.length; index++) {
          if (worthOf(index, all) > worthOf(arm, all)) arm = index
        }
        return atGap(setting, look, (arms[arm]! * world.baselineMs) / budget)
      },
    }
  },
}
