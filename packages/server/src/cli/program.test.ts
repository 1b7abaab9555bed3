import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type CommandSurroundings,
  KronCommands,
  runCommand,
  wordsOf,
} from '../../test/kron-commands.js'
import { answered } from '../../test/sample-store.js'
import type { EndpointDocument, RunDocument } from './client/index.js'
import { examples } from './help-text.js'
import type { Host } from './host.js'
import { createProgram } from './program.js'

const now = Date.UTC(2026, 2, 1, 12)
const url = 'https://api.example.com/sync'

/** Without a server. */
const run = (args: string, surroundings: CommandSurroundings = {}) =>
  runCommand(args.split(' ').filter(Boolean), () => now, surroundings)

describe('kron', () => {
  it('shows its help, and exits with 1, when it is told nothing', async () => {
    const { exitCode, stdout } = await run('')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Usage: kron \[options\] \[command\]/)
    expect(stdout).toContain('Exit codes: 0 success, 1 bad arguments')
  })

  it('knows its version', async () => {
    expect(await run('--version')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^kron \d+\.\d+\.\d+\n$/),
      stderr: '',
    })
  })

  it.each([
    [
      'endpint list',
      "kron: unknown command 'endpint' (Did you mean endpoints?)\nhint: kron --help",
    ],
    [
      'jobs lst',
      'kron: unknown command "lst"; did you mean list?\nhint: kron jobs has list, create,',
    ],
    ['jobs create', "kron: missing required argument 'name'\nhint: kron jobs create --help"],
    ['runs --folow', "kron: unknown option '--folow' (Did you mean --follow?)\nhint: kron runs"],
    ['endpoints create x --url u', "kron: required option '--job <job>' not specified"],
    ['jobs a b', 'kron: unknown command "a"'],
  ])('explains what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr.startsWith(message)).toBe(true)
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})

/** Without the name of the program, and without what a shell does by itself. */
const argumentsOf = (example: string): string[] =>
  wordsOf(example.replace(/ [<>] \S+$/, '').replaceAll(/\\\n/g, ' ')).slice(1)

