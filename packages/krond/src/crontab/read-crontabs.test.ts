import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemFiles } from '@kron/command'
import { memoryFiles } from '@kron/command/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { krontabLimits } from '../krontab/index.js'
import { findCrontabs } from './crontab-paths.js'
import { parseCrontab } from './parse-crontab.js'
import { guessedFormat, readCrontabs } from './read-crontabs.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-crontabs-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a folder of crontabs', () => {
  it('may have folders in it, which are passed over', () => {
    mkdirSync(join(folder, 'disabled'))
    writeFileSync(join(folder, 'disabled', 'old'), '@daily x\n')
    writeFileSync(join(folder, 'backup'), '@daily x\n')
    expect(findCrontabs([folder], systemFiles)).toEqual([join(folder, 'backup')])
  })
})

describe('all crontabs together', () => {
  it('have at most 100,000 jobs', () => {
    const text = '@daily x\n@daily y\n'
    const jobsBefore = krontabLimits.jobs - 1
    const options = { format: 'user', timezone: 'UTC', jobsBefore } as const
    const { jobs, problems } = parseCrontab(text, '/a', options)
    expect(jobs).toHaveLength(1)
    expect(problems).toMatchObject([{ code: 'KRON_FILE_LIMIT', line: 2 }])
  })

  it('are counted over all files, and so are lines that are equal', () => {
    const text = '0 3 * * * x\n'.repeat(krontabLimits.jobs / 2)
    const files = memoryFiles({ '/a': text, '/b': text, '/c': '@daily z\n' })
    const read = readCrontabs(['/a', '/b', '/c'], files, { timezone: 'UTC' })
    expect(read.map(({ jobs }) => jobs.length)).toEqual([50_000, 50_000, 0])
    expect(read[2]?.problems).toMatchObject([{ code: 'KRON_FILE_LIMIT', line: 1 }])
  })
})

const isUser = (name: string): boolean => ['root', 'backup', 'sync', 'www-data'].includes(name)

describe('the format of a crontab', () => {
  it.each([
    ['/etc/crontab', '', 'system'],
    ['/etc/cron.d/php', '* * * * * echo hello', 'system'],
    ['/var/spool/cron/crontabs/ada', '* * * * * root echo hello', 'user'],
  ])('is told by the path %s', (path, text, format) => {
    expect(guessedFormat(path, text, isUser)).toBe(format)
  })

  it.each([
    ['names a user in each line', 'A=1\n# x\n* * * * * root ls\n@daily www-data ls\n', 'system'],
    ['names none', '* * * * * ls /tmp', 'user'],
    ['names a user in one line only', '* * * * * root ls\n* * * * * echo x', 'user'],
    ['runs a program named like a user', '0 3 * * * backup --full', 'user'],
    ['runs a program named like a user and nothing else', '0 3 * * * sync', 'user'],
    ['has no lines', '# nothing\n', 'user'],
  ])('elsewhere is told by the lines: it %s', (_, text, format) => {
    expect(guessedFormat('/srv/jobs', text, isUser)).toBe(format)
  })
})
