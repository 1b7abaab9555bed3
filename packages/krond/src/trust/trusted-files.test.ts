import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findKrontabs, krontabLimits, readKrontabs } from '../krontab/index.js'
import { trustedFiles } from './trusted-files.js'

const uid = process.getuid?.() ?? 0
const root = mkdtempSync(join(tmpdir(), 'kron-trusted-'))
afterAll(() => rmSync(root, { recursive: true }))

const folder = (mode: number): string => {
  const path = mkdtempSync(join(root, 'f-'))
  chmodSync(path, mode)
  return path
}
const file = (text: string, mode = 0o600): string => {
  const path = join(folder(0o755), 'a.krontab')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const untrusted = expect.objectContaining({ code: 'KRON_FILE_UNTRUSTED' })

describe('files that are to be trusted', () => {
  it('are not looked for in a folder where others may remove them', () => {
    const find = (mode: number) => () => findKrontabs([folder(mode)], trustedFiles(uid))
    expect(find(0o777)).toThrow(untrusted)
    expect(find(0o755)()).toEqual([])
  })

  it('are refused when they are too large, and never read in part', () => {
    const line = '@daily name=a command=/x\n'
    const comment = `#${' '.repeat(60_000)}\n`
    const most = comment.repeat(18).slice(0, krontabLimits.fileBytes - line.length - 1)
    const [whole] = readKrontabs([file(`${most}\n${line}`)], trustedFiles(uid))
    expect(whole).toMatchObject({ jobs: [{ name: 'a' }], problems: [] })
    const [larger] = readKrontabs([file(`${most}\n${line}x`)], trustedFiles(uid))
    expect(larger).toMatchObject({ jobs: [], problems: [{ code: 'KRON_FILE_LIMIT' }] })
  })

  it('are no pipes, and nobody waits for the other end of one', () => {
    const pipe = join(folder(0o755), 'a.krontab')
    expect(spawnSync('mkfifo', ['-m', '600', pipe]).status).toBe(0)
    expect(() => trustedFiles(uid).read(pipe, 10)).toThrow('the file is not a regular file')
  })

  const hasDescriptors = process.platform === 'linux'
  it.runIf(hasDescriptors)('do not stay open, whether they were read or refused', () => {
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const good = file('text')
    const bad = file('text', 0o666)
    const before = openFiles()
    for (let count = 0; count < 50; count++) {
      trustedFiles(uid).read(good, 10)
      expect(() => trustedFiles(uid).read(bad, 10)).toThrow(untrusted)
    }
    expect(openFiles()).toBeLessThan(before + 50)
  })
})
