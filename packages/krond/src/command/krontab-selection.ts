import { badArgument, kindOfPath } from '@kron/command'
import { findKrontabs, type KrontabFile, krontabExtension, readKrontabs } from '../krontab/index.js'
import { defaultKrontabFolder, systemKrontabFolder } from './folders.js'
import type { Invocation } from './invocation.js'

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

function defaultFolder({ host }: Invocation): string {
  const folder = defaultKrontabFolder(host)
  if (kindOfPath(folder, host.files) === 'folder') return folder
  throw badArgument(
    '--file',
    `no krontabs: the folder ${folder} does not exist`,
    'hint: name a file or folder with --file; krontab add creates the folder',
    ...(host.uid === 0 ? [] : [`hint: the krontabs of the system are in ${systemKrontabFolder}`]),
  )
}
