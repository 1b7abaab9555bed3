import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@kron/command'
import { afterAll, describe, expect, it } from 'vitest'
import { understood } from '../images/serve-call.ts'
import { unitSettings } from './unit-file.ts'

const text = readFileSync(
  new URL('../../deploy/systemd/kron-server.service', import.meta.url),
  'utf8',
)
const settings = unitSettings(text)
const service = (name: string) => settings.get(`Service.${name}`)
const [program, ...words] = service('ExecStart')![0]!.split(' ')
const { options } = understood({ words, env: {} })

describe('kron-server.service', () => {
  it('starts kron serve with options that it has, on its own folder and for this machine', () => {
    expect(program).toBe('kron')
    expect(options).toMatchObject({
      roles: ['api', 'worker', 'planner'],
      host: '127.0.0.1',
      folder: `/var/lib/${service('StateDirectory')![0]}`,
    })
    expect(service('StateDirectoryMode')).toEqual(['0700'])
  })

  it('waits longer for the end than runs under way have', () => {
    const seconds = /^(\d+)s$/.exec(service('TimeoutStopSec')![0]!)![1]
    expect(Number(seconds) * 1_000).toBeGreaterThan(options.graceMs)
  })

  it('is started again unless that is useless', () => {
    expect(service('Restart')).toEqual(['on-failure'])
    expect(service('RestartPreventExitStatus')).toEqual([String(exitCodes.input)])
    expect(settings.get('Unit.StartLimitIntervalSec')).toEqual(['0'])
  })

  it('has secrets in files, and neither on the command line nor in the unit', () => {
    expect(service('EnvironmentFile')).toEqual(['-/etc/kron/server.env'])
    // In a folder that the service may write to, and that only root can read.
    expect(service('Environment')).toEqual([`KRON_KEY_FILE=${options.folder}/key`])
  })

  it('is never root', () => {
    expect(service('User')).toEqual(['kron'])
    expect(service('DynamicUser')).toEqual(['yes'])
    expect(service('CapabilityBoundingSet')).toEqual([''])
  })
})

describe('a unit file', () => {
  it.each(['Type=exec', '[Service]\nType exec', '[Service'])('is refused: %j', (broken) => {
    expect(() => unitSettings(broken)).toThrow(/line \d of the unit/)
  })
})

describe('systemd', () => {
  const place = mkdtempSync(join(tmpdir(), 'kron-unit-'))
  afterAll(() => rmSync(place, { recursive: true }))
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  const version = Number(/^systemd (\d+)/.exec(analyze('--version').stdout ?? '')?.[1] ?? 0)
  if (version === 0) console.warn('systemd-analyze is not on this machine: units are not verified')

  /** kron need not be installed for its unit to be right. */
  function written(unit: string): string {
    const path = join(place, 'kron-server.service')
    writeFileSync(path, unit.replace('ExecStart=kron ', 'ExecStart=/bin/true '))
    return path
  }

  const complaints = (unit: string) =>
    analyze('--man=no', 'verify', written(unit))
      .stderr.split('\n')
      .filter((line) => line.includes('kron-server'))

  it.skipIf(version === 0)('has no complaint about the unit', () => {
    expect(complaints(text)).toEqual([])
    expect(complaints(text.replace('PrivateTmp=', 'PrivatTmp='))).toHaveLength(1)
  })

  // It reads units that are not installed from this version on.
  it.skipIf(version < 250)('finds it well protected', () => {
    const judged = (unit: string) =>
      analyze('security', '--offline=true', '--threshold=20', written(unit)).status
    expect(judged(text)).toBe(0)
    expect(judged(text.replace(/^Protect.*\n/gm, ''))).not.toBe(0)
  })
})
