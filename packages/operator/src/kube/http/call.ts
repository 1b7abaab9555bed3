import { SystemError } from '@kron/core'
import type { ObjectName } from '../kube-api.js'
import { apiVersionOf, type Resource } from '../kube-object.js'
import type { Guard } from './guarded-dispatch.js'

/** As metrics name it. */
export type Verb = 'list' | 'watch' | 'get' | 'create' | 'update' | 'patch' | 'delete'

/** One request, as HTTP has it. */
export interface Call {
  readonly verb: Verb
  readonly resource: Resource
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  /** Asked when it is about to be written. */
  readonly guard?: Guard | undefined
}

export type Query = Readonly<Record<string, string | number | undefined>>

/** All of them, of a namespace or of the cluster. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  const root = resource.group === '' ? '/api/' : '/apis/'
  const scope = namespace === undefined ? '' : `/namespaces/${segment('namespace', namespace)}`
  return `${root}${apiVersionOf(resource)}${scope}/${resource.plural}`
}

export function objectPath(
  resource: Resource,
  { namespace, name }: ObjectName,
  subresource?: string,
): string {
  const path = `${collectionPath(resource, namespace)}/${segment('name', name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
  return `${path}?${text.join('&')}`
}

/** An empty name would turn the deletion of an object into that of all. */
function segment(field: string, text: string): string {
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text)
  throw new SystemError('KRON_INVARIANT', `a request needs a ${field}, not "${text}"`, {
    field,
    value: text,
  })
}
