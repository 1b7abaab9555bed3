import { ApiFailure } from '../../src/kube/api-failure.js'
import type { Resource } from '../../src/kube/kube-object.js'

/** What an API server says when it refuses, with its status codes and reasons. */
const named = ({ group, plural }: Resource, name: string): string =>
  `${group === '' ? plural : `${plural}.${group}`} "${name}"`

export function notFound(resource: Resource, name: string): ApiFailure {
  return new ApiFailure(`${named(resource, name)} not found`, { status: 404, reason: 'NotFound' })
}

export function alreadyExists(resource: Resource, name: string): ApiFailure {
  const message = `${named(resource, name)} already exists`
  return new ApiFailure(message, { status: 409, reason: 'AlreadyExists' })
}

export function conflict(resource: Resource, name: string, why: string): ApiFailure {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${why}`
  return new ApiFailure(message, { status: 409, reason: 'Conflict' })
}

export const staleVersion =
  'the object has been modified; please apply your changes to the latest version and try again'

export const otherUid = (asked: string): string =>
  `Precondition failed: UID in precondition: ${asked}, UID in object meta is another`

export function invalid(resource: Resource, name: string, why: string): ApiFailure {
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`
  const message = `${kind} "${name}" is invalid: ${why}`
  return new ApiFailure(message, { status: 422, reason: 'Invalid' })
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure(message, { status: 400, reason: 'BadRequest' })
}

/** So says a server of some requests that make no sense. */
export function internalError(message: string): ApiFailure {
  return new ApiFailure(message, { status: 500 })
}

export function namespaceTerminating(
  resource: Resource,
  name: string,
  namespace: string,
): ApiFailure {
  const message =
    `${named(resource, name)} is forbidden: unable to create new content in namespace ` +
    `${namespace} because it is being terminated`
  return new ApiFailure(message, {
    status: 403,
    reason: 'Forbidden',
    causes: ['NamespaceTerminating'],
  })
}

export function expired(what: string): ApiFailure {
  return new ApiFailure(what, { status: 410, reason: 'Expired' })
}
