import { ConfigurationError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { MemoryKubeApi } from '../../testing/kube-api/index.js'
import { leases } from '../kube/index.js'
import { type StartPorts, startCommand } from './start-command.js'
import { type StartSettings, startDefaults, startSettings } from './start-settings.js'

const usual: StartSettings = startSettings({
  ...startDefaults,
  leaderElection: true,
  format: 'json',
  logLevel: 'info',
})

/** A machine without a network; what it has opened and not closed is counted. */
class Host {
  readonly clock = new VirtualClock(Date.UTC(2026, 2, 1))
  readonly server = new MemoryKubeApi({ clock: this.clock })
  readonly lines: Record<string, unknown>[] = []
  connections = 0
  listeners = new Set<() => void>()
  readonly #env: StartPorts['env']

  constructor(env: StartPorts['env'] = {}) {
    this.#env = env
  }

  start(settings: Partial<StartSettings> = {}, ports: Partial<StartPorts> = {}) {
    const { clock } = this
    return startCommand(
      { ...usual, ...settings },
      {
        clock,
        elapsed: () => clock.now().getTime(),
        env: this.#env,
        outlet: { write: (line) => this.lines.push(JSON.parse(line)), onDropped: () => undefined },
        pid: 7,
        keepSmall: async () => undefined,
        connect: async () => {
          this.connections++
          const close = async () => void this.connections--
          return { api: this.server, namespace: 'context', server: 'https://one', close }
        },
        onStop: (stop) => {
          this.listeners.add(stop)
          return () => this.listeners.delete(stop)
        },
        ...ports,
      },
    )
  }

  stop(): void {
    for (const stop of this.listeners) stop()
  }

  logged(event: string): Record<string, unknown> | undefined {
    return this.lines.find((line) => line['event'] === event)
  }
}

const pod = { POD_NAME: 'kron-1', POD_NAMESPACE: 'kron' }

describe('kron-operator start', () => {
  it('runs until it is stopped, and leaves nothing open', async () => {
    const host = new Host()
    const running = host.start()
    await host.clock.advanceBy(1000)
    expect([host.connections, host.listeners.size]).toEqual([1, 1])
    host.stop()
    await host.clock.advanceBy(1000)
    expect(await running).toBe(0)
    expect([host.connections, host.listeners.size]).toEqual([0, 0])
    expect(host.lines.map(({ event }) => event)).toMatchObject(
      expect.arrayContaining(['start', 'stop']),
    )
  })

  it.each([
    ['of its Pod', pod, 'kron', /^kron-1_[0-9a-f]{12}$/],
    ['of its context, outside of a Pod', {}, 'context', /^.+_[0-9a-f]{12}$/],
  ])('has its lease in the namespace %s', async (_, env, namespace, holder) => {
    const host = new Host(env)
    void host.start()
    await host.clock.advanceBy(1000)
    expect(host.server.objects.all(leases)).toMatchObject([
      { metadata: { namespace }, spec: { holderIdentity: expect.stringMatching(holder) } },
    ])
  })

  it('is another candidate each time, also in a Pod of the same name', async () => {
    const host = new Host(pod)
    for (const _ of [1, 2]) void host.start()
    await host.clock.advanceBy(1000)
    const identities = host.lines.flatMap(({ event, identity }) =>
      event === 'start' ? [identity] : [],
    )
    expect(new Set(identities).size).toBe(2)
  })

  it('answers over HTTP until it is stopped', async () => {
    const host = new Host()
    const running = host.start({ listen: '127.0.0.1:0' })
    await expect.poll(() => host.logged('listening')).toBeDefined()
    const url = `http://${host.logged('listening')!['address']}/healthz`
    expect((await fetch(url)).status).toBe(200)
    const metrics = await (await fetch(url.replace('healthz', 'metrics'))).text()
    expect(metrics).toContain('kron_operator_')
    expect(metrics).toMatch(/^process_cpu_seconds_total \d/m)
    expect(metrics).toMatch(/^nodejs_version_info\{version="v\d/m)
    host.stop()
    await host.clock.advanceBy(1000)
    expect(await running).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('tells why it could not start, and fails', async () => {
    const host = new Host()
    const cause = new ConfigurationError('KRON_ARGUMENT_INVALID', 'no cluster', {
      field: 'context',
    })
    const connect = () => Promise.reject(cause)
    expect(await host.start({}, { connect })).toBe(1)
    expect(host.lines).toMatchObject([
      { level: 'error', operation: 'start', message: 'no cluster' },
    ])
    expect(host.listeners.size).toBe(0)
  })
})
