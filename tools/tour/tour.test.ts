import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const tour = fileURLToPath(new URL('tour.mjs', import.meta.url))

function run() {
  return spawnSync(process.execPath, [tour], { cwd: '/', encoding: 'utf8', timeout: 90_000 })
}

describe('the tour', () => {
  it('shows every command with its output, plain in a pipe, and ends by itself', () => {
    const { status, stdout, stderr } = run()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const command of ['next', 'explain', 'lint', 'simulate']) {
      expect(stdout).toContain(`$ krontab ${command} `)
    }
    expect(stdout).toContain('3 files, 50 jobs, 2 schedules, 0 errors, 2 warnings')
    expect(stdout).toContain('What to do next')
    expect(stdout).not.toContain('\u001b')
  })

  it('shows the same each time, but for the daemon', () => {
    const fixed = () => run().stdout.split('5. What if')[0]
    expect(fixed()).toBe(fixed())
  })

  it('kills a daemon, and proves from its log that nothing ran twice', () => {
    const [, daemon = ''] = run().stdout.split('5. What if')
    expect(daemon.match(/ started {3}period /g)).toHaveLength(1)
    expect(daemon.match(/ start {5}/g)).toHaveLength(2)
    expect(daemon).toContain('"hello from the job"')
    expect(daemon).toMatch(/2 daemon runs, 1 job\n/)
    expect(daemon).toContain('\nno violation\n')
  })

  it('lets a scheduler die, and what was running starts again once', () => {
    const [, scheduler = ''] = run().stdout.split('6. And in your own program')
    expect(scheduler.match(/^\d\d:\d\d TaskRun\w+ +\w+.*$/gm)).toEqual([
      '09:00 TaskRunStarted   report, for 09:00',
      '09:00 TaskRunStarted   sync, for 09:00',
      '09:00 TaskRunCompleted report',
      '10:40 TaskRunStarted   sync, which was running when the process died',
      '10:40 TaskRunCompleted sync',
      '11:00 TaskRunStarted   sync, for 11:00',
      '11:00 TaskRunCompleted sync',
    ])
  })
})
