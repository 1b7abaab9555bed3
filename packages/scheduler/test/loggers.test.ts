import { type Logger, type SchedulerEvent, StorageError } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { FailingStorage } from './failing-storage.js'
import { World } from './world.js'

/** As pino writes a line: `fields` by their enumerable keys, `err` alone by its serializer. */
function pinoLine(fields: object): string {
  const line: Record<string, unknown> = { level: 40 }
  for (const key of Object.keys(fields)) line[key] = (fields as Record<string, unknown>)[key]
  if (fields instanceof Error) line['err'] = { message: fields.message, stack: fields.stack }
  return JSON.stringify(line)
}

/** As winston does: the fields are copied, then written as JSON. */
const winstonLine = (message: string, fields: object): string =>
  JSON.stringify(Object.assign({}, fields, { level: 'warn', message }))

async function failingEvents(error: unknown): Promise<SchedulerEvent[]> {
  const storage = new FailingStorage(new World('2026-03-02T10:00:00Z').storage)
  const world = new World('2026-03-02T10:00:00Z', { storage })
  const scheduler = world.scheduler()
  await scheduler.initialize([world.task('', '* * * * *')]).catch(() => undefined)
  await scheduler.initialize([world.task('a', '* * * * *', () => Promise.reject(error))])
  await world.settled()
  storage.plan = () => 'fails before'
  await world.minutes(1)
  storage.plan = () => 'works'
  await scheduler.stop()
  return world.events.filter((event) => 'error' in event)
}

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), {
  code: 'ECONNREFUSED',
})
const failure = new Error('could not sync', { cause: refused })

describe('an event with an error', () => {
  it.each([
    ['JSON', (event: SchedulerEvent) => JSON.stringify(event)],
    ['pino', pinoLine],
    ['winston', (event: SchedulerEvent) => winstonLine('failed', event)],
  ])('keeps its reason when it is written by %s', async (_, write) => {
    const lines = (await failingEvents(failure)).map((event) => JSON.parse(write(event)))
    expect(lines.map(({ type }) => type)).toEqual([
      'SchedulerInitializationFailed',
      'TaskRunFailed',
      'StorageFailed',
    ])
    expect(lines.map((line) => line.failure)).toMatchObject([
      { name: 'InvalidRegistrationError', code: 'KRON_REGISTRATION_INVALID' },
      {
        name: 'Error',
        message: 'could not sync',
        stack: expect.stringContaining('loggers.test.ts'),
        cause: { message: refused.message, code: 'ECONNREFUSED' },
      },
      { name: 'StorageError', cause: { message: 'disk full at save' } },
    ])
  })

  const odd: [what: string, thrown: unknown, name: string, message: string][] = [
    ['text', 'no paper', 'string', 'no paper'],
    ['nothing', undefined, 'undefined', 'undefined'],
    ['null', null, 'null', 'null'],
    ['an object', { status: 503 }, 'object', '{"status":503}'],
    ['an object with a message', { message: 'busy', code: 7 }, 'object', 'busy'],
    [
      'an error that can not be read',
      unreadable(),
      'Error',
      '{"name":"Error","message":"[unreadable]"}',
    ],
  ]
  it.each(odd)('has a reason where %s is thrown', async (_what, thrown, name, message) => {
    const events = await failingEvents(thrown)
    const [failed] = events.filter(({ type }) => type === 'TaskRunFailed')
    expect(failed).toMatchObject({ failure: { name, message } })
  })

  it('that causes itself ends', async () => {
    const loop = new Error('round')
    loop.cause = loop
    const [, failed] = await failingEvents(loop)
    expect(JSON.stringify((failed as { failure?: object }).failure)).toContain('round')
  })

  it('keeps those of an AggregateError', async () => {
    const events = await failingEvents(new AggregateError([refused, failure], 'both'))
    expect(events[1]).toMatchObject({
      failure: {
        message: 'both',
        errors: [{ code: 'ECONNREFUSED' }, { message: 'could not sync' }],
      },
    })
  })
})

describe('an error of the scheduler', () => {
  it('is written as JSON with everything that it says', () => {
    const error = new StorageError({ operation: 'save' }, refused)
    expect(JSON.parse(JSON.stringify({ error }))).toMatchObject({
      error: {
        name: 'StorageError',
        code: 'KRON_STORAGE_FAILED',
        message: 'Storage failed to save: connect ECONNREFUSED 10.0.0.7:443',
        details: { operation: 'save', cause: { message: refused.message } },
        cause: { code: 'ECONNREFUSED' },
      },
    })
  })
})

describe('a logger', () => {
  it('is called as the object that it is, as loggers with a state need it', async () => {
    class Counting implements Logger {
      warnings = 0
      warn(): void {
        this.warnings++
      }
    }
    const logger = new Counting()
    const world = new World('2026-03-02T10:00:00Z', { logger })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *', () => Promise.reject(failure))])
    await world.settled()
    await scheduler.stop()
    expect(logger.warnings).toBe(1)
  })

  it('hears why a listener failed, in plain data and in the sentence, with what caused it', async () => {
    const told: [string, object | undefined][] = []
    const logger: Logger = { error: (sentence, fields) => void told.push([sentence, fields]) }
    const world = new World('2026-03-02T10:00:00Z', { logger })
    const scheduler = world.scheduler({
      onEvent: ({ type }) => {
        if (type === 'SchedulerStopped') throw failure
      },
    })
    await scheduler.initialize([])
    await scheduler.stop()
    expect(told).toMatchObject([
      [
        'onEvent threw at SchedulerStopped: could not sync: connect ECONNREFUSED 10.0.0.7:443',
        { failure: { message: 'could not sync', cause: { code: 'ECONNREFUSED' } } },
      ],
    ])
  })
})

function unreadable(): Error {
  const error = new Error('hidden')
  Object.defineProperty(error, 'message', {
    get: () => {
      throw new Error('no')
    },
  })
  return error
}
