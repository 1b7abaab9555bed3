import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readCrontabs } from '../crontab/index.js'
import { readKrontabs } from '../krontab/index.js'
import { trustedFiles } from './trusted-files.js'
import { type FileFacts, untrustedFolderReason, untrustedReason } from './untrusted-reason.js'

const ours = 1000
const facts = (given: Partial<FileFacts>): FileFacts => ({
  kind: 'file',
  uid: ours,
  mode: 0o644,
  ...given,
})
const reasonOf = (given: Partial<FileFacts>, uid = ours): string | undefined =>
  untrustedReason('/etc/krond.d/a.krontab', facts(given), uid)?.reason

describe('a file', () => {
  it.each<[Partial<FileFacts>, number]>([
    [{}, ours],
    [{ mode: 0o600 }, ours],
    [{ mode: 0o755 }, ours],
    [{ uid: 0 }, ours],
    [{ uid: 0 }, 0],
  ])('with %o is trusted by user %i', (given, uid) => {
    expect(reasonOf(given, uid)).toBeUndefined()
  })

  it.each<[Partial<FileFacts>, number, string]>([
    [{ mode: 0o664 }, ours, 'can be written by group or others (mode 0664)'],
    [{ mode: 0o602 }, ours, 'can be written by group or others (mode 0602)'],
    [{ mode: 0o1666 }, ours, 'can be written by group or others (mode 1666)'],
    [{ uid: 7 }, ours, 'belongs to user 7, it must belong to root or user 1000'],
    [{ uid: ours }, 0, 'belongs to user 1000, it must belong to root'],
    [{ kind: 'link' }, ours, 'is a symbolic link'],
    [{ kind: 'other' }, ours, 'is not a regular file'],
    [{ kind: 'folder' }, ours, 'is not a regular file'],
  ])('with %o is not trusted by user %i', (given, uid, reason) => {
    expect(reasonOf(given, uid)).toBe(reason)
  })

  it('comes with the command that mends it', () => {
    expect(untrustedReason("/a b/it's", facts({ mode: 0o666 }), ours)?.fix).toBe(
      "chmod go-w '/a b/it'\\''s'",
    )
    expect(untrustedReason('/a', facts({ uid: 7 }), 0)?.fix).toBe('chown 0 /a')
  })
})

describe('a folder', () => {
  it.each<[Partial<FileFacts>, boolean]>([
    [{ mode: 0o755 }, true],
    [{ mode: 0o1777, uid: 0 }, true],
    [{ mode: 0o777, uid: 0 }, false],
    [{ mode: 0o775 }, false],
    [{ mode: 0o1777, uid: 7 }, false],
    [{ kind: 'link', mode: 0o777, uid: 0 }, true],
    [{ kind: 'link', mode: 0o777, uid: 7 }, false],
  ])('with %o is trusted: %s', (given, trusted) => {
    const found = untrustedFolderReason('/f', facts({ kind: 'folder', ...given }), ours)
    expect(found === null).toBe(trusted)
  })
})

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('not root: files of other users are not tested')
const uid = process.getuid?.() ?? 0
const root = mkdtempSync(join(tmpdir(), 'kron-trust-'))
afterAll(() => rmSync(root, { recursive: true }))

let made = 0
function folder(mode = 0o755): string {
  const path = join(root, `f${made++}`)
  mkdirSync(path)
  chmodSync(path, mode)
  return path
}
function krontab(within: string, mode = 0o644, text = '0 3 * * * name=a command=/x\n'): string {
  const path = join(within, 'a.krontab')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
const problemOf = (path: string, reader = uid) => {
  const [file] = readKrontabs([path], trustedFiles(reader))
  expect(file?.jobs.length === 0).toBe(file?.problems.length === 1)
  return file?.problems[0]
}

describe('reading what runs commands', () => {
  it('goes on as usual for a file that only we can write', () => {
    expect(problemOf(krontab(folder()))).toBeUndefined()
    expect(problemOf(krontab(folder(0o700), 0o600))).toBeUndefined()
  })

  it('refuses a file that others may write, and says what to do', () => {
    const path = krontab(folder(), 0o664)
    expect(problemOf(path)).toMatchObject({
      code: 'KRON_FILE_UNTRUSTED',
      category: 'ConfigurationError',
      message: `the file can be written by group or others (mode 0664), so others could make krond run anything; fix: chmod go-w ${path}`,
    })
  })

  it('refuses a symbolic link', () => {
    const place = folder()
    const link = join(place, 'link.krontab')
    symlinkSync(krontab(place), link)
    expect(problemOf(link)).toMatchObject({ code: 'KRON_FILE_UNTRUSTED' })
    expect(problemOf(link)?.message).toContain('is a symbolic link')
  })

  it('refuses a file in a folder that others may write, at any height', () => {
    expect(problemOf(krontab(folder(0o777)))?.message).toContain('its folder')
    const open = folder(0o775)
    const below = join(open, 'below')
    mkdirSync(below)
    expect(problemOf(krontab(below))).toMatchObject({ code: 'KRON_FILE_UNTRUSTED' })
    expect(problemOf(krontab(folder(0o1777)))).toBeUndefined()
  })

  it('looks at where a link among the folders leads', () => {
    const open = folder(0o777)
    krontab(open)
    const link = join(folder(), 'link')
    symlinkSync(open, link)
    expect(problemOf(join(link, 'a.krontab'))?.message).toContain('its folder')
    const closed = folder()
    krontab(closed)
    const good = join(folder(), 'link')
    symlinkSync(closed, good)
    expect(problemOf(join(good, 'a.krontab'))).toBeUndefined()
  })

  it('says of a file that is missing only that', () => {
    expect(problemOf(join(folder(), 'none.krontab'))).toMatchObject({
      code: 'KRON_FILE_UNREADABLE',
    })
  })

  it('holds for crontabs too', () => {
    const path = krontab(folder(), 0o622, '0 3 * * * /x\n')
    const [file] = readCrontabs([path], trustedFiles(uid), { timezone: 'UTC' })
    expect(file).toMatchObject({ jobs: [], problems: [{ code: 'KRON_FILE_UNTRUSTED' }] })
    chmodSync(path, 0o600)
    expect(readCrontabs([path], trustedFiles(uid), { timezone: 'UTC' })[0]?.jobs).toHaveLength(1)
  })

  it.runIf(isRoot)('refuses, as root, a file or folder of somebody else', () => {
    const path = krontab(folder())
    chownSync(path, 65534, 65534)
    expect(problemOf(path)?.message).toContain('belongs to user 65534, it must belong to root, so')
    const theirs = folder()
    const inside = krontab(theirs)
    chownSync(theirs, 65534, 65534)
    expect(problemOf(inside)?.message).toContain('its folder')
  })

  it.runIf(isRoot)('accepts, as a user, what is theirs or of root', () => {
    const place = folder()
    const path = krontab(place)
    expect(problemOf(path, 65534)).toBeUndefined()
    chownSync(path, 65534, 65534)
    expect(problemOf(path, 65534)).toBeUndefined()
    expect(problemOf(path, 65533)).toMatchObject({ code: 'KRON_FILE_UNTRUSTED' })
  })
})
