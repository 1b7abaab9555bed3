import { displayWidth } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'

const shop = Array.from(
  { length: 20 },
  (_, i) => `0 2 * * * @tz(Europe/Paris) @win(after,2h) name=night-${i} command=/x`,
)
const files = {
  '/home/ada/shop.krontab': shop.join('\n'),
  '/home/ada/bare.krontab': '0 3 * * * name=a command=/x\n0 3 * * * name=b command=/x\n',
  '/home/ada/mixed.krontab':
    '0 3 * * * @policy(suspend=true) name=a command=/x\n0 4 * * * @tz(Asia/Tokyo) name=b command=/x\n',
  '/home/ada/bad.krontab': '0 3 * * * name=a command=/x\nnonsense\n',
  '/home/ada/busy.krontab': Array.from(
    { length: 400 },
    (_, i) => `* * * * * name=m-${i} command=/x`,
  ).join('\n'),
}

const simulate = (file: string, ...args: string[]) =>
  runInMemory(['simulate', '--file', `${file}.krontab`, ...args], { files })
const jsonOf = (file: string, ...args: string[]) =>
  JSON.parse(simulate(file, ...args, '--format', 'json').stdout)

describe('krontab simulate', () => {
  it('shows both series with their peaks, and what the windows bring', () => {
    const { stdout, exitCode, stderr } = simulate('shop')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain('20 jobs, 20 with a window; starts in each minute\n')
    expect(stdout).toContain(
      'Sun 2026-03-01 01:00:00 +01:00 to Mon 2026-03-02 01:00:00 +01:00, Europe/Paris\n',
    )
    expect(stdout).toContain('without windows   peak 20 at 02:00, mean 0.014, 20 in all\n')
    expect(stdout).toMatch(/with windows {6}peak [1-4] at 0[23]:\d\d, mean 0.014, 20 in all\n/)
    expect(stdout).toMatch(/windows bring the peak from 20 to [1-4], [\d.]+ times lower\n$/)
    expect(stdout).toContain('busiest minutes\n')
    expect(stdout).toMatch(/\n02:00 {6}20 +0[23]:/)
  })

  it('takes files and folders as arguments, as lint does', () => {
    const [plain, ...options] = ['bare.krontab', '--format', 'json'] as const
    const run = (...args: string[]) =>
      JSON.parse(runInMemory(['simulate', ...args], { files }).stdout)
    expect(run(plain, ...options)).toEqual(jsonOf('bare'))
    expect(run(plain, '--file', 'shop.krontab', ...options)).toMatchObject({ jobs: 22 })
    expect(run('/home/ada', ...options)).toMatchObject({ jobs: expect.any(Number) })
    const missing = runInMemory(['simulate', 'none.krontab'], { files })
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' })
    expect(missing.stderr).toContain('none.krontab": no such file or folder')
  })

  it('takes a date in the zone that it shows', () => {
    expect(simulate('shop', '--from', '2026-03-29').stdout).toContain(
      'Sun 2026-03-29 00:00:00 +01:00 to Mon 2026-03-30 01:00:00 +02:00, Europe/Paris\n',
    )
    const inTokyo = simulate('shop', '--from', '2026-03-29', '--timezone', 'Asia/Tokyo').stdout
    expect(inTokyo).toContain('Sun 2026-03-29 00:00:00 +09:00 to')
    expect(simulate('shop', '--from', '2026-02-30').stderr).toContain('krontab: --from must be')
  })

  it.each([40, 80, 132, 250])('fits a terminal of %d columns', (columns) => {
    const { stdout } = runInMemory(['simulate', '-f', 'shop.krontab'], { files, columns })
    const chart = stdout.split('\n').filter((line) => /[┤│┼]/.test(line))
    expect(chart).toHaveLength(14)
    for (const line of chart) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    const widest = Math.max(...chart.map(displayWidth))
    expect(widest).toBeGreaterThan(columns / 2)
  })

  it('counts to the end of the last step, also where only a part of it was asked for', () => {
    const from = '2026-03-05T00:00:00Z'
    const parts = jsonOf('shop', '--from', from, '--for', '90s', '--bucket', '1m')
    expect(parts).toMatchObject({ buckets: 2, until: '2026-03-05T00:02:00Z' })
    const part = jsonOf('shop', '--from', from, '--for', '1m', '--bucket', '1h')
    expect(part).toMatchObject({ buckets: 1, until: '2026-03-05T01:00:00Z' })
  })

  it('has all counts as JSON', () => {
    const result = jsonOf(
      'shop',
      '--from',
      '2026-03-05T00:00:30Z',
      '--for',
      '6h',
      '--bucket',
      '10m',
    )
    expect(result).toMatchObject({
      from: '2026-03-05T00:00:00Z',
      until: '2026-03-05T06:00:00Z',
      bucketSeconds: 600,
      buckets: 36,
      timezone: 'Europe/Paris',
      jobs: 20,
      jobsWithWindow: 20,
      unschedulable: 0,
    })
    expect(result.withoutWindows.counts).toHaveLength(36)
    expect(result.withoutWindows).toMatchObject({
      total: 20,
      peak: 20,
      peakAt: '2026-03-05T01:00:00Z',
      busiest: [{ at: '2026-03-05T01:00:00Z', count: 20 }],
    })
    const sum = result.withWindows.counts.reduce((a: number, b: number) => a + b, 0)
    expect(sum).toBe(20)
  })

  it('shows times in the zone of all jobs, in UTC if they differ, or as told', () => {
    expect(jsonOf('shop').timezone).toBe('Europe/Paris')
    expect(jsonOf('bare').timezone).toBe('UTC')
    expect(jsonOf('shop', '--timezone', 'Asia/Tokyo').timezone).toBe('Asia/Tokyo')
    const both = ['simulate', '-f', 'shop.krontab', '-f', 'mixed.krontab', '--format', 'json']
    expect(JSON.parse(runInMemory(both, { files }).stdout).timezone).toBe('UTC')
  })

  it('leaves suspended jobs out and says so', () => {
    expect(simulate('mixed').stdout).toContain('1 job, 0 with a window, 1 suspended and left out')
    expect(jsonOf('mixed')).toMatchObject({ jobs: 1, jobsSuspended: 1 })
  })

  it('proposes windows where there are none', () => {
    expect(simulate('bare').stdout).toContain(
      '2 jobs have no window yet: add one such as @win(after,30m)',
    )
  })

  it('says when nothing starts', () => {
    const { stdout } = simulate('bare', '--for', '1h')
    expect(stdout).toContain('without windows   nothing starts')
    expect(jsonOf('bare', '--for', '1h').withWindows).toMatchObject({ peak: 0, peakAt: null })
  })

  it('shows what it can of a file with errors, and fails', () => {
    const { exitCode, stdout, stderr } = simulate('bad')
    expect(exitCode).toBe(2)
    expect(stdout).toContain('1 job, 0 with a window')
    expect(stderr).toBe(
      'krontab: 1 error in these files, the jobs concerned are left out\n' +
        'hint: krontab lint shows them\n',
    )
  })

  it('writes an SVG', () => {
    const { written, stdout } = simulate('shop', '--out', 'night.svg')
    expect([...written.keys()]).toEqual(['/home/ada/night.svg'])
    expect(written.get('/home/ada/night.svg')).toMatch(/^<svg /)
    expect(stdout).toMatch(/\nwrote night.svg\n$/)
  })

  it.each([
    [['--out', 'x.gif'], '--out must be the name of an .svg file, got "x.gif"'],
    [['--for', '0s'], '--for must be whole seconds'],
    [['--for', '1x'], '--for must be a duration'],
    [['--for', '9000h'], '--for must be whole seconds from 1s to 366d'],
    [['--bucket', '1500ms'], '--bucket must be whole seconds'],
    [
      ['--for', '8760h', '--bucket', '1s'],
      '--for has 31,536,000 times --bucket, at most 1,000,000',
    ],
    [['--from', '1'], '--from must be an RFC 3339 time'],
    [['--timezone', 'Mars/X'], '--timezone: unknown time zone "Mars/X"'],
  ])('refuses %j', (args, message) => {
    const { exitCode, stderr, stdout } = simulate('shop', ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(`krontab: ${message}`)
  })

  it('refuses to count more starts than its limit', () => {
    expect(simulate('busy', '--for', '2400h')).toMatchObject({
      exitCode: 1,
      stderr:
        'krontab: more than 20,000,000 starts in that time\n' +
        'hint: make --for shorter, or simulate fewer files with --file\n',
    })
  })
})
