import { join } from 'node:path'
import Database from 'better-sqlite3'
import { servesElsewhere, silentTarget, toServer, whatItSays, works } from './kron-server.ts'
import type { Mistake } from './mistake.ts'
import type { Newcomer, Seen } from './newcomer.ts'
import { oldNode } from './old-node.ts'
import { mistake, onTerminal } from './story.ts'
import { withTakenPort } from './taken-port.ts'

const keyFile = '.config/kron/key'
const someKey = `kron_${'a'.repeat(8)}_${'b'.repeat(40)}\n`

const withKey =
  (mode = 0o600) =>
  (ada: Newcomer): void =>
    void ada.file(keyFile, someKey, mode)

/** With a server on another terminal, and a job in it. */
async function besideServer(ada: Newcomer): Promise<void> {
  await servesElsewhere(ada)
  await works(ada, 'kron jobs create shop')
}

async function besideEndpoint(ada: Newcomer): Promise<void> {
  await besideServer(ada)
  const url = 'https://shop.example.com/sync'
  await works(ada, `kron endpoints create sync --job shop --url ${url} --every 5m`)
}

const create = 'kron endpoints create sync --job shop --url https://shop.example.com/sync'

async function pressCtrlCTwice(ada: Newcomer): Promise<Seen> {
  const target = await silentTarget()
  try {
    const terminal = await servesElsewhere(ada, '--allow-local')
    const begun = terminal.text.length
    await works(ada, 'kron jobs create shop')
    await works(ada, `kron endpoints create slow --job shop --url ${target.url} --every 5m`)
    await works(ada, 'kron run-now slow')
    await target.asked
    terminal.pressCtrlC()
    await terminal.shows('event=stopping')
    terminal.pressCtrlC()
    const exitCode = await terminal.ended
    return { text: ada.steady(terminal.text.slice(begun)), exitCode }
  } finally {
    target.close()
  }
}

async function closeTerminal(ada: Newcomer): Promise<void> {
  const terminal = await servesElsewhere(ada)
  await terminal.close()
  // Its port is free when it is gone.
  for (let isGone = false; !isGone; ) isGone = (await toServer(ada, 'kron jobs')).exitCode === 3
}

/** As a program of a later version would leave it. */
async function laterDatabase(ada: Newcomer): Promise<void> {
  const terminal = await servesElsewhere(ada)
  terminal.pressCtrlC()
  await terminal.ended
  const database = new Database(join(ada.home, 'kron-data/kron.db'))
  database.exec('INSERT INTO migrations (version) VALUES (99)')
  database.close()
}

async function startedElsewhere(ada: Newcomer): Promise<void> {
  const terminal = await servesElsewhere(ada)
  terminal.pressCtrlC()
  await terminal.ended
  await works(ada, 'mkdir other')
}

