import { ConfigurationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { createLog, type LogLevel } from './index.js'
import type { LogOptions } from './log-options.js'

const time = '2026-03-01T02:32:20.007Z'
const clock = new VirtualClock(new Date(time))

function record(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = createLog({
    format: 'text',
    level: 'debug',
    component: 'krond',
    clock,
    write,
    ...options,
  })
  return { log, lines }
}

describe('a log', () => {
  it('writes text with the time first, then level, component, event and fields', () => {
    const { log, lines } = record()
    log.info('started', { job: '/etc/krond.d/a:backup', pid: 71, delay_ms: 1.5, forced: false })
    expect(lines).toEqual([
      `${time} level=info component=krond event=started ` +
        'job=/etc/krond.d/a:backup pid=71 delay_ms=1.5 forced=false',
    ])
  })

  it('writes JSON with the same keys in the same order', () => {
    const { log, lines } = record({ format: 'json' })
    log.info('started', { job: 'a:backup', pid: 71, forced: false, reason: null })
    expect(lines).toEqual([
      `{"time":"${time}","level":"info","component":"krond","event":"started",` +
        '"job":"a:backup","pid":71,"forced":false,"reason":null}',
    ])
  })

  it('quotes in text what would break the line or the words of it', () => {
    const { log, lines } = record()
    log.warn('two words', {
      empty: '',
      spaced: 'a b',
      quoted: 'say "hi"',
      pair: 'k=v',
      lines: 'one\ntwo\r\u2028three\u0085',
      path: 'C:\\x',
      'odd key': 1,
      list: [1, 2],
      nested: { a: [true, null] },
    })
    expect(lines).toEqual([
      `${time} level=warn component=krond event="two words" empty="" spaced="a b" ` +
        'quoted="say \\"hi\\"" pair="k=v" lines="one\\ntwo\\r\\u2028three\\u0085" ' +
        'path="C:\\\\x" "odd key"=1 list=[1,2] nested="{\\"a\\":[true,null]}"',
    ])
  })

  it.each<[LogLevel, string[]]>([
    ['debug', ['debug', 'info', 'warn', 'error', 'error']],
    ['info', ['info', 'warn', 'error', 'error']],
    ['warn', ['warn', 'error', 'error']],
    ['error', ['error', 'error']],
  ])('of level %s writes that level and those above', (level, expected) => {
    const { log, lines } = record({ level, format: 'json' })
    log.debug('x')
    log.info('x')
    log.warn('x')
    log.error('x')
    log.failure(new Error('x'), { operation: 'x' })
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected)
  })

  it('does not read the fields of a line that it does not write', () => {
    const { log } = record({ level: 'warn' })
    let read = false
    log.info('quiet', {
      get field() {
        read = true
        return 1
      },
    })
    expect(read).toBe(false)
  })

  it('gives each child its fields and those of its parents, the nearest first in rank', () => {
    const { log, lines } = record({ fields: { host: 'h1', run: 1 } })
    const child = log.child({ identity: 'a:b', run: 2 }).child({ period_id: 'p' })
    child.info('trigger', { run: 3, late: true })
    log.info('trigger')
    expect(lines).toEqual([
      `${time} level=info component=krond event=trigger host=h1 run=3 identity=a:b ` +
        'period_id=p late=true',
      `${time} level=info component=krond event=trigger host=h1 run=1`,
    ])
  })

  it('reads the fields of a child once, when it is made', () => {
    const { log, lines } = record()
    const fields = { attempt: 1 }
    const child = log.child(fields)
    fields.attempt = 2
    child.info('retry')
    expect(lines[0]).toContain('attempt=1')
  })

  it.each(['text', 'json'] as const)('keeps its own keys from the fields, in %s', (format) => {
    const reserved = { time: 'never', level: 'fatal', component: 'evil', event: 'other' }
    const { log, lines } = record({ format, fields: reserved })
    log.child(reserved).info('real', reserved)
    const [line] = lines
    const expected =
      format === 'json'
        ? `{"time":"${time}","level":"info","component":"krond","event":"real",` +
          '"field.time":"never","field.level":"fatal","field.component":"evil",' +
          '"field.event":"other"}'
        : `${time} level=info component=krond event=real field.time=never field.level=fatal ` +
          'field.component=evil field.event=other'
    expect(line).toBe(expected)
  })

  it('reads the clock for each line', async () => {
    const moving = new VirtualClock(new Date(time))
    const { log, lines } = record({ clock: moving })
    log.info('a')
    await moving.advanceBy(993)
    log.info('b')
    expect(lines.map((line) => line.split(' ')[0])).toEqual([time, '2026-03-01T02:32:21.000Z'])
  })

  it('goes on when the clock fails or has no valid time', () => {
    const failing = {
      now: (): Date => {
        throw new RangeError('no time')
      },
    }
    const first = record({ clock: failing })
    first.log.info('kept', { a: 1 })
    expect(first.lines).toEqual(['[unreadable] level=info component=krond event=kept a=1'])
    const second = record({ clock: { now: () => new Date(Number.NaN) } })
    second.log.info('kept')
    expect(second.lines).toEqual(['[invalid-date] level=info component=krond event=kept'])
  })

  it('writes null for an event that is not there', () => {
    const { log, lines } = record()
    log.info(undefined as unknown as string)
    expect(lines).toEqual([`${time} level=info component=krond event=null`])
  })

  it('is not stopped by a line that can not be written', () => {
    const arrived: string[] = []
    let broken = true
    const { log } = record({
      write: (line) => {
        if (broken) throw new RangeError('disk full')
        arrived.push(line)
      },
    })
    expect(() => log.error('lost')).not.toThrow()
    broken = false
    log.info('kept')
    expect(arrived).toHaveLength(1)
  })
})

describe('a log refuses', () => {
  const valid: LogOptions = {
    format: 'json',
    level: 'info',
    component: 'c',
    clock,
    write: () => {},
  }
  it.each([
    ['format', 'jsn'],
    ['format', undefined],
    ['level', 'INFO'],
    ['level', 3],
    ['component', ''],
    ['component', null],
    ['clock', undefined],
    ['clock', {}],
    ['write', 'stdout'],
  ])('%s %s', (field, value) => {
    const options = { ...valid, [field]: value } as LogOptions
    expect(() => createLog(options)).toThrow(ConfigurationError)
    expect(() => createLog(options)).toThrow(`log ${field} must be`)
  })

  it('nothing at all in place of options', () => {
    expect(() => createLog(undefined as unknown as LogOptions)).toThrow(ConfigurationError)
  })

  it('a level that does not exist with the nearest that does', () => {
    const options = { ...valid, level: 'wran' } as unknown as LogOptions
    expect(() => createLog(options)).toThrow('did you mean warn?')
  })
})
