import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@kron/runtime/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { isRegisteredFormat, ProgramFormats } from './program-format.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-format-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const pipe = join(folder, 'pipe')
spawnSync('mkfifo', [pipe])

describe('a file that is about to be executed', () => {
  it.each([
    ['a text', file('text', 'echo x\n'), true],
    ['a text with a byte order mark before its #!', file('bom', '\ufeff#!/bin/sh\n'), true],
    ['empty', file('empty', ''), true],
    ['a script', file('script', '#!/bin/sh\n'), false],
    ['a program', process.execPath, false],
    ['of another machine', file('other', Buffer.from('4d5a90000300', 'hex')), false],
    ['a pipe', pipe, false],
    ['a folder', folder, false],
    ['missing', join(folder, 'none'), false],
  ])('is left to a shell when it is %s: %s %s', async (_, path, isText) => {
    expect(await new ProgramFormats(new VirtualClock(0)).isBareText(path)).toBe(isText)
  })
})

describe('a file that was looked at before', () => {
  it('is not kept open', async () => {
    const formats = new ProgramFormats(new VirtualClock(0))
    const path = file('closed', 'echo x\n')
    const openOnes = (): string[] =>
      spawnSync('ls', ['-l', `/proc/${process.pid}/fd`], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((line) => line.endsWith(` ${path}`))
    for (let n = 0; n < 5; n++) expect(await formats.isBareText(path)).toBe(true)
    expect(openOnes()).toEqual([])
  })

  it('is looked at again when it has become another', async () => {
    const formats = new ProgramFormats(new VirtualClock(0))
    const path = file('changing', '#!/bin/sh\n')
    expect(await formats.isBareText(path)).toBe(false)
    expect(await formats.isBareText(path)).toBe(false)
    file('changing', 'echo hello\n')
    expect(await formats.isBareText(path)).toBe(true)
    file('changing', '#!/bin/sh\necho hello\n')
    expect(await formats.isBareText(path)).toBe(false)
  })
})

describe('a file system that does not answer', () => {
  it('holds up one start for a second, and others not at all until it answers', async () => {
    const clock = new VirtualClock(0)
    const answers: (() => void)[] = []
    const formats = new ProgramFormats(clock, async (path) => {
      if (path === '/stuck') await new Promise<void>((resolve) => void answers.push(resolve))
      return true
    })
    const first = formats.isBareText('/stuck')
    const behind = formats.isBareText('/text')
    await clock.advanceBy(1000)
    expect(await Promise.all([first, behind])).toEqual([false, false])
    expect(await formats.isBareText('/text')).toBe(false)
    expect(answers).toHaveLength(1)
    for (const answer of answers) answer()
    await clock.advanceBy(0)
    expect(await formats.isBareText('/text')).toBe(true)
  })
})

describe('the formats that are registered with the kernel', () => {
  const formats = mkdtempSync(join(folder, 'binfmt-'))
  const entry = (name: string, ...lines: string[]): void =>
    writeFileSync(join(formats, name), `${lines.join('\n')}\n`)
  entry('status', 'enabled')
  entry('register', 'enabled', 'extension .sh')
  entry('python', 'enabled', 'interpreter /usr/bin/python3', 'flags: ', 'extension .py')
  entry('off', 'disabled', 'interpreter /x', 'flags: ', 'extension .off')
  entry('other', 'disabled', 'interpreter /opt/enabled', 'flags: ', 'extension .other')
  entry('odd', 'enabled', 'interpreter /x', 'flags: ')
  entry('exact', 'enabled', 'interpreter /x', 'flags: ', 'offset 0', 'magic 4142')
  mkdirSync(join(formats, 'a-folder'))
  entry('lisp', 'enabled', 'interpreter /x', 'flags: ', 'offset 2', 'magic 41ff', 'mask fff0')

  it.each([
    ['/x/a.py', 'print()', true],
    ['/x/a.sh', 'echo', false],
    ['/x/a.off', 'x', false],
    ['/x/a.other', 'x', false],
    ['/x/a', 'ABC', true],
    ['/x/a', 'AC', false],
    ['/x/a', 'A', false],
    ['/x/a', '..A\xf5', true],
    ['/x/a', '..B\xf5', false],
    ['/x/a', '', false],
  ])('tell whether %s with %j in it is executed: %s', async (path, text, isRegistered) => {
    const start = Buffer.from(text, 'latin1')
    expect(await isRegisteredFormat(path, start, formats)).toBe(isRegistered)
    expect(await isRegisteredFormat(path, start, join(folder, 'none'))).toBe(false)
  })
})
