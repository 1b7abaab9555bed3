import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

const attempts = 100
const atOnce = 10

describe('a second daemon on a state folder', () => {
  it(`ends with 3, ${attempts} of ${attempts} times, and touches nothing`, async () => {
    home.jobs(home.waiting('a'))
    const first = home.start()
    const { pid } = await first.event('started')
    const before = readFileSync(home.stateFile('a'), 'utf8')
    const codes: (number | string)[] = []
    let error: unknown
    for (let done = 0; done < attempts; done += atOnce) {
      const others = Array.from({ length: atOnce }, () => home.start())
      codes.push(...(await Promise.all(others.map(({ ended }) => ended))))
      error = others[0]!.lines
    }
    expect(codes).toEqual(Array(attempts).fill(3))
    expect(error).toMatchObject([
      {
        level: 'error',
        error_type: 'SystemError',
        operation: 'start',
        message: expect.stringContaining(`process ${first.pid} holds the lock`),
      },
    ])
    expect(readFileSync(home.stateFile('a'), 'utf8')).toBe(before)
    home.finish('a')
    expect(await first.event('completed')).toMatchObject({ pid, exit_code: 7 })
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  })

  it('ends with 3 though krond.lock was removed, and the first is found and stopped', async () => {
    home.jobs(home.waiting('a'))
    const first = home.start()
    await first.event('started')
    rmSync(join(home.state, 'krond.lock'))
    const second = home.start()
    expect(await second.ended).toBe(3)
    expect(second.events('started')).toEqual([])
    expect(second.lines[0]!['message']).toContain(`process ${first.pid} holds the lock`)
    const seen = await home.krond('status', '--file', home.krontab, '--state', home.state)
    expect(seen.stdout).toContain(`krond runs as process ${first.pid}`)
    expect((await home.krond('reload', '--state', home.state)).code).toBe(0)
    rmSync(join(home.state, 'krond.lock'))
    const stop = home.command('stop', '--state', home.state)
    await first.event('stop')
    home.finish('a')
    expect(await stop.ended).toBe(0)
    expect(await first.ended).toBe(0)
  })

  it('is the only one that starts when several begin together', async () => {
    home.jobs(home.waiting('a'))
    const all = Array.from({ length: 5 }, () => home.start())
    const winner = await Promise.any(all.map((one) => one.event('started').then(() => one)))
    const losers = all.filter((one) => one !== winner)
    expect(await Promise.all(losers.map(({ ended }) => ended))).toEqual([3, 3, 3, 3])
    winner.kill('SIGTERM')
    home.finish('a')
    expect(await winner.ended).toBe(0)
  })
})

describe('a daemon that was killed', () => {
  it('leaves no lock behind, and its job to the next', async () => {
    home.jobs(home.waiting('a'))
    const first = home.start()
    const { pid } = await first.event('started')
    first.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    const second = home.start()
    expect(await second.event('recovered')).toMatchObject({ pid, alive: true })
    home.finish('a')
    await second.event('completed', { pid })
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.events('started')).toEqual([])
  })
})
