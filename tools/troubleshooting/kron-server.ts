import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Newcomer, Seen } from './newcomer.ts'
import type { Terminal } from './terminal.ts'

/** What the documentation shows, whatever port the server has here. */
const shownAddress = '127.0.0.1:7077'

/** A server on another terminal, on any port, which is shown as the usual one. */
export async function servesElsewhere(ada: Newcomer, ...options: string[]): Promise<Terminal> {
  const terminal = ada.opensTerminal(['kron serve --port 0', ...options].join(' '))
  await terminal.shows('whsec_')
  const [, url] = /API {3}(\S+)\/api\/v1/.exec(terminal.text) ?? []
  if (url === undefined) throw new Error(`the server does not say where it is:\n${terminal.text}`)
  ada.replaces(new URL(url).host, shownAddress)
  serverOf.set(ada, url)
  return terminal
}

const serverOf = new WeakMap<Newcomer, string>()

/** What a server on any port says at its start, as on the usual one; then it is stopped. */
export async function whatItSays(ada: Newcomer, folder: string): Promise<Seen> {
  const terminal = ada.opensTerminal(`sh -c 'cd ${folder} && exec kron serve --port 0'`)
  await terminal.shows('whsec_')
  terminal.pressCtrlC()
  const exitCode = await terminal.ended
  const lines = terminal.text.slice(0, terminal.text.indexOf('whsec_')).split('\n')
  const said = lines.filter((line) => !line.includes('export KRON_SERVER')).join('\n')
  const text = `${said}whsec_...\n`
    .replace(/127\.0\.0\.1:\d+/, shownAddress)
    .replace(/kron_[0-9a-z]{8}_[0-9a-z]{40}/, 'kron_...')
  return { text: ada.steady(text), exitCode }
}

/** Types a line for that server, as if it had the usual port. */
export const toServer = (ada: Newcomer, command: string): Promise<Seen> =>
  ada.types(`export KRON_SERVER=${serverOf.get(ada)}; ${command}`)

/** What is typed before the mistake must work. */
export async function works(ada: Newcomer, command: string): Promise<void> {
  const { text, exitCode } = await toServer(ada, command)
  if (exitCode !== 0) throw new Error(`${command} fails:\n${text}`)
}

/** A target that takes requests and never answers; `asked` is when the first one came. */
export async function silentTarget(): Promise<{
  readonly url: string
  readonly asked: Promise<void>
  close(): void
}> {
  const server = createServer()
  const asked = once(server, 'request').then(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, asked, close }
}
