import type { Notation } from '@kron/preview'

/** Schedules as krontabs have them. */
export const krontabNotation: Notation = {
  program: 'krontab',
  check: 'krontab lint',
  parts: {
    window: '@win',
    distribution: '@dist',
    seed: '@seed',
    only: '@only',
    avoid: '@avoid',
  },
  utc: '@tz(UTC)',
  window: (duration) => `@win(after,${duration})`,
  only: (clause) => `@only(${clause})`,
  exact: 'sample=exact',
  exactIn: (distribution) => `@dist(${distribution},sample=exact)`,
  resumed: 'suspend=false',
  fewerJobs: 'fewer files with --file',
}
