import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

describe("cron's own files", () => {
  it('are read as they are', async () => {
    const text = [
      '# a crontab of a user',
      'GREETING="hello"',
      '* * * * * cat; echo "$GREETING $((1 + 1)) \\%"%first%second',
      '@reboot /bin/true',
      '',
    ].join('\n')
    const path = home.file('crontab', text)
    const daemon = home.startOf(['--crontab', path])
    await daemon.event('decision')
    daemon.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
    const [decision] = daemon.events('decision')
    expect(decision).toMatchObject({ schedule: expect.stringMatching(/^\* \* \* \* \*/) })
    const name = String(decision!['identity']).split(':')[1]!
    const ran = await home.krond('run', name, '--crontab', path)
    expect(ran.stdout).toBe('first\nsecond\nhello 2 %\n')
  })
})
