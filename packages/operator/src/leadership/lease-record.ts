import { apiVersionOf, type KubeObject, leases, type ObjectName } from '../kube/index.js'

/** What a Lease says. */
export interface LeaseRecord {
  /** Empty if it was given back. */
  readonly holder: string
  readonly durationMs: number
  readonly transitions: number
  readonly acquireTime: string
  readonly renewTime: string
}

interface LeaseSpec {
  readonly holderIdentity?: string | null
  readonly leaseDurationSeconds?: number | null
  readonly leaseTransitions?: number | null
  readonly acquireTime?: string | null
  readonly renewTime?: string | null
}

export function leaseRecord(lease: KubeObject): LeaseRecord {
  const spec = (lease['spec'] ?? {}) as LeaseSpec
  return {
    holder: spec.holderIdentity ?? '',
    durationMs: (spec.leaseDurationSeconds ?? 0) * 1000,
    transitions: spec.leaseTransitions ?? 0,
    acquireTime: spec.acquireTime ?? '',
    renewTime: spec.renewTime ?? '',
  }
}

/** The lease as it is to be written; with the resource version of the one that it follows. */
export function leaseObject(
  name: ObjectName,
  record: LeaseRecord,
  resourceVersion?: string,
): KubeObject {
  return {
    apiVersion: apiVersionOf(leases),
    kind: leases.kind,
    metadata: { ...name, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: {
      holderIdentity: record.holder,
      // The API takes whole seconds, and none shorter than one.
      leaseDurationSeconds: Math.max(1, Math.ceil(record.durationMs / 1000)),
      leaseTransitions: record.transitions,
      ...(record.acquireTime !== '' && { acquireTime: record.acquireTime }),
      ...(record.renewTime !== '' && { renewTime: record.renewTime }),
    },
  }
}

/** As Kubernetes has it, with microseconds. */
export const microTime = (now: Date): string => now.toISOString().replace('Z', '000Z')
