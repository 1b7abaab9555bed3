import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'

const files = {
  '/home/ada/good.krontab': '0 3 * * * name=a command=/x\n0 4 * * * name=b command=/x\n',
  '/home/ada/warn.krontab': '*/90 * * * * name=a command=/x\n',
  '/home/ada/bad.krontab': '# x\n0 3 * * * name=a command=/x\n0 99 * * * name=b command=/x\n',
  '/home/ada/with space.krontab': '0 3 * * * name=a command=/x\n',
}

describe('krontab lint', () => {
  it('ends with a summary when all is well', () => {
    expect(runInMemory(['lint', 'good.krontab'], { files })).toMatchObject({
      exitCode: 0,
      stdout: '1 file, 2 jobs, 0 errors, 0 warnings\n',
      stderr: '',
    })
  })

  it('shows each error with its place, its line and a caret', () => {
    const { exitCode, stdout } = runInMemory(['lint', 'bad.krontab'], { files })
    expect(exitCode).toBe(2)
    expect(stdout).toBe(
      [
        'bad.krontab:3:3: error: hour field has the value 99, outside of 0-23 [KRON_CRON_INVALID]',
        '  0 99 * * * name=b command=/x',
        '    ^~',
        '',
        '1 file, 1 job, 1 error, 0 warnings',
        '',
      ].join('\n'),
    )
  })

  it('accepts warnings unless it is strict', () => {
    expect(runInMemory(['lint', 'warn.krontab'], { files }).exitCode).toBe(0)
    const { exitCode, stdout } = runInMemory(['lint', 'warn.krontab', '--strict'], { files })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('  fix: write 0 if that is meant')
    expect(stdout).toContain('1 file, 1 job, 0 errors, 1 warning\n')
  })

  it('takes files, folders, --file and schedules together', () => {
    const run = runInMemory(['lint', 'good.krontab', '0 3 * * *', '--file', 'warn.krontab'], {
      files,
    })
    expect(run.stdout).toMatch(/2 files, 3 jobs, 1 schedule, 0 errors, 1 warning\n$/)
    expect(runInMemory(['lint', '/home/ada'], { files }).stdout).toMatch(/4 files, 5 jobs/)
  })

  it('says what krond makes of crontabs', () => {
    const crontabs = {
      '/etc/crontab': 'CRON_TZ=Asia/Tokyo\n0 9 * * * root x\n0 99 * * * root y\n@daily root z\n',
    }
    const run = runInMemory(['lint', '--crontab', '/etc/crontab'], { files: crontabs })
    expect(run.exitCode).toBe(2)
    const lines = run.stdout.split('\n')
    expect(lines[0]).toMatch(
      /^\/etc\/crontab:1:1: warning: krond follows CRON_TZ.*Debian's cron.*\[KRON_WARN_CRONTAB\]$/,
    )
    expect(lines).toContain(
      '/etc/crontab:3:3: error: hour field has the value 99, outside of 0-23 [KRON_CRON_INVALID]',
    )
    expect(run.stdout).toMatch(/1 file, 2 jobs, 1 error, 1 warning\n$/)
    const both = runInMemory(['lint', 'good.krontab', '--crontab', '/etc/crontab'], {
      files: { ...files, ...crontabs },
    })
    expect(both.stdout).toMatch(/2 files, 4 jobs, 1 error, 1 warning\n$/)
  })

  it('takes an argument with white space for a file if there is one', () => {
    const run = runInMemory(['lint', 'with space.krontab'], { files })
    expect(run.stdout).toBe('1 file, 1 job, 0 errors, 0 warnings\n')
  })

  it('prints an array as JSON', () => {
    const run = runInMemory(['lint', 'bad.krontab', 'warn.krontab', '--format', 'json'], { files })
    expect(run.exitCode).toBe(2)
    expect(JSON.parse(run.stdout)).toEqual([
      {
        severity: 'error',
        file: '/home/ada/bad.krontab',
        line: 3,
        column: 3,
        length: 2,
        code: 'KRON_CRON_INVALID',
        category: 'ConfigurationError',
        message: 'hour field has the value 99, outside of 0-23',
      },
      {
        severity: 'warning',
        file: '/home/ada/warn.krontab',
        line: 1,
        column: 1,
        length: 4,
        code: 'KRON_WARN_STEP_TOO_LARGE',
        message: '*/90 in the minute field matches only minute 0: once an hour',
        fix: 'write 0 if that is meant; a step never carries over into the next hour',
      },
    ])
    expect(runInMemory(['lint', 'good.krontab', '--format', 'json'], { files }).stdout).toBe('[]\n')
  })

  it('uses colour on a terminal', () => {
    const options = { files, isTerminal: true }
    const colour = '\u001b['
    expect(runInMemory(['lint', 'bad.krontab'], options).stdout).toContain(colour)
    expect(runInMemory(['lint', 'bad.krontab', '--no-color'], options).stdout).not.toContain(colour)
    expect(runInMemory(['lint', 'bad.krontab', '--format', 'json'], options).stdout).not.toContain(
      colour,
    )
  })

  it('refuses files that do not exist', () => {
    const { exitCode, stdout, stderr } = runInMemory(['lint', 'none.krontab'], { files })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe('krontab: can\'t read "/home/ada/none.krontab": no such file or folder\n')
  })
})
