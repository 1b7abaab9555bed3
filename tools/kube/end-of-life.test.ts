import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { isAlive } from '../postgres/observation.ts'
import { startControlPlane } from './index.ts'
import { controlPlaneAbsent } from './shared.ts'

describe.skipIf(controlPlaneAbsent())('a control plane', () => {
  it('does not outlive a process that is killed', async () => {
    const script = fileURLToPath(new URL('started-and-left.ts', import.meta.url))
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const { folder, pids } = JSON.parse(line) as { folder: string; pids: number[] }
    expect(pids.filter(isAlive)).toHaveLength(2)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), {
      timeout: 30_000,
      interval: 20,
    })
    expect(pids.filter(isAlive)).toEqual([])
  })

  it.each([
    ['etcd', { etcdFlags: { 'no-such-flag': '1' } }, /^etcd ended \(exit code \d\):\n/],
    [
      'kube-apiserver',
      { apiServerFlags: { 'no-such-flag': '1' } },
      /^kube-apiserver ended \(exit code \d\):\n(.|\n)*unknown flag: --no-such-flag/,
    ],
  ])('shows the log of an %s that does not start, and leaves nothing', async (_, flags, text) => {
    const parentFolder = mkdtempSync(join(tmpdir(), 'kron-kube-test-'))
    try {
      await expect(startControlPlane({ ...flags, parentFolder })).rejects.toThrow(text)
      expect(readdirSync(parentFolder)).toEqual([])
    } finally {
      rmSync(parentFolder, { recursive: true })
    }
  })
})
