import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KronCommands, runAlone, sampleUrl } from '../../testing/kron-commands.js'
import type { EndpointDocument } from './client/index.js'

describe('a refusal of the server', () => {
  const kron = new KronCommands()

  beforeAll(async () => {
    await kron.start()
    await kron.makeSync('--every', '5m')
    await kron.json('jobs', 'create', 'weekly')
    for (const job of ['nightly', 'weekly']) {
      await kron.createEndpoint('report', job, '--every', '5m')
    }
  })
  afterAll(kron.stop)

  const create = (...more: string[]) =>
    kron.run(['endpoints', 'create', 'x', '--job', 'nightly', '--url', sampleUrl, ...more])

  it('says what is wrong where, and what is expected', async () => {
    const { exitCode, stdout, stderr } = await create('--cron', '0 99 * * *')
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^kron: .*\[validation_failed\]\n {2}cron: .*99.*0-23.* \[KRON_CRON_INVALID\]\n/,
    )
    expect(stderr).toContain('    0 99 * * *\n      ^\n')
  })

  it('names every field', async () => {
    const { exitCode, stderr } = await create(
      '--every',
      '5m',
      '--planner',
      'x',
      '--set',
      'nonsense=1',
    )
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/\n {2}planner: /)
    expect(stderr).toMatch(/\n {2}nonsense: /)
  })

  it('finds the name that was meant', async () => {
    expect(await kron.run(['endpoints', 'show', 'snyc'])).toMatchObject({
      exitCode: 1,
      stderr:
        'kron: no endpoint "snyc"; did you mean sync?\n' +
        'hint: kron endpoints list shows all of them\n',
    })
    expect((await kron.run(['jobs', 'show', 'nigthly'])).stderr).toContain('did you mean nightly?')
    expect((await kron.run(['keys', 'show', 'adnim'])).stderr).toContain('did you mean admin?')
  })

  it('asks which one is meant, and takes it with its job or by its id', async () => {
    const { exitCode, stderr } = await kron.run(['endpoints', 'show', 'report'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^kron: 2 endpoints have the name "report"\nhint: use one of these ids\n/,
    )
    expect(stderr).toMatch(/\n {2}ep_\w{26} {2}nightly\/report\n/)
    const { id } = await kron.json<EndpointDocument>('endpoints', 'show', 'weekly/report')
    expect(stderr).toContain(`  ${id}  weekly/report\n`)
    expect((await kron.json<EndpointDocument>('endpoints', 'show', id)).id).toBe(id)
  })

  it('of an id that does not exist is an unknown name', async () => {
    const { exitCode, stderr } = await kron.run(['endpoints', 'show', `ep_${'0'.repeat(26)}`])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[not_found]')])
  })

  it.each<[string[], string]>([
    [['--every', '5'], '--every must be a duration'],
    [['--every', '0s'], '--every must be at least 1ms'],
    [['--cron', '* * * * *', '--every', '5m'], '--cron and --every exclude each other'],
    [['--every', '5m', '--header', 'secret'], '--header must be "name: value", got "secret"'],
    [['--every', '5m', '--json', '{'], '--json must be JSON'],
    [['--every', '5m', '--json', '1', '--text', 'x'], '--json and --text exclude each other'],
    [['--every', '5m', '--set', 'x'], '--set must be field=json'],
    [['--every', '5m', '--set', 'secret=x'], '--set secret must be JSON'],
    [['--every', '5m', '--attempts', '0'], '--attempts must be a whole number from 1 to 20'],
    [['--every', '5m', '--format', 'yaml'], '--format must be text or json'],
  ])('is not needed for %j', async (more, message) => {
    const { exitCode, stderr } = await create(...more)
    expect(exitCode).toBe(1)
    expect(stderr.startsWith(`kron: ${message}`)).toBe(true)
  })

  it('never shows the value of a header that was mistyped', async () => {
    const { stderr } = await create('--every', '5m', '--header', 'authorization Bearer-abc')
    expect(stderr).toContain('got "authorization"')
    expect(stderr).not.toContain('abc')
  })

  it('is coloured on a terminal only, and only when wanted', async () => {
    const coloured = await kron.run(['jobs'], { isTerminal: true })
    expect(coloured.stdout).toContain('\u001b[32mactive\u001b[0m')
    for (const [args, env] of [
      [['jobs', '--no-color'], {}],
      [['jobs', '--format', 'json'], {}],
      [['jobs'], { NO_COLOR: '1' }],
    ] as const) {
      expect((await kron.run(args, { isTerminal: true, env })).stdout).not.toContain('\u001b')
    }
    expect((await kron.run(['jobs'])).stdout).not.toContain('\u001b')
  })
})

