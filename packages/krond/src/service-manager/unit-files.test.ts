import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from '@kron/command'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryHost } from '../../testing/command/memory-host.js'
import { krondProgram } from '../cli/krond-program.js'
import { stateFolder, systemKrontabFolder } from '../command/folders.js'

const folder = fileURLToPath(new URL('../../../../deploy/systemd', import.meta.url))
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** Section and key, as `Service.Type`, with every value it was given. */
function settingsOf(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>()
  let section = ''
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const heading = /^\[(\w+)\]$/.exec(line)
    if (heading !== null) {
      section = heading[1]!
      continue
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    expect(key, `not a setting: ${line}`).toBeDefined()
    const name = `${section}.${key}`
    settings.set(name, [...(settings.get(name) ?? []), value!])
  }
  return settings
}

const units = ['krond.service', 'krond-user.service']

describe.each(units)('%s', (name) => {
  const settings = settingsOf(textOf(name))
  const service = (key: string) => settings.get(`Service.${key}`)

  it('starts krond itself, which tells when it is ready and that it lives', () => {
    expect(service('Type')).toEqual(['notify'])
    expect(service('ExecStart')).toHaveLength(1)
    expect(service('ExecStart')![0]).toMatch(/^\/usr\/bin\/krond start --/)
    expect(service('WatchdogSec')).toEqual(['5min'])
  })

  it('gives options that krond start has', () => {
    const host = memoryHost({ now: 0 })
    const { commands } = krondProgram(host, () => undefined)
    const { options } = commands.find((command) => command.name() === 'start')!
    const known = options.map((option) => option.long)
    const given = service('ExecStart')![0]!.match(/--[\w-]+/g)!
    expect(given.filter((flag) => !known.includes(flag))).toEqual([])
  })

  it('reloads with the signal that krond reloads on', () => {
    expect(service('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID'])
  })

  it('leaves running jobs alone, whatever happens to krond', () => {
    expect(service('ExecStop')).toHaveLength(1)
    expect(service('ExecStop')![0]).toMatch(/^\/usr\/bin\/krond stop --leave( --state \S+)?$/)
    expect(service('KillMode')).toEqual(['process'])
    expect(service('OOMPolicy')).toEqual(['continue'])
    expect(service('TimeoutStopSec')).toEqual(['90s'])
  })

  it('is not started again where that would not help', () => {
    expect(service('Restart')).toEqual(['on-failure'])
    const inVain = `${exitCodes.input} ${exitCodes.refused}`
    expect(service('RestartPreventExitStatus')).toEqual([inVain])
  })

  it('restricts nothing that a job may need', () => {
    const restriction = /\.(?:Protect|Private|Restrict|NoNew|Lock|SystemCall|Memory|Read|Cap)/
    expect([...settings.keys()].filter((key) => restriction.test(key))).toEqual([])
  })
})

describe('the unit of the system', () => {
  const settings = settingsOf(textOf('krond.service'))
  const service = (key: string) => settings.get(`Service.${key}`)
  const root = { uid: 0, home: '/root', env: {}, absolute: (path: string) => path }

  it('lets nobody but krond speak for it', () => {
    expect(service('NotifyAccess')).toEqual(['main'])
  })

  it('makes the folders that krond uses by itself, and names them', () => {
    const state = stateFolder(undefined, root)
    expect(state).toBe(`/var/lib/${service('StateDirectory')![0]}`)
    expect(service('StateDirectoryMode')).toEqual(['0700'])
    expect(systemKrontabFolder).toBe(`/etc/${service('ConfigurationDirectory')![0]}`)
    expect(service('ExecStart')![0]).toContain(`--file ${systemKrontabFolder} --state ${state} `)
    expect(service('ExecStop')![0]).toContain(` --state ${state}`)
  })

  it('begins with the machine, that of a user with the user', () => {
    expect(settings.get('Install.WantedBy')).toEqual(['multi-user.target'])
    const user = settingsOf(textOf('krond-user.service'))
    expect(user.get('Install.WantedBy')).toEqual(['default.target'])
    expect(user.get('Service.NotifyAccess')).toEqual(['all'])
  })
})

describe('systemd', () => {
  const place = mkdtempSync(join(tmpdir(), 'kron-units-'))
  afterAll(() => rmSync(place, { recursive: true }))
  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0
  if (!hasAnalyze) console.warn('systemd-analyze is not on this machine: units are not verified')

  /** krond need not be installed for its unit to be right. */
  function complaints(name: string, text: string): string[] {
    const path = join(place, name)
    writeFileSync(path, text.replaceAll('/usr/bin/krond ', '/bin/true '))
    const manager = name.includes('user') ? '--user' : '--system'
    const env = { ...process.env, XDG_RUNTIME_DIR: place }
    const args = [manager, '--man=no', 'verify', path]
    const { stderr } = spawnSync('systemd-analyze', args, { env, encoding: 'utf8' })
    return stderr.split('\n').filter((line) => line.includes('krond'))
  }

  it.skipIf(!hasAnalyze).each(units)('has no complaint about %s', (name) => {
    expect(complaints(name, textOf(name))).toEqual([])
    expect(complaints(name, textOf(name).replace('KillMode=', 'KilMode='))).toHaveLength(1)
  })

  it.skipIf(!hasAnalyze)('has none about the hardened one', () => {
    const [unit] = textOf('krond.service').split('[Install]')
    expect(complaints('krond.service', `${unit}${textOf('krond-hardened.conf')}`)).toEqual([])
  })
})
