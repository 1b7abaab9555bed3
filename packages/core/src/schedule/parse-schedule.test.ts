import { describe, expect, it } from 'vitest'
import { formatSchedule, parseSchedule } from './index.js'

const hour = 3_600_000
const plain = {
  schedule: '0 2 * * *',
  dialect: 'standard',
  timezone: 'UTC',
  window: { mode: 'after', duration: 0 },
  distribution: { name: 'uniform', params: {} },
  seed: { strategy: 'stable', salt: '' },
  constraints: { only: [], avoid: [] },
  policy: { concurrency: 'forbid', deadline: 0, suspend: false, first: 'wait' },
}

describe('parseSchedule', () => {
  const good: [text: string, differs: object][] = [
    ['0 2 * * *', {}],
    [' \t0  2\t* * * \n', {}],
    ['@daily', { schedule: '@daily' }],
    ['@daily @tz(Europe/Paris)', { schedule: '@daily', timezone: 'Europe/Paris' }],
    ['@daily@tz(US/Eastern)', { schedule: '@daily', timezone: 'US/Eastern' }],
    ['0 2 * * * @tz("Europe/Paris")', { timezone: 'Europe/Paris' }],
    ['0 2 * * * @tz(zone=Europe/Paris)', { timezone: 'Europe/Paris' }],
    ['0 2 * * * @tz(UTC)', {}],
    ['0 2 * * * @win(after,3h)', { window: { mode: 'after', duration: 3 * hour } }],
    ['0 2 * * *@win(around,1h30m)', { window: { mode: 'around', duration: 1.5 * hour } }],
    ['0 2 * * * @win(center,2h)', { window: { mode: 'around', duration: 2 * hour } }],
    ['0 2 * * * @win( before , "45s" )', { window: { mode: 'before', duration: 45_000 } }],
    ['0 2 * * * @win\t(after,0)', {}],
    ['0 2 * * * @win(duration=1s,mode=around)', { window: { mode: 'around', duration: 1000 } }],
    ['0 2 * * * @dist(uniform)', {}],
    ['0 2 * * * @dist(uniform,sample=rejection)', {}],
    ['0 2 * * * @dist(skewEarly)', { distribution: { name: 'skewEarly', params: {} } }],
    [
      '0 2 * * * @dist(skewLate, shape = 2.50 )',
      { distribution: { name: 'skewLate', params: { shape: 2.5 } } },
    ],
    [
      '0 2 * * * @dist(normal,sigma=10m,mu=end,sample=exact)',
      { distribution: { name: 'normal', params: { mu: 'end', sigma: 600_000, sample: 'exact' } } },
    ],
    ['0 2 * * * @seed(daily)', { seed: { strategy: 'daily', salt: '' } }],
    ['0 2 * * * @seed(salt=a=b;c)', { seed: { strategy: 'stable', salt: 'a=b;c' } }],
    ['0 2 * * * @seed(stable,salt=)', {}],
    ['0 2 * * * @seed(stable,salt="")', {}],
    [
      String.raw`0 2 * * * @seed(weekly,salt="a, (b) \"c\" \\ \/ \u00e9 é \n\t\ud83d\udd70")`,
      { seed: { strategy: 'weekly', salt: 'a, (b) "c" \\ / é é \n\t\u{1f570}' } },
    ],
    [
      '0 2 * * * @policy(concurrency=replace,deadline=5m,suspend=true,first=run)',
      { policy: { concurrency: 'replace', deadline: 300_000, suspend: true, first: 'run' } },
    ],
    ['0 2 * * * @policy(suspend=false)', {}],
    [
      '0 2 * * * @only(hours=18,8 ; dow=mon-fri)',
      { constraints: { only: ['hours=8,18', 'dow=MON-FRI'], avoid: [] } },
    ],
    [
      '0 2 * * * @avoid("hours=1;hours=2";date=2026-12-24)',
      { constraints: { only: [], avoid: ['hours=1', 'hours=2', 'date=2026-12-24'] } },
    ],
  ]
  it.each(good)('reads %j', (text, differs) => {
    expect(parseSchedule(text)).toEqual({ ...plain, ...differs })
  })

  it('takes modifiers in any order, on several lines', () => {
    const ordered = parseSchedule('0 2 * * * @tz(Asia/Tokyo) @win(after,1h) @seed(daily)')
    const mixed = parseSchedule('0 2 * * *\n  @seed(daily)\n  @win(after,1h)@tz(Asia/Tokyo)\r\n')
    expect(mixed).toEqual(ordered)
  })

  it('reads cron in the dialect asked for', () => {
    expect(parseSchedule('0 0 12 L * ?', { dialect: 'extended' })).toMatchObject({
      schedule: '0 0 12 L * ?',
      dialect: 'extended',
    })
    const posix = () => parseSchedule('*/5 * * * * @win(after,1m)', { dialect: 'posix' })
    expect(posix).toThrow(expect.objectContaining({ code: 'KRON_CRON_INVALID' }))
  })

  it('gives frozen specifications', () => {
    const spec = parseSchedule('0 2 * * * @only(hours=8)')
    const parts = [spec, spec.window, spec.distribution, spec.constraints.only, spec.policy]
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true)
  })
})

