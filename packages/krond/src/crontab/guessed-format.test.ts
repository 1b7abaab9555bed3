import { describe, expect, it } from 'vitest'
import { guessedFormat } from './guessed-format.js'

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
