import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Container, type ContainerOptions } from './container.ts'
import type { Image } from './image.ts'
import { ImageBuilder } from './image-builder.ts'
import { rootsUnavailable } from './rooted-program.ts'

const reason = rootsUnavailable()
if (reason !== null) console.warn(`Images are not built and run here: ${reason}`)

describe.skipIf(reason !== null)('images, step by step without an engine', () => {
  let builder: ImageBuilder
  let server: Image
  let operator: Image
  const containers: Container[] = []

  const run = (image: Image, options?: ContainerOptions): Container => {
    const container = new Container(image, options)
    containers.push(container)
    return container
  }

  beforeAll(async () => {
    builder = new ImageBuilder()
    const args = { VERSION: '1.2.3', REVISION: 'abc', NODE_IMAGE: `node@sha256:${'a'.repeat(64)}` }
    server = await builder.build('deploy/docker/kron-server.Dockerfile', args)
    operator = await builder.build('deploy/docker/kron-operator.Dockerfile', args)
  })

  afterEach(async () => {
    for (const container of containers.splice(0)) await container.remove()
  })
  afterAll(() => builder.remove())

  it('of the server is healthy as soon as it serves, and stops in order', async () => {
    const container = run(server)
    await container.printed(/\/api\/v1/)
    expect(await container.checkHealth()).toEqual({ code: 0, output: '' })
    const { code, output } = await container.stop()
    expect(output).toMatch(/kron_\w{8}_\w+/)
    expect(output).toContain('event=stopped')
    expect(code).toBe(0)
  })

  it('of the server is not healthy while nobody answers', async () => {
    const container = run(server, { command: ['serve', '--role', 'worker', '--data', '/data'] })
    await container.printed(/kron serves worker/)
    expect((await container.checkHealth()).code).toBe(1)
  })

  it('of the server writes to its volume and to nothing else, as nobody', async () => {
    const container = run(server)
    await container.printed(/\/api\/v1/)
    const written = async (path: string) =>
      (await container.execute(['sh', '-c', `touch ${path}`])).code === 0
    expect(await written('/data/any')).toBe(true)
    expect(await written('/tmp/any')).toBe(true)
    expect(await written('/opt/kron/any')).toBe(false)
    expect(await written('/any')).toBe(false)
    if (process.getuid?.() === 0) {
      expect((await container.execute(['id', '-u'])).output).toBe('65532\n')
      const owner = await container.execute(['stat', '-c', '%u %a', '/data/secret.key'])
      expect(owner.output).toBe('65532 600\n')
    }
  })

  it('of the server says in words what it does not understand, and ends', async () => {
    const { code, output } = await run(server, { command: ['serve', '--prot', '1'] }).ended
    expect(output).toContain('unknown option "--prot"')
    expect(code).toBe(1)
  })

  it('of the server has the client too', async () => {
    const container = run(server)
    await container.printed(/\/api\/v1/)
    const { code, output } = await container.execute(['kron', 'tenants', '--data', '/data'])
    expect(output).toContain('default')
    expect(code).toBe(0)
  })

  it('of the controller is healthy while it looks for its cluster, and stops in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kron-kubeconfig-'))
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'config'), kubeconfig)
    try {
      const env = { KUBECONFIG: '/tmp/config' }
      const container = run(operator, { env, folders: { '/tmp': folder } })
      await container.printed(/"event":"listening"/)
      expect(await container.checkHealth()).toEqual({ code: 0, output: '' })
      for (const program of ['kronctl', 'kubectl-kron']) {
        expect(await container.execute([program, '--version'])).toMatchObject({ code: 0 })
      }
      expect((await container.stop()).code).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('have nothing but our programs', async () => {
    const modulesOf = async (image: Image) => {
      const list =
        'const l = []; for (const n of fs.readdirSync("/opt/kron/node_modules")) l.push(n)'
      const print = `${list}; console.log(l.filter((n) => !n.startsWith(".")).join())`
      // The entrypoint is the program itself; Node is what it is run by.
      const only = { ...image, config: { ...image.config, entrypoint: ['node'] } }
      return (await run(only, { command: ['-e', print] }).ended).output.trim()
    }
    expect(await modulesOf(server)).toBe('@kron')
    expect(await modulesOf(operator)).toBe('@kron')
  })

  it('tell what they were built from', () => {
    for (const { config } of [server, operator]) {
      expect(config.labels).toMatchObject({
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.revision': 'abc',
      })
    }
    expect([server.config.ports, operator.config.ports]).toEqual([['7077'], ['8080']])
    expect(server.config.volumes).toEqual(['/data'])
  })
})

/** For a cluster that can't be reached. */
const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{ name: none, cluster: { server: "https://127.0.0.1:1" } }]
users: [{ name: none, user: { token: none } }]
contexts: [{ name: none, context: { cluster: none, user: none, namespace: default } }]
current-context: none
`
