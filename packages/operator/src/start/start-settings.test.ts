import { describe, expect, it } from 'vitest'
import { type StartOptions, startDefaults, startSettings } from './start-settings.js'

const usual: StartOptions = { leaderElection: true, format: 'text', ...startDefaults }

describe('the settings of kron-operator start', () => {
  it('are these when nothing is said', () => {
    expect(startSettings(usual)).toEqual({
      namespace: undefined,
      kubeconfig: undefined,
      context: undefined,
      listen: null,
      lease: { name: 'kron-operator', namespace: undefined, durationMs: 15_000 },
      resyncMs: 1_800_000,
      maxRequests: 32,
      logFormat: 'text',
      logLevel: 'info',
    })
  })

  it('are those that are given', () => {
    const options: StartOptions = {
      namespace: 'team-a',
      kubeconfig: '/config',
      context: 'test',
      listen: '127.0.0.1:8080',
      leaderElection: true,
      leaseName: 'mine',
      leaseNamespace: 'team-b',
      leaseDuration: '1m',
      resync: '1h',
      requests: '7',
      format: 'json',
      logLevel: 'debug',
    }
    expect(startSettings(options)).toEqual({
      namespace: 'team-a',
      kubeconfig: '/config',
      context: 'test',
      listen: '127.0.0.1:8080',
      lease: { name: 'mine', namespace: 'team-b', durationMs: 60_000 },
      resyncMs: 3_600_000,
      maxRequests: 7,
      logFormat: 'json',
      logLevel: 'debug',
    })
  })

  it('have no lease when there is no election', () => {
    expect(startSettings({ ...usual, leaderElection: false }).lease).toBeNull()
  })

  it.each<Partial<StartOptions>>([
    { leaseDuration: '2s', resync: '1m', requests: '1' },
    { leaseDuration: '10m', resync: '24h', requests: '1000' },
    { namespace: 'a'.repeat(63), leaseNamespace: '1-a', leaseName: 'x' },
  ])('may be at their limits: %j', (options) => {
    expect(() => startSettings({ ...usual, ...options })).not.toThrow()
  })

  it.each([
    [true, undefined, 'readable'],
    [false, undefined, 'text'],
    [true, 'text', 'text'],
    [true, 'json', 'json'],
  ] as const)('log on a terminal (%s) with --format %s as %s', (isTerminal, format, logFormat) => {
    const { format: _, ...others } = usual
    const asked = { ...others, ...(format !== undefined && { format }) }
    expect(startSettings(asked, isTerminal).logFormat).toBe(logFormat)
  })

  it.each<[string, Partial<StartOptions>]>([
    ['--format', { format: 'xml' }],
    ['--log-level', { logLevel: 'loud' }],
    ['--namespace', { namespace: 'Team' }],
    ['--namespace', { namespace: '' }],
    ['--namespace', { namespace: 'a'.repeat(64) }],
    ['--lease-name', { leaseName: '-a' }],
    ['--lease-namespace', { leaseNamespace: 'a.b' }],
    ['--lease-duration', { leaseDuration: '1s' }],
    ['--lease-duration', { leaseDuration: '601s' }],
    ['--resync', { resync: '59s' }],
    ['--resync', { resync: '24h1s' }],
    ['--requests', { requests: '0' }],
    ['--requests', { requests: '1001' }],
  ])('are refused when %s is out of its bounds: %j', (option, options) => {
    expect(() => startSettings({ ...usual, ...options })).toThrow(`${option} must be`)
  })
})
