import fc from 'fast-check'

const pick = <T>(...values: T[]) => fc.constantFrom(...values)

/** Usually one of the right values, sometimes one that is nearly right. */
const mostly = (right: readonly unknown[], wrong: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: pick(...right) }, { weight: 1, arbitrary: pick(...wrong) })

const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [] })

const duration = mostly(
  ['30m', '0s', '0', '1m30s', '+45s', '.5h', '2.m'],
  ['1d', '3 hours', '-1s', 90],
)
const positive = mostly([1, 2.5, '3', '1e1', '.5'], [0, -1, 'two', 2000])
const sigma = mostly(['30s', '1m'], ['0s', '1d'])
const sample = pick('exact', 'rejection')

const distribution = fc.oneof(
  some({ name: mostly(['uniform'], ['bell']), params: some({ sample }) }),
  fc.record({ name: pick('skewEarly', 'skewLate'), params: some({ shape: positive, sample }) }),
  fc.record({
    name: pick('normal'),
    params: some({ sigma, mu: mostly(['mid', 'nominal'], ['middle']), sample }),
  }),
  fc.record({ name: pick('exponential'), params: some({ lambda: positive, dir: pick('late') }) }),
)

const only = mostly(
  ['hours=0-23', 'DOW = mon-sun', 'between=00:00 - 23:59'],
  ['hour=3', 'hours=24'],
)
const avoid = mostly(
  ['date=2030-12-24,2030-12-25', 'dates=2030-12-24 .. 2031-01-02;dom=13'],
  ['dom=32'],
)

/** Specs of KronJobs without their Job. */
export const kronJobSpecs: fc.Arbitrary<object> = fc.record(
  {
    schedule: mostly(
      [
        '0 2 * * *',
        '0 8-18 1,15 jan-MAR Mon-FRI',
        ' 0  0 * * 7 ',
        '@daily',
        '@Weekly',
        '00 03 01 01 00',
        '0 */2 * * sun,TUE',
      ],
      ['0 24 * * *', '0 0 * *', '@every 5m', '0 0 L * *'],
    ),
    timezone: mostly(['UTC', 'Europe/Paris', 'US/Eastern', 'Etc/GMT+5'], ['europe/paris', 'CEST']),
    window: some({ mode: mostly(['after', 'around'], ['before']), duration }),
    distribution,
    seed: some({
      strategy: mostly(['stable', 'weekly'], ['monthly']),
      salt: pick('', 'a b', 'é'),
    }),
    constraints: some({
      only: fc.array(only, { maxLength: 2 }),
      avoid: fc.array(avoid, { maxLength: 2 }),
    }),
    policy: some({
      concurrency: mostly(['forbid', 'allow', 'replace'], ['Forbid']),
      deadline: duration,
      suspend: mostly([true, false], ['yes']),
      first: pick('wait', 'run'),
    }),
    successfulJobsHistoryLimit: mostly([0, 3], [-1, 1.5]),
  },
  { requiredKeys: ['schedule'] },
)