describe('formatSchedule', () => {
  const canonical: [typed: string, canonical: string][] = [
    ['  0   2 * * *  ', '0 2 * * *'],
    ['@daily @tz(UTC) @win(after,0s) @dist(uniform) @seed(stable) @policy(deadline=0)', '@daily'],
    ['0 2 * * * @win(center,90m)', '0 2 * * * @win(around,1h30m)'],
    ['0 2 * * * @win(around,0)', '0 2 * * * @win(around,0s)'],
    ['0 2 * * * @win(after,3600s)', '0 2 * * * @win(after,1h)'],
    [
      '0 2 * * * @dist(normal,sample=exact,sigma=600s,mu=mid)',
      '0 2 * * * @dist(normal,mu=mid,sigma=10m,sample=exact)',
    ],
    ['0 2 * * * @dist(skewEarly,shape=2.0)', '0 2 * * * @dist(skewEarly,shape=2)'],
    ['0 2 * * * @dist(skewEarly,shape=0.0000001)', '0 2 * * * @dist(skewEarly,shape=1e-7)'],
    ['0 2 * * * @seed(salt="a/b")', '0 2 * * * @seed(stable,salt=a/b)'],
    ['0 2 * * * @seed(salt="a b")', '0 2 * * * @seed(stable,salt="a b")'],
    ['0 2 * * * @seed(salt="\u2028\u0085é")', '0 2 * * * @seed(stable,salt="\\u2028\\u0085é")'],
    [
      '@daily @avoid(dow=0) @only(dow=6,7;hours=9,8) @policy(suspend=true,concurrency=allow)',
      '@daily @policy(concurrency=allow,suspend=true) @only(dow=SAT-SUN;hours=8-9) @avoid(dow=SUN)',
    ],
    [
      '0 2 * * * @seed(daily) @dist(skewLate) @win(after,1h) @tz(Asia/Tokyo)',
      '0 2 * * * @tz(Asia/Tokyo) @win(after,1h) @dist(skewLate) @seed(daily)',
    ],
  ]
  it.each(canonical)('writes %j as %j', (typed, expected) => {
    expect(formatSchedule(parseSchedule(typed))).toBe(expected)
    expect(formatSchedule(parseSchedule(expected))).toBe(expected)
  })

  it('takes a whole job and leaves its identity out', () => {
    const job = { identity: 'a', ...parseSchedule('0 2 * * * @win(after,1h)') }
    expect(formatSchedule(job)).toBe('0 2 * * * @win(after,1h)')
  })

  it('does not let a schedule bring in modifiers of its own', () => {
    const spec = { ...parseSchedule('0 2 * * *'), schedule: '0 2 * * * @seed(daily)' }
    expect(() => formatSchedule(spec)).toThrow(
      expect.objectContaining({ code: 'KRON_CRON_INVALID' }),
    )
  })

  it('does not let a time zone bring in modifiers of its own', () => {
    const spec = { ...parseSchedule('0 2 * * *'), timezone: 'UTC) @seed(daily' }
    expect(formatSchedule(spec)).toBe('0 2 * * * @tz("UTC) @seed(daily")')
  })

  it.each([undefined, null, 5, {}, { schedule: 5 }, { schedule: '0 2 * * *', window: null }])(
    'refuses %j with a typed error',
    (spec) => {
      expect(() => formatSchedule(spec as never)).toThrow(
        expect.objectContaining({ category: 'ConfigurationError' }),
      )
    },
  )
})