describe('the help', () => {
  const host = { stdout: { columns: 80 }, stderr: { columns: 80 } } as Host
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  const pathOf = (command: Command): string =>
    command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
  const paths = leaves(createProgram(host)).map(pathOf)

  it.each(paths)('of %s says what it does, what it takes, and shows examples', async (path) => {
    const { exitCode, stdout } = await run(`${path.slice('kron '.length)} --help`)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: ${path} .*\n\n[A-Z].*\n`))
    expect(stdout).toContain('--server <url>')
    expect(stdout).toMatch(new RegExp(`Examples:\n {2}${path}`))
  })

  it.each(examples)('has an example that the program takes: %s', (example) => {
    const program = createProgram(host)
    const called: string[] = []
    for (const leaf of leaves(program)) leaf.action(() => void called.push(pathOf(leaf)))
    program.parse(argumentsOf(example), { from: 'user' })
    expect(called).toHaveLength(1)
    expect(`${example} `.startsWith(`${called[0]} `)).toBe(true)
  })

  it('has no examples of commands that do not exist', () => {
    const strays = examples.filter(
      (example) => !paths.some((path) => example === path || example.startsWith(`${path} `)),
    )
    expect(strays).toEqual([])
  })
})

describe('an example of the help', () => {
  let kron: KronCommands

  afterEach(async () => {
    await kron.stop()
  })

  /** What the examples name, but for what they make themselves. */
  async function prepare(example: string): Promise<string> {
    kron = await KronCommands.start()
    if (!example.includes('jobs create')) await kron.json('jobs', 'create', 'nightly')
    if (!/jobs create|create sync/.test(example)) {
      const made = ['create', 'sync', '--job', 'nightly', '--url', url, '--every', '5m']
      await kron.json('endpoints', ...made)
    }
    if (!example.includes('keys create')) await kron.json('keys', 'create', 'deployment')
    if (!example.includes('secrets put')) await kron.json('secrets', 'put', 'billing')
    if (!example.includes('kron runs')) return ''
    const { id, endpointId } = await kron.json<RunDocument>('run-now', 'sync')
    if (!example.includes('cancel')) {
      const owned = { id: endpointId, tenantId: kron.tenantId }
      await kron.sample.run(owned, answered(200, {}, '{}'))
    }
    return id
  }

  // By name: an example of anything else, such as a server, would do what it says to this machine.
  const ofClient =
    /^kron (jobs|endpoints|runs|run-now|pause|forecast|keys|secrets|audit|quotas)( |$)/
  it.each(examples.filter((example) => ofClient.test(example)))('works: %s', async (example) => {
    const runId = await prepare(example)
    const words = argumentsOf(example).map((word) => (word.startsWith('run_') ? runId : word))
    const stop = new AbortController()
    const { exitCode, stderr } = await kron.run(words, {
      input: `whsec_${Buffer.alloc(24).toString('base64')}`,
      interrupted: stop.signal,
      onOutput: () => {
        if (words.includes('--follow')) stop.abort()
      },
      onSleep: async () => {
        const [sync] = await kron.json<EndpointDocument[]>('endpoints')
        await kron.sample.run({ id: sync!.id, tenantId: kron.tenantId }, answered(200))
      },
    })
    expect(stderr.replace(/^the (key|value) .*\n/, '')).toBe('')
    expect(exitCode).toBe(0)
  })
})

describe('the API key', () => {
  let kron: KronCommands

  beforeAll(async () => {
    kron = await KronCommands.start()
  })

  afterAll(async () => {
    await kron.stop()
  })

  const withKey = (surroundings: CommandSurroundings, ...more: string[]) =>
    runCommand(['jobs', ...more], () => now, {
      ...surroundings,
      env: { KRON_SERVER: kron.server.url, ...surroundings.env },
    })
  const file = (isPrivate = true) => ({ text: `${kron.key}\n`, isPrivate })

  it('comes from the option, the variable, the named file or the own file, in this order', async () => {
    const bad = { KRON_KEY: 'kron_bad', KRON_KEY_FILE: '/none' }
    expect((await withKey({ env: bad }, '--key', kron.key)).exitCode).toBe(0)
    const env = { KRON_KEY: kron.key, KRON_KEY_FILE: '/none' }
    expect((await withKey({ env })).exitCode).toBe(0)
    const named = { env: { KRON_KEY_FILE: '/keys/mine' }, files: { '/keys/mine': file() } }
    expect((await withKey(named)).exitCode).toBe(0)
    expect((await withKey({ files: { '/home/ada/.config/kron/key': file() } })).exitCode).toBe(0)
    const xdg = { env: { XDG_CONFIG_HOME: '/xdg' }, files: { '/xdg/kron/key': file() } }
    expect((await withKey(xdg)).exitCode).toBe(0)
  })

  it('is asked for when there is none', async () => {
    expect(await withKey({})).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'kron: there is no API key\nhint: use --key or KRON_KEY, or write it to ' +
        '/home/ada/.config/kron/key, readable only by you\n',
    })
    expect((await withKey({ env: { KRON_KEY_FILE: '/none' } })).stderr).toContain(
      'kron: there is no file /none\n',
    )
  })

  it('is not taken from a file that others may read', async () => {
    const path = '/home/ada/.config/kron/key'
    const { exitCode, stderr } = await withKey({ files: { [path]: file(false) } })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(
      `kron: others may read the API key in ${path}\nhint: chmod 600 ${path}`,
    )
    expect(stderr).not.toContain(kron.key)
  })

  it('that is none is not sent', async () => {
    const { stderr } = await withKey({ env: { KRON_KEY: 'a\r\nb: c' } })
    expect(stderr).toBe('kron: the API key does not hold an API key: kron_...\n')
  })

  it('that the server does not know is refused with a hint', async () => {
    const { exitCode, stderr } = await withKey({ env: { KRON_KEY: 'kron_x' } })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^kron: .*\[unauthenticated\]\nhint: --key, KRON_KEY or KRON_KEY_FILE/)
  })
})

describe('a refusal of the server', () => {
  let kron: KronCommands

  beforeAll(async () => {
    kron = await KronCommands.start()
    await kron.json('jobs', 'create', 'nightly')
    await kron.json('jobs', 'create', 'weekly')
    const create = (name: string, job: string) =>
      kron.json('endpoints', 'create', name, '--job', job, '--url', url, '--every', '5m')
    await create('sync', 'nightly')
    await create('report', 'nightly')
    await create('report', 'weekly')
  })

  afterAll(async () => {
    await kron.stop()
  })

  const create = (...more: string[]) =>
    kron.run(['endpoints', 'create', 'x', '--job', 'nightly', '--url', url, ...more])

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
      const answer = await run(`${args} --server http://127.0.0.1:${port}/`, { env })
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
    const { exitCode, stderr } = await run(`jobs --server http://127.0.0.1:${port}`, { env })
    expect(exitCode).toBe(3)
    expect(stderr).toMatch(/^kron: no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/)
    expect(stderr).toContain('hint: --server or KRON_SERVER names another server')
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
    }, 'jobs --count 7 --status paused')
    expect(seen).toEqual([
      ['/api/v1/jobs?status=paused&limit=7', 'Bearer kron_x', expect.stringMatching(/^kron\/\d/)],
    ])
  })

  it.each(['ftp://x', 'nonsense', 'http://u:p@x', 'http://x/?a=b'])('is not %s', async (server) => {
    const { exitCode, stderr } = await run(`jobs --server ${server}`, { env })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^kron: the server must be a URL such as https:/)
  })
})
