import { endpointFields, type FieldName, type FieldValue, fieldNames } from './endpoint-fields.js'

type Fields = typeof endpointFields

type BaselineField = {
  [Name in FieldName]: Fields[Name] extends { readonly isBaseline: true } ? Name : never
}[FieldName]

/** An endpoint as people write it: flat, with its headers in the clear. */
export type EndpointDraft = {
  readonly [Name in keyof Fields]: FieldValue<Name>
}

/** The baseline: exactly one of `cron` and `intervalMs`. */
export type Baseline = Pick<EndpointDraft, BaselineField>

/**
 * An endpoint as it is stored, with its headers sealed. It changes as a whole; `version` counts the
 * changes.
 */
export interface EndpointDefinition extends Omit<EndpointDraft, BaselineField> {
  readonly baseline: Baseline
}

/** All of a draft but the headers, which are sealed and looked after by themselves. */
export type Drafted = Omit<EndpointDraft, 'headers'>

export function definitionOf(
  draft: Drafted,
  sealedHeaders: EndpointDefinition['headers'],
): EndpointDefinition {
  const { cron, timezone, intervalMs, jitterMs, ...same } = draft
  return { ...same, headers: sealedHeaders, baseline: { cron, timezone, intervalMs, jitterMs } }
}

/** What an endpoint says of itself now. */
export function draftOf({ definition }: Pick<Endpoint, 'definition'>): Drafted {
  const { headers: _, baseline, ...same } = definition
  return { ...same, ...baseline }
}

type Required = 'name' | 'url'

/** What people get who say nothing about it: everything but a name, a URL and a baseline. */
export const defaultDraft = Object.fromEntries(
  fieldNames.flatMap((name) => {
    const field = endpointFields[name]
    return 'default' in field ? [[name, field.default]] : []
  }),
) as unknown as Omit<EndpointDraft, Required>

export const defaultDefinition: Omit<EndpointDefinition, Required> = withoutRequired(
  definitionOf({ ...defaultDraft, name: '', url: '' }, {}),
)

function withoutRequired({ name: _name, url: _url, ...others }: EndpointDefinition) {
  return others
}

export interface Endpoint {
  readonly id: string
  readonly tenantId: string
  readonly jobId: string
  /** What its windows and its jitter are drawn from. It stays when the endpoint is renamed. */
  readonly identity: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  readonly definition: EndpointDefinition
}
