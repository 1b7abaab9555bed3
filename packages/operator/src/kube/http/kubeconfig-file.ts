import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, quote, quotePath, suggestion } from '@kron/core'
import type { KubeConfig } from '@kubernetes/client-node'
import { parse } from 'yaml'

/**
 * One or several files as kubectl would read them together: the first to name something wins. The
 * result has a current context whose cluster exists.
 */
export async function loadKubeconfig(
  paths: readonly string[],
  context?: string,
): Promise<KubeConfig> {
  // Not at the top, and not the whole library: only a kubeconfig needs it, and only this part of it.
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const config = new KubeConfig()
  for (const path of paths) addFile(config, new KubeConfig(), path)
  chooseContext(config, context, paths)
  return config
}

function addFile(config: KubeConfig, added: KubeConfig, path: string): void {
  const text = readText(path)
  try {
    added.loadFromString(text)
    added.makePathsAbsolute(dirname(path))
    readTokenFiles(added, text, dirname(path))
  } catch (error) {
    const { message } = error as Error
    throw broken(path, `is not a kubeconfig: ${message.split('\n')[0]}`, error)
  }
  config.clusters = merged(config.clusters, added.clusters)
  config.users = merged(config.users, added.users)
  config.contexts = merged(config.contexts, added.contexts)
  if (!config.currentContext) config.currentContext = added.currentContext
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw broken(path, `can't be read: ${(error as NodeJS.ErrnoException).code}`, error)
  }
}

function merged<T extends { readonly name: string }>(first: readonly T[], more: readonly T[]): T[] {
  return [...first, ...more.filter(({ name }) => !first.some((known) => known.name === name))]
}

interface WithTokenFiles {
  readonly users?: readonly { readonly name: string; readonly user?: { tokenFile?: string } }[]
}

/** The library knows files with tokens, but not the field that names them. */
function readTokenFiles(config: KubeConfig, text: string, folder: string): void {
  const { users = [] } = parse(text) as WithTokenFiles
  config.users = config.users.map((user) => {
    const named = users.find(({ name }) => name === user.name)?.user?.tokenFile
    if (named === undefined) return user
    const tokenFile = resolve(folder, named)
    const { token: _, ...others } = user
    return { ...others, authProvider: { name: 'tokenFile', config: { tokenFile } } }
  })
}

function chooseContext(config: KubeConfig, wanted: string | undefined, paths: readonly string[]) {
  const name = wanted ?? config.currentContext
  const where = paths.map(quote).join(', ')
  if (!name) throw invalid('context', '', `${where} has no current context: pass --context`)
  const known = config.contexts.map((context) => context.name)
  const found = config.contexts.find((context) => context.name === name)
  if (found === undefined) {
    const message = `${where} has no context ${quote(name)}${suggestion(name, known)}`
    throw invalid('context', name, message)
  }
  config.setCurrentContext(name)
  if (config.getCluster(found.cluster) === null) {
    const message = `context ${quote(name)} names the cluster ${quote(found.cluster)}`
    throw invalid('context', name, `${message}, which is not in ${where}`)
  }
}

const invalid = (field: string, value: string, message: string): ConfigurationError =>
  new ConfigurationError('KRON_ARGUMENT_INVALID', message, { field, value })

const broken = (path: string, what: string, cause: unknown): ConfigurationError =>
  new ConfigurationError(
    'KRON_FILE_UNREADABLE',
    `the kubeconfig ${quotePath(path)} ${what}`,
    { field: 'kubeconfig', value: path },
    { cause },
  )