describe('a server that is none', () => {
  const env = { KRON_KEY: 'kron_x' }

  async function against(listener: RequestListener, args = 'jobs') {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const answer = await runAlone(`${args} --server http://127.0.0.1:${port}/`, { env })
      return { ...answer, stderr: answer.stderr.replaceAll(`:${port}`, '') }
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  it('does not answer', async () => {
    // A port that was free a moment ago.
    let port = 0
    await against((request, response) => {
      port = request.socket.localPort!
      response.end('{"items":[],"nextCursor":null}')
    })
    const { exitCode, stderr } = await runAlone(`jobs --server http://127.0.0.1:${port}`, { env })
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/^kron: no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/)
    expect(stderr).toContain('hint: kron serve, in another terminal, starts a server')
  })

  it.each<[string, RequestListener]>([
    ['a page', (_, response) => response.writeHead(502).end('<html>Bad Gateway</html>')],
    ['text instead of JSON', (_, response) => response.end('hello')],
    ['JSON that is no problem', (_, response) => response.writeHead(500).end('{"error":1}')],
  ])('answers with %s', async (_, listener) => {
    const { exitCode, stderr } = await against(listener)
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/answered \d+, but not as a Kron server does\nhint: is there a proxy/)
  })

  it('hangs up', async () => {
    const { exitCode, stderr } = await against((request) => request.socket.destroy())
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/^kron: no answer from http:\/\/127\.0\.0\.1: /)
  })

  it('can not answer now', async () => {
    const problem = {
      code: 'store_unavailable',
      title: 'The database can not be reached',
      detail: 'Try again in a moment.',
      requestId: 'req_1',
    }
    const listener: RequestListener = (_, response) =>
      response
        .writeHead(503, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem))
    expect(await against(listener)).toMatchObject({
      exitCode: 3,
      stderr:
        'kron: Try again in a moment. [store_unavailable]\n' +
        "hint: the server's log has more under the request req_1\n",
    })
  })

  it('is asked for page after page', async () => {
    const asked: (string | null)[] = []
    const job = { id: 'job_1', name: 'a', status: 'active', description: null }
    const { stdout } = await against((request, response) => {
      const cursor = new URL(request.url!, 'http://x').searchParams.get('cursor')
      asked.push(cursor)
      const nextCursor = cursor === null ? 'two' : cursor === 'two' ? 'three' : null
      response.end(JSON.stringify({ items: [job, job], nextCursor }))
    })
    expect(asked).toEqual([null, 'two', 'three'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(7)
  })

  it('gets the key as a bearer, on the path of its own', async () => {
    const seen: unknown[] = []
    await against((request, response) => {
      seen.push([request.url, request.headers.authorization, request.headers['user-agent']])
      response.end('{"items":[],"nextCursor":null}')
    }, 'jobs --limit 7 --status paused')
    expect(seen).toEqual([
      ['/api/v1/jobs?status=paused&limit=7', 'Bearer kron_x', expect.stringMatching(/^kron\/\d/)],
    ])
  })

  it('is one only with its scheme, which is easily forgotten', async () => {
    const { stderr } = await runAlone('jobs --server localhost:7077', { env })
    expect(stderr).toMatch(/got "localhost:7077"\nhint: did you mean http:\/\/localhost:7077\?\n$/)
  })

  it.each(['ftp://x', 'nonsense', 'http://u:p@x', 'http://x/?a=b'])('is not %s', async (server) => {
    const { exitCode, stderr } = await runAlone(`jobs --server ${server}`, { env })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^kron: the server must be a URL such as https:/)
  })
})
