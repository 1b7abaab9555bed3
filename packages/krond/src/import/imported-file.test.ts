import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { withInput } from './imported-file.js'

const readBy = (command: string, stdin: string): string =>
  spawnSync('/bin/sh', ['-c', withInput(command, stdin, '/bin/sh')], { encoding: 'utf8' }).stdout

describe('what a command of a crontab reads', () => {
  it.each([
    ['hello\n'],
    ['two\nlines\n'],
    ['blanks at the end  \n'],
    ['a blank line at the end\n\n'],
    ['\n'],
    [`it's "$HOME" \`id\` %s \\n\n`],
  ])('is %j after the import, byte for byte', (stdin) => {
    expect(readBy('cat', stdin)).toBe(stdin)
    expect(readBy('cat | cat # all', stdin)).toBe(stdin)
  })
})
