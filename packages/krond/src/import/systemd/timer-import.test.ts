import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/command/memory-host.js'
import { parseKrontab } from '../../krontab/index.js'

const unit = (section: string, lines: readonly string[]): string =>
  [`[${section}]`, ...lines, ''].join('\n')

interface Units {
  readonly timer: readonly string[]
  readonly service?: readonly string[]
  readonly others?: Readonly<Record<string, string>>
}

function imported({ timer, service = ['ExecStart=/x'], others = {} }: Units) {
  const { stdout, stderr } = runInMemory(['import', '--systemd', 'backup.timer'], {
    timezone: 'Europe/Paris',
    files: {
      '/home/ada/backup.timer': unit('Timer', timer),
      '/home/ada/backup.service': unit('Service', service),
      ...others,
    },
  })
  return { jobs: parseKrontab(stdout, '/x.krontab').jobs, stderr }
}

describe('a timer', () => {
  it('keeps the zone that its calendar names, and has that of the system otherwise', () => {
    const { jobs } = imported({ timer: ['OnCalendar=02:00 Asia/Tokyo', 'OnCalendar=03:00'] })
    expect(jobs.map(({ job }) => job.spec.timezone)).toEqual(['Asia/Tokyo', 'Europe/Paris'])
  })

  it('forgets the calendars above an empty one', () => {
    const { jobs } = imported({ timer: ['OnCalendar=02:00', 'OnCalendar=', 'OnCalendar=04:00'] })
    expect(jobs.map(({ job }) => job.spec.schedule)).toEqual(['0 4 * * *'])
  })

  it('has no delay that could reach into a day it does not name', () => {
    const timer = ['OnCalendar=Mon *-*-1..7 23:50', 'RandomizedDelaySec=1h']
    const { jobs, stderr } = imported({ timer })
    expect(jobs[0]?.job.spec).toMatchObject({
      window: { duration: 0 },
      constraints: { only: ['dom=1-7'] },
    })
    expect(stderr).toContain('RandomizedDelaySec is shortened')
  })

  it('that is not persistent is late by a minute at most, and so is one that says no', () => {
    const { jobs } = imported({ timer: ['OnCalendar=daily', 'Persistent=no'] })
    expect(jobs[0]?.job.policy.deadline).toBe(60_000)
  })

  it('runs the service that it names', () => {
    const { jobs } = imported({
      timer: ['OnCalendar=daily', 'Unit=other.service'],
      others: { '/home/ada/other.service': unit('Service', ['ExecStart=/bin/other']) },
    })
    expect(jobs[0]?.command).toEqual({ kind: 'words', words: ['/bin/other'] })
  })
})

describe('a service', () => {
  const daily = ['OnCalendar=daily']
  const timeoutOf = (...service: string[]): number | undefined =>
    imported({ timer: daily, service: ['ExecStart=/x', ...service] }).jobs[0]?.timeoutMs

  it('forgets the commands above an empty ExecStart', () => {
    const service = ['ExecStart=/bin/old', 'ExecStart=', 'ExecStart=/bin/new']
    const { jobs } = imported({ timer: daily, service })
    expect(jobs[0]?.command).toEqual({ kind: 'words', words: ['/bin/new'] })
  })

  it('that runs once has the timeout of its start, and others only that of their run', () => {
    expect(timeoutOf('Type=oneshot', 'TimeoutStartSec=5min', 'RuntimeMaxSec=1h')).toBe(300_000)
    expect(timeoutOf('Type=oneshot', 'TimeoutSec=5m')).toBe(300_000)
    expect(timeoutOf('TimeoutStartSec=5min', 'RuntimeMaxSec=1h')).toBe(3_600_000)
    expect(timeoutOf('TimeoutStartSec=5min')).toBeUndefined()
    expect(timeoutOf('Type=oneshot', 'TimeoutStartSec=infinity')).toBeUndefined()
  })

  it('keeps the backslashes of a word that has an apostrophe', () => {
    const service = [String.raw`ExecStart=/x "it's \\d"`]
    const { jobs } = imported({ timer: daily, service })
    expect(jobs[0]?.command).toEqual({ kind: 'words', words: ['/x', String.raw`it's \d`] })
  })

  it('goes on behind a comment between the parts of a line', () => {
    const service = ['ExecStart=/x \\', '# why', '  --all']
    const { jobs } = imported({ timer: daily, service })
    expect(jobs[0]?.command).toEqual({ kind: 'words', words: ['/x', '--all'] })
  })
})
