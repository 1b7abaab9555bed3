import fc from 'fast-check'

const pick = <T>(...values: T[]) => fc.constantFrom(...values)
const joined = (parts: fc.Arbitrary<string>[], by: string) =>
  fc.tuple(...parts).map((texts) => texts.join(by))
const blanks = pick(' ', ' ', '  ', '\t')
const maybeBlank = pick('', '', '', ' ')

const fields = [
  pick('*', '0', '5,10', '*/15', '0-30/5', '059', '00'),
  pick('*', '3', '8-18', '*/2', '23', '7-19/3'),
  pick('*', '1', '1,15', '31', '*/2', '01'),
  pick('*', '1', 'JAN', 'feb-Apr', '*/3', '12', 'JAN,JUL'),
  pick('*', '0', '7', 'MON-FRI', 'sat,sun', '5-7', 'FRI-SUN'),
]
const cron = fc.oneof(
  { weight: 5, arbitrary: joined(fields, ' ') },
  { weight: 1, arbitrary: pick('@daily', '@Hourly', '@weekly', '@ANNUALLY') },
)

const duration = pick('1h', '30m', '1h30m', '45s', '0', '500ms', '+1m', '1.5h', '.5h', '2us', '1µs')
const salt = fc.oneof(
  pick('a', 'web-1', 'a=b', '#1', '"a b"', '"\\"(),"', '"\\u00e9 @tz(x)"', 'name'),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
)
const modifier = fc.oneof(
  pick('@tz(UTC)', '@tz(Europe/Paris)', '@tz( "America/New_York" )', '@tz(zone=Etc/GMT+5)'),
  joined(
    [
      pick('@win('),
      pick('after', 'around', 'before', 'center'),
      pick(',', ' , '),
      duration,
      pick(')'),
    ],
    '',
  ),
  duration.map((text) => `@win(duration=${text},mode = after)`),
  pick('@dist(normal)', '@dist(normal,mu=mid,sigma=1m)', '@dist(skewEarly, shape=2.5)'),
  pick('@dist(exponential,lambda=1e-1,dir=late)', '@dist(uniform,sample=exact)', '@dist (uniform)'),
  joined([pick('@seed(daily,salt='), salt, pick(')')], ''),
  pick('@policy(concurrency=replace,deadline=5m)', '@policy(suspend=true, first=run)'),
  pick(
    '@only(hours=8-18;dow=MON-FRI)',
    '@only( HOURS = 3 , 5 ; dom=1,15)',
    '@only("hours=1;dom=2")',
  ),
  pick(
    '@avoid(between=22:00-06:00)',
    '@avoid(dates=2026-12-24..2027-01-02)',
    '@avoid(months=jan-mar)',
  ),
)

const value = fc.oneof(
  pick(
    '/bin/true',
    '"a b"',
    '"say \\"hi\\" # no"',
    "'x'",
    '$HOME/*|x',
    'a"b c"d',
    '"\\\\"',
    '"a\\b"',
    '#x',
    '@tz(x)',
  ),
  fc.string({ maxLength: 10 }).map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`),
)
const field = fc.oneof(
  value.map((text) => `description=${text}`),
  joined([pick('env=A=', 'env=LANG='), value], ''),
  pick(
    'user=backup',
    'group=27',
    'cwd=/srv',
    'cwd="/a b"',
    'shell=true',
    'umask=0027',
    'umask="22"',
  ),
  duration.map((text) => `timeout=${text}`),
  pick(
    'timeout="5m"',
    'stdout=discard',
    'stderr=syslog',
    'stdout=file:/var/log/%Y.log',
    'stderr="inherit"',
  ),
  pick('# name=x', 'bad', 'comand=x'),
)

/** What may not come again. */
const nameOf = (text: string): string => /^[@#\w]+/.exec(text)![0]

const whole = fc
  .tuple(
    cron,
    fc.uniqueArray(modifier, { maxLength: 4, selector: nameOf }),
    value,
    fc.uniqueArray(field, { maxLength: 4, selector: nameOf }),
    blanks,
    maybeBlank,
  )
  .map(([schedule, modifiers, command, others, gap, lead]) =>
    [`${lead}${schedule}`, ...modifiers, 'name=night/a-1', `command=${command}`, ...others].join(
      gap,
    ),
  )

/** Lines of krontabs, most of them right, some after a slip of the finger. */
export const krontabLines: fc.Arbitrary<string> = fc
  .tuple(
    whole,
    fc.nat(),
    fc.nat(2),
    pick('', ' ', ')', '(', '"', ',', '=', '@', '#', '1', 'x', '-', ';'),
  )
  .map(([line, place, slip, character]) => {
    if (slip < 2) return line
    const at = place % (line.length + 1)
    return line.slice(0, at) + character + line.slice(at + (place % 2))
  })
