import { badArgument } from '@kron/command'
import { ConfigurationError, quote, SystemError, suggestion } from '@kron/core'
import { hasStatus, type KubeObject, kronJobs, type Resource } from '../../kube/index.js'
import type { Cluster } from '../host.js'
import type { ClusterOptions } from './source-options.js'

const pageSize = 500

/** The objects that are named, or all of the namespace, or those of all namespaces. */
export async function readObjects(
  cluster: Cluster,
  resource: Resource,
  names: readonly string[],
  options: ClusterOptions,
): Promise<KubeObject[]> {
  const namespace = options.namespace ?? cluster.namespace
  const { selector } = options
  if (selector !== undefined && names.length > 0)
    throw badArgument('-l', '-l can not be used with names')
  if (options.allNamespaces) {
    const all = await listObjects(cluster, resource, undefined, selector)
    return names.length === 0 ? all : names.flatMap((name) => namedIn(all, name, resource))
  }
  if (names.length === 0) return listObjects(cluster, resource, namespace, selector)
  const found: KubeObject[] = []
  for (const name of names) found.push(await getObject(cluster, resource, name, namespace))
  return found
}

async function listObjects(
  { api, server }: Cluster,
  resource: Resource,
  namespace: string | undefined,
  labelSelector?: string,
): Promise<KubeObject[]> {
  const found: KubeObject[] = []
  const where = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  }
  let rest: string | undefined
  do {
    const next = rest === undefined ? {} : { continue: rest }
    const page = await api
      .list(resource, { ...where, ...next, limit: pageSize })
      .catch((error: unknown) => {
        if (labelSelector !== undefined && hasStatus(error, 400)) throw badSelector(error)
        throw hasStatus(error, 404) ? unknownKind(server, resource) : error
      })
    found.push(...page.items)
    rest = page.continue
  } while (rest !== undefined && rest !== '')
  return found
}

const badSelector = (error: unknown): ConfigurationError =>
  badArgument(
    '-l',
    `-l is not understood: ${(error as Error).message}`,
    'hint: such as app=shop, tier!=test, app in (shop,blog), or app alone',
  )

async function getObject(
  cluster: Cluster,
  resource: Resource,
  wanted: string,
  usual: string,
): Promise<KubeObject> {
  const [namespace, name] = splitName(wanted, usual)
  try {
    return await cluster.api.get(resource, { namespace, name })
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    // The list tells a name that is unknown from a kind that is.
    const others = await listObjects(cluster, resource, namespace)
    throw unknownName(resource, name, `namespace ${quote(namespace)}`, others)
  }
}

/** `backup`, or `shop/backup` as identities are shown. */
export function splitName(text: string, usual: string): [namespace: string, name: string] {
  const [first = '', second, ...rest] = text.split('/')
  if (first === '' || second === '' || rest.length > 0) {
    const message = `a name must be such as backup or shop/backup, got ${quote(text)}`
    throw badArgument('name', message)
  }
  return second === undefined ? [usual, first] : [first, second]
}

function namedIn(all: readonly KubeObject[], wanted: string, resource: Resource): KubeObject[] {
  const found = all.filter(({ metadata: { name, namespace } }) =>
    [name, `${namespace}/${name}`].includes(wanted),
  )
  if (found.length === 0) throw unknownName(resource, wanted, 'any namespace', all)
  return found
}

/** Nothing has the name that was asked for. */
export function unknownName(
  { kind }: Pick<Resource, 'kind'>,
  name: string,
  where: string,
  others: readonly Pick<KubeObject, 'metadata'>[],
): ConfigurationError {
  const names = new Set(others.map(({ metadata }) => metadata.name))
  const near = suggestion(name, names)
  return new ConfigurationError(
    'KRON_JOB_UNKNOWN',
    `no ${kind} ${quote(name)} in ${where}${near}`,
    {
      field: 'name',
      value: name,
      ...(near === '' && { hint: `hint: ${knownNames([...names])}` }),
    },
  )
}

const maxNames = 10

function knownNames(names: readonly string[]): string {
  if (names.length === 0) return 'there is none; -n names another namespace'
  const more = names.length > maxNames ? ', ...' : ''
  return `there are ${names.slice(0, maxNames).join(', ')}${more}`
}

function unknownKind(server: string, { kind, plural, group }: Resource): SystemError {
  return new SystemError('KRON_API', `${server} knows no ${kind}s`, {
    field: 'cluster',
    status: 404,
    hint: kindHint(kind, `${plural}.${group}`),
  })
}

const kindHint = (kind: string, definition: string): string =>
  kind === kronJobs.kind
    ? 'hint: kron-operator manifests crd | kubectl apply -f - installs the kind'
    : `hint: kubectl get crd ${definition} shows whether the definition is installed`
