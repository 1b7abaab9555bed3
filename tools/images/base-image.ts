import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Where images that are built on it find what they need; of the image of Node as well. */
export const baseEnv: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
}

const programs = ['/bin', '/lib', '/lib64', '/sbin']
const devices = ['/dev/full', '/dev/null', '/dev/random', '/dev/urandom', '/dev/zero']

/**
 * Stands for the image of Node where no registry of images is at hand: programs and settings of this
 * machine, which can't be changed, with the Node that runs the tests and the npm of this machine.
 */
export class BaseImage {
  readonly #local: string

  /** Keeps its own files in the folder. */
  constructor(folder: string) {
    this.#local = join(folder, 'local')
    mkdirSync(join(this.#local, 'bin'), { recursive: true })
    mkdirSync(join(this.#local, 'lib/node_modules/npm'), { recursive: true })
    writeFileSync(join(this.#local, 'bin/node'), '')
    for (const name of ['npm', 'npx']) {
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(this.#local, 'bin', name))
    }
  }

  /** Creates the folders that the mounts need, in a folder that will be a root. */
  prepare(root: string): void {
    for (const folder of ['usr', 'etc', 'proc', 'dev', 'tmp', 'root']) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    for (const device of devices) writeFileSync(join(root, device), '')
    for (const path of programs.filter((path) => existsSync(path))) {
      if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(root, path))
      else mkdirSync(join(root, path))
    }
  }

  /** For `enter-root.sh`. */
  get mounts(): string[] {
    const whole = programs.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink())
    return [
      ...['/usr', '/etc', '/proc', ...whole].map((path) => `ro:${path}:${path}`),
      `ro:${this.#local}:/usr/local`,
      `ro:${realpathSync(process.execPath)}:/usr/local/bin/node`,
      `ro:${npmFolder()}:/usr/local/lib/node_modules/npm`,
      ...devices.map((path) => `rw:${path}:${path}`),
    ]
  }

  /** What an image can't have files in, since this machine's are there. */
  isMounted(path: string): boolean {
    return /^\/(usr|etc|proc|dev|bin|lib|lib64|sbin)(\/|$)/.test(path)
  }
}

function npmFolder(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error('there is no npm in PATH')
  return dirname(dirname(realpathSync(found)))
}

/** How npm reaches its registry from here, for what runs while an image is built. */
export function npmSettings(): { mounts: string[]; env: Record<string, string> } {
  const handed = /^(npm_config_|https?_proxy$|no_proxy$|NODE_EXTRA_CA_CERTS$)/i
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => handed.test(name)),
  ) as Record<string, string>
  const file = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc')
  // What this repository needs is in the cache since its own `npm ci`.
  env['npm_config_prefer_offline'] = 'true'
  return { env, mounts: existsSync(file) ? [`ro:${file}:/root/.npmrc`] : [] }
}

export const npmCache = (): string => process.env['npm_config_cache'] ?? join(homedir(), '.npm')
