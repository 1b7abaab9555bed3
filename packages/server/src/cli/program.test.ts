import { tzdataVersion } from '@kron/core'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type CommandSurroundings,
  KronCommands,
  runAlone,
  runCommand,
  wordsOf,
} from '../../testing/kron-commands.js'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { answered } from '../../testing/sample-store.js'
import type { Host } from '../process/host.js'
import type { EndpointDocument, RunDocument } from './client/index.js'
import { examples } from './help-text.js'
import { createProgram } from './program.js'

describe('kron', () => {
  it('shows its help, and exits with 1, when it is told nothing', async () => {
    const { exitCode, stdout } = await runAlone('')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Usage: kron \[options\] \[command\]/)
    expect(stdout).toContain('Exit codes: 0 success, 1 bad arguments')
  })

  it('knows its version', async () => {
    expect(await runAlone('--version')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        new RegExp(`^kron \\d+\\.\\d+\\.\\d+ \\(tzdata ${tzdataVersion}\\)\\n$`),
      ),
      stderr: '',
    })
  })

  it.each([
    ['endpint list', 'kron: unknown command "endpint"; did you mean endpoints?\nhint: kron --help'],
    [
      'jobs lst',
      'kron: unknown command "lst"; did you mean list?\nhint: kron jobs has list, create,',
    ],
    ['jobs create', 'kron: missing required argument "name"\nhint: kron jobs create --help'],
    ['runs --folow', 'kron: unknown option "--folow"; did you mean --follow?\nhint: kron runs'],
    ['endpoints create x --url u', 'kron: required option "--job <job>" not specified'],
    ['jobs a b', 'kron: unknown command "a"'],
    ['start', 'kron: unknown command "start"; did you mean kron serve?\nhint: kron --help'],
    ['constructor', 'kron: unknown command "constructor"\nhint: kron --help'],
  ])('explains what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await runAlone(args)
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
    const { exitCode, stdout } = await runAlone(`${path.slice('kron '.length)} --help`)
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
  const kron = new KronCommands()
  afterEach(kron.stop)

  /** What the examples name, but for what they make themselves. */
  async function prepare(example: string): Promise<string> {
    await kron.start()
    if (!example.includes('jobs create')) await kron.json('jobs', 'create', 'nightly')
    if (!/jobs create|create sync/.test(example)) {
      await kron.createEndpoint('sync', 'nightly', '--every', '5m')
    }
    if (!example.includes('keys create')) await kron.json('keys', 'create', 'deployment')
    if (!example.includes('secrets put')) await kron.json('secrets', 'put', 'billing')
    if (!example.includes('kron runs')) return ''
    const { id, endpointId } = await kron.json<RunDocument>('run-now', 'sync')
    if (!example.includes('cancel')) {
      await kron.sample.run(kron.owned({ id: endpointId }), answered(200, {}, '{}'))
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
        await kron.sample.run(kron.owned(sync!), answered(200))
      },
    })
    expect(stderr.replace(/^kron: the (key|value) .*\n/, '')).toBe('')
    expect(exitCode).toBe(0)
  })
})

describe('the API key', () => {
  const kron = new KronCommands()
  beforeAll(kron.start)
  afterAll(kron.stop)

  const withKey = (ports: CommandSurroundings, ...more: string[]) =>
    runCommand(['jobs', ...more], () => sampleNow, {
      ...ports,
      env: { KRON_SERVER: kron.server.url, ...ports.env },
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
        'kron: there is no API key in /home/ada/.config/kron/key\n' +
        'hint: start a server with kron serve, in another terminal: it writes a key there\n' +
        'hint: for a server that runs already, set KRON_KEY to one of its keys\n',
    })
    expect((await withKey({ env: { KRON_KEY_FILE: '/none' } })).stderr).toContain(
      'kron: KRON_KEY_FILE names a file that is not there: /none\n',
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
