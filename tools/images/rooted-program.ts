import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('enter-root.sh', import.meta.url))
const isRoot = process.getuid?.() === 0

/** A program that sees a folder of ours as the root of its files, as in a container. */
export interface RootedProgram {
  readonly root: string
  /** What `enter-root.sh` mounts there. */
  readonly mounts: readonly string[]
  /** With a network of its own: no other program can reach its ports, and it can reach no other. */
  readonly isAlone: boolean
  readonly user: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** As `spawn` takes it. The process becomes the program, so that signals reach it. */
export function rooted(program: RootedProgram): [file: string, args: string[]] {
  const { root, mounts, isAlone } = program
  const network = isAlone ? ['--net'] : []
  const own = isRoot ? [] : ['--map-root-user']
  const mounted = isAlone ? [...mounts, 'loopback'] : mounts
  const entered = [script, root, ...mounted, '--', ...asUser(program)]
  return ['unshare', [...own, '--mount', ...network, '--', ...entered]]
}

/** As `spawn` takes it: one more program beside one that runs, with its files and its network. */
export function beside(pid: number, program: RootedProgram): [file: string, args: string[]] {
  const own = isRoot ? [] : ['--user', '--preserve-credentials']
  const entered = ['--target', String(pid), ...own, '--mount', '--net', '--root']
  return ['nsenter', [...entered, '--', ...asUser(program)]]
}

/** Without root only the present user can be given. */
function asUser({ user, folder, env, words }: RootedProgram): string[] {
  const [uid = '', gid = uid] = user.split(':')
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const ids = isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const called = ['env', '-i', `--chdir=${folder}`, ...variables, ...words]
  return uid === '0' ? called : ['setpriv', ...ids, ...rights, ...called]
}

/** Why nothing can be run so on this machine; null when it can. */
export function rootsUnavailable(): string | null {
  if (process.platform !== 'linux') return `they need Linux, this is ${process.platform}`
  const own = isRoot ? [] : ['--map-root-user']
  const tried = 'mount --bind /usr /usr && mount -o remount,bind,ro /usr && ip link set lo up'
  const args = [...own, '--mount', '--net', 'sh', '-c', `command -v setpriv nsenter && ${tried}`]
  const { status, stderr, error } = spawnSync('unshare', args, { encoding: 'utf8' })
  return status === 0 ? null : `no namespaces of their own: ${error?.message ?? stderr.trim()}`
}
