import { describe, expect, it } from 'vitest'
import type { Caller } from '../command/folders.js'
import { type StartOptions, startDefaults, startSettings } from './start-settings.js'

const usual: StartOptions = { strict: false, kill: false, format: 'text', ...startDefaults }
const root: Caller = {
  uid: 0,
  home: '/root',
  env: { XDG_STATE_HOME: '/ignored', XDG_CONFIG_HOME: '/ignored' },
  absolute: (path) => (path.startsWith('/') ? path : `/cwd/${path}`),
}
const ada: Caller = { ...root, uid: 1000, home: '/home/ada', env: {} }

describe('the settings of krond start', () => {
  it('are these when nothing is said', () => {
    expect(startSettings(usual, root)).toEqual({
      krontabs: ['/etc/krond.d'],
      crontabs: [],
      state: '/var/lib/krond',
      strict: false,
      kill: false,
      listen: null,
      logFormat: 'text',
      logLevel: 'info',
      maxRunning: 256,
      graceMs: 10_000,
      historyLength: 10,
    })
  })

  it.each([
    ['in the usual folders', {}, '/home/ada/.config/krond', '/home/ada/.local/state/krond'],
    ['where XDG says', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/krond', '/s/krond'],
    [
      'in the usual folders when XDG is not absolute',
      { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' },
      '/home/ada/.config/krond',
      '/home/ada/.local/state/krond',
    ],
  ])('of a user are %s', (_, env, krontabs, state) => {
    expect(startSettings(usual, { ...ada, env })).toMatchObject({ krontabs: [krontabs], state })
  })

  it('have only the files that were named, absolute', () => {
    const options = { ...usual, file: ['jobs', '/x.krontab'], crontab: ['/etc/crontab'] }
    expect(startSettings({ ...options, state: 'state' }, root)).toMatchObject({
      krontabs: ['/cwd/jobs', '/x.krontab'],
      crontabs: ['/etc/crontab'],
      state: '/cwd/state',
    })
    const { crontab } = options
    expect(startSettings({ ...usual, crontab }, root)).toMatchObject({ krontabs: [] })
  })

  it.each([
    ['--format', { format: 'xml' }, /--format must be text or json, got "xml"/],
    ['--log-level', { logLevel: 'loud' }, /--log-level must be debug, info, warn or error/],
    ['--max-running', { maxRunning: '0' }, /a whole number from 1 to 100/],
    ['--max-running', { maxRunning: '100001' }, /a whole number from 1 to 100/],
    ['--max-running', { maxRunning: '1e3' }, /got "1e3"/],
    ['--grace', { grace: '-1s' }, /--grace/],
    ['--grace', { grace: '61m' }, /--grace must be whole seconds/],
    ['--grace', { grace: '500ms' }, /--grace must be whole seconds/],
    ['--history', { history: '-1' }, /--history must be a whole number from 1 to 1/],
  ])('refuse %s as in %j', (field, wrong, message) => {
    const check = () => startSettings({ ...usual, ...wrong }, root)
    expect(check).toThrow(message)
    expect(check).toThrow(
      expect.objectContaining({
        code: 'KRON_ARGUMENT_INVALID',
        details: expect.objectContaining({ field }),
      }),
    )
  })
})
