import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import {
  ConfigurationError,
  type ErrorCode,
  InvalidCronExpressionError,
  KronError,
  ValidationError,
} from '../errors/index.js'
import { parseSchedule, splitSchedule } from './index.js'

/** `«` and `»` mark the stretch that the error must point at; nothing between them is one place. */
function marked(text: string): { text: string; position: number; length: number } {
  const position = text.indexOf('«')
  const length = Math.max(1, text.indexOf('»') - position - 1)
  return { text: text.replace('«', '').replace('»', ''), position, length }
}

type Row = [code: ErrorCode, field: string, marked: string]

function points(category: new (...args: never[]) => KronError, rows: Row[]) {
  it.each(rows)('%s %s in %s', (code, field, typed) => {
    const { text, position, length } = marked(typed)
    const error = failure(() => parseSchedule(text))
    expect(error).toBeInstanceOf(category)
    expect(error.code).toBe(code)
    expect(error.details).toMatchObject({ field, position, length, text })
    expect(error.message).not.toBe('')
  })
}

describe('the grammar', () => {
  points(ConfigurationError, [
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,3h«»'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,3h «@»tz(UTC)'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,«2 hours»)'],
    ['KRON_SCHEDULE_SYNTAX', '@policy', '0 2 * * * @policy(deadline=«1 day» , suspend=true)'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,2 «l»emons)'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * «@win()»'],
    ['KRON_SCHEDULE_SYNTAX', '@only', '0 2 * * * «@only( )» @tz(UTC)'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(«,»3h)'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,«)»'],
    ['KRON_SCHEDULE_SYNTAX', '@win', '0 2 * * * @win(after,3h,«5m»)'],
    ['KRON_SCHEDULE_SYNTAX', '@tz', '0 2 * * * @tz(Europe/Paris,«"Asia/Tokyo"»)'],
    ['KRON_SCHEDULE_SYNTAX', '@policy', '0 2 * * * @policy(«forbid»)'],
    ['KRON_SCHEDULE_SYNTAX', '@dist', '0 2 * * * @dist(skewLate,shape=2,«shape=3»)'],
    ['KRON_SCHEDULE_SYNTAX', '@dist', '0 2 * * * @dist(skewLate,«name=normal»)'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt=a «b»)'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt=a«(»b))'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt=a«"»b")'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt="a"«b»)'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt=«"abc)»'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt="a«\\x»")'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt="a«\\u»12")'],
    ['KRON_SCHEDULE_SYNTAX', '@seed', '0 2 * * * @seed(daily,salt="a«\n»b")'],
    ['KRON_SCHEDULE_SYNTAX', '@only', '0 2 * * * @only(hours=8«(»9))'],
    ['KRON_SCHEDULE_SYNTAX', '@tz', '0 2 * * * @tz(UTC) «@tz(Asia/Tokyo)»'],
    ['KRON_SCHEDULE_SYNTAX', 'schedule', '0 2 * * * @tz(UTC) «name=backup»'],
    ['KRON_SCHEDULE_SYNTAX', 'schedule', '0 2 * * * @tz(UTC)«)»'],
    ['KRON_SCHEDULE_SYNTAX', 'schedule', '0 2 * * * @tz(UTC) «@win»'],
    ['KRON_SCHEDULE_SYNTAX', 'schedule', '0 2 * * * «@win»'],
    ['KRON_SCHEDULE_SYNTAX', 'schedule', '0 2 * * * «@win» after,3h @tz(UTC)'],
    ['KRON_FIELD_UNKNOWN', '@wim', '0 2 * * * «@wim»(after,3h)'],
    ['KRON_FIELD_UNKNOWN', '@TZ', '@daily «@TZ»(UTC)'],
    ['KRON_FIELD_UNKNOWN', '@toString', '@daily «@toString»(UTC)'],
    ['KRON_FIELD_MISSING', '@win.duration', '0 2 * * * @win(after«)»'],
    ['KRON_FIELD_MISSING', '@win.mode', '0 2 * * * @win(duration=3h«)»'],
    ['KRON_FIELD_MISSING', '@dist.name', '0 2 * * * @dist(shape=2«)» @tz(UTC)'],
    ['KRON_FIELD_UNKNOWN', '@tz.name', '0 2 * * * @tz(UTC,«name»=UTC)'],
    ['KRON_FIELD_UNKNOWN', '@win.durration', '0 2 * * * @win(after,3h,«durration»=3h)'],
    ['KRON_FIELD_UNKNOWN', '@seed.pepper', '0 2 * * * @seed(daily, «pepper» = a)'],
    ['KRON_FIELD_UNKNOWN', '@policy.retries', '0 2 * * * @policy(«retries»=3)'],
  ])
})

