import type { ListQuery, ObjectList } from '../../src/kube/kube-api.js'
import { type KubeObject, kronJobs, type Resource } from '../../src/kube/kube-object.js'
import { frozenCopy } from './json.js'
import { selection } from './label-selector.js'
import type { ObjectStore } from './object-store.js'
import { badRequest, expired } from './refusals.js'

/** Where the next page begins: all pages show the state of the first one's version. */
interface Continuation {
  readonly version: number
  readonly after: string
}

/** One page of a list, from the state that the first page was taken from. */
export function listPage(store: ObjectStore, resource: Resource, query: ListQuery): ObjectList {
  const isSelected = selection(query)
  const from = query.continue ? decoded(query.continue) : { version: store.version, after: '' }
  if (from.version < store.compactedVersion) {
    throw expired('The provided continue parameter is too old to display a consistent list result')
  }
  const rest = store
    .objectsAt(resource, from.version)
    .filter(([key, object]) => key > from.after && isSelected(object))
  const limit = query.limit || rest.length
  const page = rest.slice(0, limit)
  const items = page.map(([, object]) => asListed(resource, object))
  const resourceVersion = String(from.version)
  if (rest.length <= limit) return { resourceVersion, items }
  const next = encoded({ version: from.version, after: page.at(-1)![0] })
  return { resourceVersion, continue: next, items }
}

/** Built-in kinds leave `apiVersion` and `kind` out of the items of a list; custom ones do not. */
function asListed(resource: Resource, object: KubeObject): KubeObject {
  if (resource.group === kronJobs.group) return object
  const { apiVersion: _, kind: __, ...item } = object
  return frozenCopy(item) as KubeObject
}

const encoded = (continuation: Continuation): string =>
  Buffer.from(JSON.stringify(continuation)).toString('base64url')

function decoded(token: string): Continuation {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as Continuation
  } catch {
    throw badRequest('continue key is not valid')
  }
}
