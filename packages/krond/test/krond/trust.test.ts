import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dueNow, KrondHome } from './krond-home.js'
import { isRoot, whyNotRoot } from './root.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

const job = `${dueNow} name=a command=/bin/true`
const stranger = 65_534

const spoiled = {
  'can be written by others': (path: string) => chmodSync(path, 0o606),
  'can be written by its group': (path: string) => chmodSync(path, 0o620),
  'is a symbolic link': (path: string) => symlinkSync(home.file('real', job), path),
  'belongs to somebody else': (path: string) => chownSync(path, stranger, stranger),
}

describe.each(Object.entries(spoiled))('a krontab that %s', (reason, spoil) => {
  const needsRoot = reason === 'belongs to somebody else'

  function prepare(): string {
    const isLink = reason === 'is a symbolic link'
    const path = isLink ? join(home.folder, 'bad.krontab') : home.file('bad.krontab', job)
    spoil(path)
    return path
  }

  it.skipIf(needsRoot && !isRoot)(`is refused${needsRoot ? whyNotRoot : ''}`, async () => {
    const alone = home.startOf(['--file', prepare()])
    expect(await alone.ended).toBe(2)
    const refusal = {
      level: 'error',
      code: 'KRON_FILE_UNTRUSTED',
      message: expect.stringMatching(/bad\.krontab:1:1: .*; fix: /),
    }
    expect(alone.events('error').at(-1)).toMatchObject({ ...refusal, operation: 'start' })
    home.file('good.krontab', job)
    const strict = home.startOf(['--file', home.folder], '--strict')
    expect(await strict.ended).toBe(2)
    expect(strict.events('started')).toEqual([])
    const beside = home.startOf(['--file', home.folder])
    expect(await beside.event('completed')).toMatchObject({
      identity: join(home.folder, 'good.krontab:a'),
    })
    expect(beside.events('error')).toMatchObject([{ ...refusal, operation: 'read_configuration' }])
    beside.kill('SIGTERM')
    expect(await beside.ended).toBe(0)
    expect(beside.events('started')).toHaveLength(1)
  })
})

const unsafe = {
  'a folder that others may read': () => home.makeState(0o755),
  'a file that others may read': () => plant(0o644),
  'a file that is a symbolic link': () => {
    home.makeState()
    symlinkSync(home.file('elsewhere', '{}'), home.stateFile('a'))
  },
  'a file of somebody else': () => {
    plant()
    chownSync(home.stateFile('a'), stranger, stranger)
  },
  'a folder of somebody else': () => {
    home.makeState()
    chownSync(home.state, stranger, stranger)
  },
}

function plant(mode = 0o600, text = '{}'): void {
  home.makeState()
  writeFileSync(home.stateFile('a'), text)
  chmodSync(home.stateFile('a'), mode)
}

describe.each(Object.entries(unsafe))('state with %s', (what, prepare) => {
  const needsRoot = what.includes('somebody else')

  it.skipIf(needsRoot && !isRoot)(`is refused with 3${needsRoot ? whyNotRoot : ''}`, async () => {
    home.jobs(job)
    prepare()
    const daemon = home.start()
    expect(await daemon.ended).toBe(3)
    expect(daemon.events('error')).toMatchObject([
      { level: 'error', error_type: 'PersistenceError', code: 'KRON_STATE_UNSAFE' },
    ])
    expect(daemon.events('decision')).toEqual([])
  })
})

describe('a state file', () => {
  it('of an unknown version ends the daemon with 3, and nothing is scheduled', async () => {
    home.jobs(`${dueNow} name=b command=/bin/true`, job)
    const text = JSON.stringify({ Version: '2', Identity: `${home.krontab}:a` })
    plant(0o600, text)
    const daemon = home.start()
    expect(await daemon.ended).toBe(3)
    expect(daemon.events('error')).toMatchObject([
      {
        level: 'error',
        error_type: 'IncompatibleStateError',
        operation: 'start',
        message: expect.stringMatching(/Version must be "1", got "2"/),
      },
    ])
    expect(daemon.events('decision')).toEqual([])
    expect(readFileSync(home.stateFile('a'), 'utf8')).toBe(text)
  })

  it('that is damaged is kept under another name, and its current period does not run', async () => {
    home.jobs(job, `${dueNow} name=b command=/bin/true`)
    plant(0o600, '{"Version":"1","Iden')
    const daemon = home.start()
    await daemon.event('completed', { identity: `${home.krontab}:b` })
    const lost = await daemon.event('state_lost', { level: 'error' })
    expect(lost['moved_to']).toMatch(/\.json\.corrupt\.\d{4}/)
    expect(readFileSync(String(lost['moved_to']), 'utf8')).toBe('{"Version":"1","Iden')
    daemon.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
    expect(daemon.events('started')).toMatchObject([{ identity: `${home.krontab}:b` }])
    const names = readdirSync(home.state).filter((name) => name.includes('corrupt'))
    expect(names).toHaveLength(1)
    expect(JSON.parse(readFileSync(home.stateFile('a'), 'utf8'))).toMatchObject({
      LastHandledPeriodID: lost['period_id'],
    })
  })
})
