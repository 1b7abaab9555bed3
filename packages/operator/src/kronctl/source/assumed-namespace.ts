import { delimiter, join } from 'node:path'
import { decodeUtf8 } from '@kron/command'
import { quote } from '@kron/core'
import { counted } from '@kron/runtime'
import { parse } from 'yaml'
import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'
import type { KronctlHost } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import type { ManifestObject } from '../manifest/index.js'
import type { ClusterOptions } from './source-options.js'

/**
 * Where manifests without a namespace would go: `-n`, else the one of the context, else `default`.
 * The identity, and so each chosen time, depends on it; so it is said if it matters.
 */
export function assumedNamespace(
  invocation: KronctlInvocation,
  objects: readonly ManifestObject[],
  options: ClusterOptions,
): string {
  const bare = objects.filter(({ value }) => !hasNamespace(value)).length
  if (bare === 0) return 'default'
  const [namespace, why] = namespaceFor(invocation, options)
  const those = `${counted(bare, 'KronJob')} without one`
  invocation.note(`namespace ${quote(namespace)} (${why}) is assumed for ${those}`)
  return namespace
}

function namespaceFor(
  invocation: KronctlInvocation,
  options: ClusterOptions,
): [namespace: string, why: string] {
  if (options.namespace !== undefined) return [options.namespace, 'from -n']
  const { host } = invocation
  const { kubeconfig } = options
  const files = kubeconfig === undefined ? defaultFiles(host) : [invocation.absolute(kubeconfig)]
  const configs = files.flatMap((file) => configIn(file, host))
  const context = options.context ?? firstText(configs.map((one) => one['current-context']))
  const known = configs.flatMap(({ contexts }) => (Array.isArray(contexts) ? contexts : []))
  const found: unknown = known.find((one: unknown) => isRecord(one) && one['name'] === context)
  const inside = isRecord(found) && isRecord(found['context']) ? found['context'] : {}
  const namespace = firstText([inside['namespace']])
  if (namespace === undefined) return ['default', 'none is named']
  return [namespace, `of context ${context}`]
}

function defaultFiles({ env, home }: KronctlHost): string[] {
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  return named.length > 0 ? named : [join(home, '.kube', 'config')]
}

const maxBytes = 1024 * 1024

/** A file that can't be read has no say: nothing of a cluster is needed here. */
function configIn(file: string, { files }: KronctlHost): JsonRecord[] {
  try {
    const text = decodeUtf8(files.read(file, maxBytes))
    const config: unknown = typeof text === 'string' ? parse(text) : null
    return isRecord(config) ? [config] : []
  } catch {
    return []
  }
}

const firstText = (values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

const hasNamespace = ({ metadata }: JsonRecord): boolean =>
  isRecord(metadata) && typeof metadata['namespace'] === 'string'

/** The object with a namespace, if it has none yet. */
export function inNamespace(value: JsonRecord, namespace: string): JsonRecord {
  const { metadata } = value
  if (!isRecord(metadata)) return value
  return { ...value, metadata: { ...metadata, namespace: metadata['namespace'] ?? namespace } }
}
