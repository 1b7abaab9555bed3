import { readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { nodeSpawner, type SpawnRequest } from './spawner.js'

const request: SpawnRequest = {
  program: 'sh',
  words: ['-c', 'cat; echo "$0 $GREETING"; pwd; echo oops >&2; exit 7', 'a  b'],
  environment: { GREETING: '$HOME', PATH: '/usr/bin:/bin' },
  stdin: 'pipe',
  stdout: 'pipe',
  stderr: 'pipe',
  become: null,
}

describe('a process that is started in the way of Node', () => {
  it('has its words, variables and streams, in the root folder', async () => {
    const child = await nodeSpawner(request)
    child.stdin!.end('input\n')
    const [output, errors, status] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      child.exit,
    ])
    expect(output).toBe('input\na  b $HOME\n/\n')
    expect([errors, status]).toEqual(['oops\n', { code: 7, signal: null }])
  })

  it('has a channel in both directions, and tells the signal that ended it', async () => {
    const script = 'read -r line <&3; echo "$line back" >&3; kill -TERM $$'
    const ignored = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const
    const child = await nodeSpawner({ ...request, ...ignored, words: ['-c', script] })
    expect([child.stdin, child.stdout, child.stderr]).toEqual([null, null, null])
    child.channel.write('there\n')
    expect(await text(child.channel)).toBe('there back\n')
    expect(await child.exit).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('leaves no descriptor open when there is none', async () => {
    const openDescriptors = (): number => readdirSync('/proc/self/fd').length
    const failed = async (program: string, errno: string): Promise<void> => {
      await expect(nodeSpawner({ ...request, program })).rejects.toHaveProperty('code', errno)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await failed('/no/such/program', 'ENOENT')
    const before = openDescriptors()
    for (let n = 0; n < 5; n++) await failed('/no/such/program', 'ENOENT')
    await failed('/etc/passwd', 'EACCES')
    expect(openDescriptors()).toBeLessThanOrEqual(before)
  })
})
