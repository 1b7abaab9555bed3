import { join } from 'node:path'
import { CommandFailure, exitCodes } from '@kron/command'
import type { Host, HostFile } from './host.js'

export const defaultServer = 'http://127.0.0.1:7077'

export function serverOf(option: string | undefined, { env }: Host): URL {
  const text = option ?? nonEmpty(env['KRON_SERVER']) ?? defaultServer
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') {
    return url
  }
  const shown = JSON.stringify(text)
  const withScheme = `http://${text}`
  throw new CommandFailure(
    exitCodes.input,
    `the server must be a URL such as https://kron.example.com, got ${shown}`,
    /^[\w.-]+(:\d+)?$/.test(text) ? [`hint: did you mean ${withScheme}?`] : [],
  )
}

/** The first of: the option, KRON_KEY, the file of KRON_KEY_FILE, the user's own file. */
export function keyOf(option: string | undefined, host: Host): string {
  const given = option ?? nonEmpty(host.env['KRON_KEY'])
  if (given !== undefined) return checked(given.trim(), 'the API key')
  const { path, isNamed } = keyFileOf(host)
  const file = readKeyFile(path, host)
  if (file === null) throw missing(path, isNamed)
  if (!file.isPrivate) {
    throw new CommandFailure(exitCodes.input, `others may read the API key in ${path}`, [
      `hint: chmod 600 ${path}, and create a new key if others might have read it`,
    ])
  }
  return checked(file.text.trim(), path)
}

export interface KeyFile {
  readonly path: string
  /** By KRON_KEY_FILE, and not the usual one. */
  readonly isNamed: boolean
}

/** The file that a key is looked for in where nothing else names one. */
export function keyFileOf({ env, home }: Pick<Host, 'env' | 'home'>): KeyFile {
  const named = nonEmpty(env['KRON_KEY_FILE'])
  if (named !== undefined) return { path: named, isNamed: true }
  const configured = nonEmpty(env['XDG_CONFIG_HOME'])
  return { path: join(configured ?? join(home, '.config'), 'kron', 'key'), isNamed: false }
}

function readKeyFile(path: string, host: Host): HostFile | null {
  try {
    return host.readFile(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EACCES' ? 'permission denied (EACCES)' : message
    throw new CommandFailure(exitCodes.input, `can't read the API key in ${path}: ${reason}`, [
      `hint: ls -l ${path} shows its owner; KRON_KEY_FILE names another file`,
    ])
  }
}

function missing(path: string, isNamed: boolean): CommandFailure {
  if (isNamed) {
    const message = `KRON_KEY_FILE names a file that is not there: ${path}`
    return new CommandFailure(exitCodes.input, message, ['hint: write the API key into it'])
  }
  return new CommandFailure(exitCodes.input, `there is no API key in ${path}`, [
    'hint: start a server with kron serve, in another terminal: it writes a key there',
    'hint: for a server that runs already, set KRON_KEY to one of its keys',
  ])
}

/** What goes into a header must not be able to end it. The key itself is never shown. */
function checked(key: string, where: string): string {
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  throw new CommandFailure(exitCodes.input, `${where} does not hold an API key: kron_...`)
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)
