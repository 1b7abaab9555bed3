import { join } from 'node:path'
import { badArgument, kindOfPath } from '@kron/preview'
import { findKrontabs, type KrontabFile, krontabExtension, readKrontabs } from '../krontab/index.js'
import type { Host } from './host.js'
import type { Invocation } from './invocation.js'

export const systemFolder = '/etc/krond.d'

/** The krontabs of `paths`, of `--file`, or of the folder that is looked at by default. */
export function selectKrontabs(
  invocation: Invocation,
  paths: readonly string[] = invocation.fileArguments,
): KrontabFile[] {
  const { files } = invocation.host
  const chosen = paths.length > 0 ? paths.map((path) => invocation.absolute(path)) : undefined
  const roots = chosen ?? [defaultFolder(invocation)]
  const found = findKrontabs(roots, files)
  if (found.length === 0) {
    const shown = roots.map((path) => invocation.shown(path)).join(', ')
    throw badArgument('--file', `no ${krontabExtension} files in ${shown}`, whereFilesAre)
  }
  return readKrontabs(found, files)
}

const whereFilesAre = `hint: name a file or folder with --file; in folders, files that end in \
${krontabExtension} are read`

/** Where the user's own krontabs are. */
export function userFolder({ env, home }: Pick<Host, 'env' | 'home'>): string {
  const configured = env['XDG_CONFIG_HOME']
  const base = configured?.startsWith('/') ? configured : join(home, '.config')
  return join(base, 'krond')
}

/** The user's own folder when there is one, else the system's. */
function defaultFolder({ host }: Invocation): string {
  const own = userFolder(host)
  if (kindOfPath(own, host.files) === 'folder') return own
  if (kindOfPath(systemFolder, host.files) === 'folder') return systemFolder
  throw badArgument(
    '--file',
    `no krontabs: neither ${own} nor ${systemFolder} exists`,
    'hint: name a file or folder with --file',
  )
}