export const kronMistakes: readonly Mistake[] = [
  mistake({
    title: 'No server yet, and no key',
    command: 'kron jobs list',
    advice:
      'Start a server in another terminal: `kron serve`. It writes a key into the file that `kron` reads. For a server of another person, ask for a key and set `KRON_SERVER` and `KRON_KEY`.',
  }),
  mistake({
    title: 'The server does not run',
    command: 'kron jobs list',
    given: closeTerminal,
    see: toServer,
    advice:
      '`kron serve` stays in the foreground and ends with its terminal. Start it again in the same folder, which contains `kron-data`, and it goes on. To keep it running, run it [as a service](../deploy/README.md).',
  }),
  mistake({
    title: 'A key that the server does not know',
    command: 'KRON_KEY=kron_aaaaaaaa_bbbb kron jobs list',
    given: besideServer,
    see: toServer,
    advice:
      'Was the key revoked, or does it belong to another server? The operator of the server can create a new key in its database: `kron tenants new-key default`.',
  }),
  mistake({
    title: 'The server was started in another folder',
    command: 'cd other && kron serve',
    given: startedElsewhere,
    see: (ada) => whatItSays(ada, 'other'),
    advice:
      'Each folder has its own `kron-data`, and so its own tenants and keys. Go back to the first folder, or name the data folder: `kron serve --data ~/kron-data`.',
  }),
  mistake({
    title: 'Others may read the key',
    command: 'kron jobs list',
    given: withKey(0o644),
    advice:
      'With the key anybody can change all your jobs. Run the command in the hint. If somebody may have read the key, create another with `kron keys create`, and revoke the old one with `kron keys revoke`.',
  }),
  mistake({
    title: 'A key file that you may not read',
    command: 'kron jobs list',
    given: withKey(0o000),
    advice:
      'The file belongs to another user. Copy the key into a file of your own, with mode 600, and name that file in `KRON_KEY_FILE`.',
  }),
  mistake({
    title: 'An hour that no clock has',
    command: `${create} --cron "0 25 * * *"`,
    given: besideServer,
    see: toServer,
    advice: 'The mark shows the place. The fields are minute, hour, day, month, day of the week.',
  }),
  mistake({
    title: 'A time zone with a typo',
    command: `${create} --cron "0 3 * * *" --timezone Europe/Pariss`,
    given: besideServer,
    see: toServer,
    advice:
      'Use names of the IANA database: `Europe/Paris`, `America/New_York`, `UTC`. Short names such as `CEST` are refused.',
  }),
  mistake({
    title: 'A typo in a modifier',
    command: `${create} --cron "0 3 * * * @wni(after,2h)"`,
    given: besideServer,
    see: toServer,
    advice: '[core.md](core.md#schedules) lists all modifiers.',
  }),
  mistake({
    title: 'A body that is not JSON',
    command: `${create} --every 5m --json "{run: 7}"`,
    given: besideServer,
    see: toServer,
    advice:
      'JSON has double quotes; put single quotes around the whole text: `--json \'{"run": 7}\'`.',
  }),
  mistake({
    title: 'A duration without a unit',
    command: `${create} --every 5`,
    given: besideServer,
    see: toServer,
    advice: 'Write `5m` for five minutes, `30s`, `1h30m`, `7d`.',
  }),
  mistake({
    title: 'A target on this machine',
    command: 'kron endpoints create local --job shop --url http://localhost:8080/ --every 5m',
    given: besideServer,
    see: toServer,
    advice:
      'Endpoints of tenants must not reach into the network of the server, so [local addresses](server.md#which-addresses-are-called) are refused until the operator of the server allows them.',
  }),
  mistake({
    title: 'A name with a typo',
    command: 'kron run-now snyc',
    given: besideEndpoint,
    see: toServer,
    advice: '`kron endpoints list` shows all names.',
  }),
  mistake({
    title: 'An unknown command',
    command: 'kron start',
    advice: '`kron --help` lists all commands, and `kron serve --help` the options of `serve`.',
  }),
  mistake({
    title: 'An address without http',
    command: 'kron jobs list --server localhost:7077',
    given: withKey(),
    advice: 'The same holds for `KRON_SERVER`.',
  }),
  mistake({
    title: 'The port is taken',
    command: 'kron serve --port 7077',
    see: withTakenPort('7077'),
    advice:
      'Is another `kron serve` running? `ss -ltnp` shows which program has the port. With `--port 7078`, set `KRON_SERVER=http://127.0.0.1:7078` for the client.',
  }),
  mistake({
    title: 'No permission for the data folder',
    command: 'kron serve --data /usr/kron',
    advice:
      'Leave out `--data`, and `kron serve` creates a folder `kron-data` here; or name a folder that belongs to you.',
  }),
  mistake({
    title: 'The disk is full',
    command: 'ulimit -f 100; kron serve',
    advice:
      'Make room and start the server again; nothing is lost. (This example uses `ulimit -f`, which forbids large files: to a program that looks like a full disk.)',
  }),
  mistake({
    title: 'PostgreSQL is away',
    command: 'kron serve --database postgres://kron@127.0.0.1:1/kron',
    advice:
      'Try the same URL with `psql`. If the database goes away later, `kron serve` stays and tries again.',
  }),
  mistake({
    title: 'A database that Kron does not know',
    command: 'kron serve --database mysql://kron@127.0.0.1/kron',
    advice: 'Kron keeps its data in an SQLite file or in PostgreSQL.',
  }),
  mistake({
    title: 'Data of a later version',
    command: 'kron serve',
    given: laterDatabase,
    advice:
      'A newer Kron has used this folder. Start the newer version; there is no way back for a database. See [Upgrade](server.md#upgrade).',
  }),
  mistake({
    title: 'Ctrl-C, and the server does not end',
    command: 'kron serve',
    see: pressCtrlCTwice,
    advice:
      'After the first Ctrl-C, runs under way have time until `--grace` is over. A second Ctrl-C ends the server at once; runs under way are then [recorded as lost](server.md#what-is-promised), and sent again only for endpoints with `onWorkerLoss: redeliver`.',
  }),
  mistake({
    title: 'Node is too old',
    command: 'kron serve',
    node: oldNode,
    see: onTerminal,
    advice: 'Install a newer Node; `node --version` prints your version.',
  }),
]
