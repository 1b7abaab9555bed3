import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'kron-outlet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runtime = new URL('../../dist/index.js', import.meta.url).href

/** A host that logs without end until it is asked to stop, and answers `ping` meanwhile. */
const host = `
import { descriptorOutlet, hostLog, systemClock } from '${runtime}'
const outlet = descriptorOutlet(1, 'host')
const clock = systemClock()
const log = hostLog({
  format: 'json', level: 'info', component: 'host', clock, outlet, foreignEvents: ['output'],
})
let isOver = false
process.on('message', (word) => {
  if (word === 'stop') isOver = true
  else process.send({ trouble: outlet.trouble })
})
while (!isOver) {
  for (let n = 0; n < 1000; n++) log.info('output', { line: 'x'.repeat(100) })
  await new Promise((resolve) => setImmediate(resolve))
}
log.info('stopped', {})
process.disconnect()
`

function startHost(stdout: 'pipe' | number) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', host], {
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  })
  const errors: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => void errors.push(text))
  const troubleOf = async (): Promise<string | null> => {
    child.send('ping')
    const [{ trouble }] = (await once(child, 'message')) as [{ trouble: string | null }]
    return trouble
  }
  return { child, errors, troubleOf }
}

describe('a host whose log nobody reads', () => {
  it('goes on, says so on stderr, and logs how many lines it dropped', async () => {
    const { child, errors, troubleOf } = startHost('pipe')
    while ((await troubleOf()) === null);
    expect(await troubleOf()).toBe('its reader does not read')
    expect(errors.join('')).toContain('host: the log is not written: its reader does not read')
    child.send('stop')
    let text = ''
    for await (const chunk of child.stdout!) text += chunk
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.find(({ event }) => event === 'log_dropped')).toMatchObject({
      level: 'warn',
      lines: expect.any(Number),
    })
    expect(lines.filter(({ event }) => event === 'stopped')).toHaveLength(1)
  })

  it('goes on when the reader is gone', async () => {
    const { child, errors, troubleOf } = startHost('pipe')
    child.stdout!.destroy()
    while ((await troubleOf()) === null);
    expect(await troubleOf()).toBe('EPIPE')
    child.send('stop')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(errors.join('')).toContain('host: the log is not written: EPIPE')
  })

  it('has all of it in a file, whatever comes at once', async () => {
    const path = join(folder, 'log')
    const file = openSync(path, 'w')
    const text = `
      import { descriptorOutlet } from '${runtime}'
      const outlet = descriptorOutlet(1, 'host')
      for (let n = 0; n < 2_000_000; n++) outlet.write('line ' + n)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
      stdio: ['ignore', file, 'inherit'],
    })
    await once(child, 'exit')
    closeSync(file)
    const lines = readFileSync(path, 'utf8').split('\n')
    expect([lines.length, lines.at(-2)]).toEqual([2_000_001, 'line 1999999'])
  })
})
