import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeDisk } from '../../testing/disk/disk-conformance.js'
import { systemDisk } from './system-disk.js'

const base = mkdtempSync(join(tmpdir(), 'kron-disk-'))
afterAll(() => rmSync(base, { recursive: true }))

const make = () => ({
  disk: systemDisk(),
  folder: mkdtempSync(join(base, 'x-')),
  uid: process.getuid?.() ?? 0,
  plantLink: (path: string, target: string) => symlinkSync(target, path),
})

describeDisk("the system's disk", make)

describe("the system's disk", () => {
  it('does not wait for the other end of a pipe', async () => {
    const { disk, folder } = make()
    const pipe = join(folder, 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    expect(disk.inspect(pipe)?.kind).toBe('other')
    expect(() => disk.read(pipe)).toThrow(expect.objectContaining({ code: 'EINVAL' }))
    await expect(disk.create(pipe, 0o600)).rejects.toMatchObject({ code: 'ENXIO' })
  })
})
