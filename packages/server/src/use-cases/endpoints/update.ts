import {
  changedDraft,
  definitionOf,
  draftOf,
  type EndpointChange,
  type EndpointWithPlan,
} from '../../domain/index.js'
import type { Call } from '../call.js'
import { checkVersion, type VersionCondition } from '../change.js'
import { invalidFields } from '../refusal.js'
import { checkDraft, checkFloor, checkSecret, intervalFloor, raisedToFloor } from './checks.js'
import { sealHeaders } from './request-checks.js'
import { loadEndpoint, storeEndpoint } from './stored-endpoint.js'

/** A run that has been claimed already is sent as the endpoint was when it was claimed. */
export async function updateEndpoint(
  call: Call,
  id: string,
  change: EndpointChange,
  condition: VersionCondition,
): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const { endpoint, plan } = found
  checkVersion(condition, endpoint.version)
  if (Object.values(change).every((value) => value === undefined)) return found
  const floorMs = await intervalFloor(call)
  const draft = raisedToFloor(changedDraft(draftOf(endpoint), change), floorMs)
  const errors = [...checkDraft(draft, change, call.addressGuard), ...checkFloor(draft, floorMs)]
  if (errors.length > 0) throw invalidFields(errors)
  if (draft.secret !== endpoint.definition.secret) await checkSecret(call, draft.secret)
  const stored = endpoint.definition.headers
  const headers =
    change.headers === undefined ? stored : sealHeaders(call, change.headers ?? {}, stored)
  const definition = definitionOf(draft, headers)
  return storeEndpoint(call, endpoint, { definition }, plan, 'endpoint.update')
}