describe('a duration with white space', () => {
  it.each([
    ['@win(after,2 hours)', '2h'],
    ['@win(around, 90 min)', '1h30m'],
    ['@policy(deadline=1 day 6 hours)', '30h'],
  ])('in %s gets the advice to write %s', (modifier, meant) => {
    const { message } = failure(() => parseSchedule(`0 2 * * * ${modifier}`))
    expect(message).toContain('a duration has no white space at')
    expect(message).toContain(`expected ${meant}, got "`)
    expect(message).not.toContain('quotes')
  })
})

describe('values', () => {
  points(ConfigurationError, [
    ['KRON_ZONE_UNKNOWN', '@tz.zone', '0 2 * * * @tz(«Europe/Pariss»)'],
    ['KRON_ZONE_UNKNOWN', '@tz.zone', '0 2 * * * @tz(«"Europe/Pariss"»)'],
    ['KRON_ZONE_UNKNOWN', '@tz.zone', '0 2 * * * @tz(«""»)'],
    ['KRON_WINDOW_MODE_UNKNOWN', '@win.mode', '0 2 * * * @win( «aftr» ,3h)'],
    ['KRON_WINDOW_MODE_UNKNOWN', '@win.mode', '0 2 * * * @win(«3h»,after)'],
    ['KRON_DURATION_INVALID', '@win.duration', '0 2 * * * @win(after,1h3«x»)'],
    ['KRON_DURATION_INVALID', '@win.duration', '0 2 * * * @win(after,"1h3«x»")'],
    ['KRON_DURATION_INVALID', '@win.duration', '0 2 * * * @win(after,"\\u0031«\\u0068x»")'],
    ['KRON_DURATION_INVALID', '@win.duration', '0 2 * * * @win(after,3«)»'],
    ['KRON_DURATION_INVALID', '@win.duration', '0 2 * * * @win(after,"«"»)'],
    ['KRON_DURATION_NEGATIVE', '@win.duration', '0 2 * * * @win(after,«-3h»)'],
    ['KRON_DISTRIBUTION_UNKNOWN', '@dist.name', '0 2 * * * @dist(«unifrom»)'],
    ['KRON_PARAMETER_UNKNOWN', '@dist.shape', '0 2 * * * @dist(uniform,«shape»=2)'],
    ['KRON_PARAMETER_UNKNOWN', '@dist.shpae', '0 2 * * * @dist(skewLate, «shpae»=2)'],
    ['KRON_PARAMETER_UNKNOWN', '@dist.params', '0 2 * * * @dist(skewLate,«params»=2)'],
    ['KRON_PARAMETER_INVALID', '@dist.shape', '0 2 * * * @dist(skewLate,shape=«two»)'],
    ['KRON_PARAMETER_INVALID', '@dist.shape', '0 2 * * * @dist(skewLate,shape=«»)'],
    ['KRON_PARAMETER_INVALID', '@dist.mu', '0 2 * * * @dist(normal,mu=«middle»)'],
    ['KRON_DURATION_INVALID', '@dist.sigma', '0 2 * * * @dist(normal,sigma=600«)»'],
    ['KRON_SEED_STRATEGY_UNKNOWN', '@seed.strategy', '0 2 * * * @seed(«hourly»)'],
    ['KRON_POLICY_INVALID', '@policy.concurrency', '0 2 * * * @policy(concurrency=«never»)'],
    ['KRON_POLICY_INVALID', '@policy.suspend', '0 2 * * * @policy(suspend=«yes»)'],
    ['KRON_DURATION_NEGATIVE', '@policy.deadline', '0 2 * * * @policy(deadline=«-1s»)'],
  ])
  points(ValidationError, [
    ['KRON_DURATION_TOO_LONG', '@win.duration', '0 2 * * * @win(after,«8785h»)'],
    ['KRON_DURATION_TOO_LONG', '@policy.deadline', '0 2 * * * @policy(deadline=«99999999h»)'],
    ['KRON_PARAMETER_RANGE', '@dist.shape', '0 2 * * * @dist(skewLate,shape=«0»)'],
    ['KRON_PARAMETER_RANGE', '@dist.lambda', '0 2 * * * @dist(exponential,lambda=«1001»)'],
    ['KRON_PARAMETER_RANGE', '@dist.sigma', '0 2 * * * @dist(normal,sigma=«0s»)'],
    ['KRON_SALT_INVALID', '@seed.salt', '0 2 * * * @seed(daily,salt=«"\\ud800"»)'],
    ['KRON_SALT_INVALID', '@seed.salt', `0 2 * * * @seed(daily,salt=«${'x'.repeat(1025)}»)`],
    ['KRON_CONSTRAINT_INVALID', '@only[0]', '0 2 * * * @only(hours=«24»;dow=MON)'],
    ['KRON_CONSTRAINT_INVALID', '@only[1]', '0 2 * * * @only(hours=8; dow=MON,«FRY»)'],
    ['KRON_CONSTRAINT_INVALID', '@avoid[0]', '0 2 * * * @only(hours=8) @avoid(«hour»=9)'],
    ['KRON_CONSTRAINT_INVALID', '@avoid[0]', '0 2 * * * @avoid("hours=8;dow=«9»")'],
    ['KRON_CONSTRAINT_INVALID', '@avoid[1]', '0 2 * * * @avoid(hours=8;«)»'],
    ['KRON_CONSTRAINT_INVALID', '@avoid[0]', '0 2 * * * @avoid(hours=«22-6»)'],
    ['KRON_CONSTRAINT_LIMIT', '@only', `@daily «@only(${'hours=1;'.repeat(64)}hours=1)»`],
    [
      'KRON_CONSTRAINT_LIMIT',
      '@avoid',
      `@daily @only(${'dow=1;'.repeat(32)}dow=1) «@avoid(${'dow=2;'.repeat(31)}dow=2)»`,
    ],
  ])
})

