import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { hostLog, type LogOutlet } from './host-log.js'

const clock = new VirtualClock(Date.UTC(2026, 2, 1))

function logTo(foreignEvents?: readonly string[]) {
  const written: [line: string, kind: string][] = []
  const outlet: LogOutlet = {
    write: (line, kind) => void written.push([line, kind]),
    onDropped: () => {},
  }
  const log = hostLog({
    outlet,
    format: 'text',
    level: 'info',
    component: 'krond',
    clock,
    ...(foreignEvents && { foreignEvents }),
  })
  return { log, outlet, written }
}

describe('the log of a host', () => {
  it('tells what it runs from what the host says itself', () => {
    const { log, written } = logTo(['output'])
    log.info('output', { line: 'hello' })
    log.info('started')
    log.debug('output')
    expect(written).toEqual([
      ['2026-03-01T00:00:00.000Z level=info component=krond event=output line=hello', 'foreign'],
      ['2026-03-01T00:00:00.000Z level=info component=krond event=started', 'own'],
    ])
  })

  it('is all of the host unless it is told otherwise', () => {
    const { log, written } = logTo()
    log.info('output')
    expect(written.map(([, kind]) => kind)).toEqual(['own'])
  })

  it('says how many lines were dropped, and from when to when', () => {
    const { outlet, written } = logTo()
    const [since, until] = [new Date(Date.UTC(2026, 1, 1)), new Date(Date.UTC(2026, 1, 2))]
    outlet.onDropped({ lines: 7, own: 2, since, until })
    expect(written).toEqual([
      [
        '2026-03-01T00:00:00.000Z level=warn component=krond event=log_dropped lines=7 own=2 ' +
          'since=2026-02-01T00:00:00.000Z until=2026-02-02T00:00:00.000Z',
        'own',
      ],
    ])
  })
})