describe('the cron expression', () => {
  points(InvalidCronExpressionError, [
    ['KRON_CRON_INVALID', 'minute', '«60» 2 * * *'],
    ['KRON_CRON_INVALID', 'hour', '  0\t«24» * * * @win(after,3h)'],
    ['KRON_CRON_INVALID', 'expression', '«»'],
    ['KRON_CRON_INVALID', 'expression', '«@»tz(UTC)'],
    ['KRON_CRON_INVALID', 'expression', ' «@dayly» @tz(UTC)'],
    ['KRON_CRON_INVALID', 'expression', '0 2 * *« »@tz(UTC)'],
    ['KRON_CRON_INVALID', 'expression', '0 2 * * * «*» @tz(UTC)'],
  ])
})

describe('any input', () => {
  const trap = {
    toString() {
      throw new Error('trap')
    },
  }
  it.each([undefined, null, 5, [], Symbol('x'), trap, 5n])(
    'that is not text is refused',
    (text) => {
      for (const run of [() => parseSchedule(text as never), () => splitSchedule(text as never)]) {
        const error = failure(run)
        expect(error).toBeInstanceOf(ConfigurationError)
        expect(error.code).toBe('KRON_SCHEDULE_SYNTAX')
        expect(error.details).toMatchObject({ field: 'schedule', position: 0, length: 1 })
      }
    },
  )

  it('with unknown options is refused', () => {
    const options = [
      { dialect: 'quartz' },
      { zone: 'UTC' },
      null,
      new Proxy({}, { ownKeys: fails }),
    ]
    for (const wrong of options) {
      const error = failure(() => parseSchedule('@daily', wrong as never))
      expect(error).toBeInstanceOf(ConfigurationError)
    }
    function fails(): never {
      throw new Error('trap')
    }
  })

  it('is read, or refused with a place inside of the text', () => {
    const words = [
      ...['0 2 * * *', '@daily', ' ', '@tz(', '@win(', '@dist(', '@seed(', '@policy(', '@only('],
      ...['@avoid(', ')', ',', ';', '=', '"', '\\', 'after', '3h', 'shape=2', 'salt="a"', '(', '@'],
      ...['normal', 'hours=8', 'dow=MON', 'UTC', 'suspend=true', '\n', '\ud800', 'é', '__proto__='],
    ]
    const text = fc
      .array(fc.constantFrom(...words), { maxLength: 12 })
      .map((parts) => parts.join(''))
    const property = fc.property(text, (typed) => {
      try {
        expect(parseSchedule(typed).schedule).not.toBe('')
      } catch (error) {
        expect(error).toBeInstanceOf(KronError)
        const { position, length, text: whole, field } = (error as KronError).details
        expect(position).toBeGreaterThanOrEqual(0)
        expect(position).toBeLessThanOrEqual(typed.length)
        expect(length).toBeGreaterThanOrEqual(1)
        expect(whole).toBe(typed)
        expect(field).not.toBe('')
      }
    })
    fc.assert(property, { numRuns: 5000 })
  })
})
