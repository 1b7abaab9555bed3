import type { OwnedJob } from '../../src/job/index.js'
import type { KronJob } from '../../src/kronjob/index.js'
import { applyDefaults } from '../../src/kronjob/schema/kron-job-schema.js'
import { type KubeObject, kronJobs } from '../../src/kube/index.js'
import { template, type WrittenSpec } from './virtual-cluster.js'

/** An instant of the day on which all samples are. */
export const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`)

/** The Job of the period of that time, which ended half a minute later if it did. */
export function jobOf(
  time: string,
  state: OwnedJob['state'] = 'active',
  more: Partial<OwnedJob> = {},
): OwnedJob {
  return jobAt(at(time), state, { name: `backup-${time}`, uid: `uid-${time}`, ...more })
}

/** The Job of the period of an instant, which ended half a minute later if it did. */
export function jobAt(
  nominalTime: number,
  state: OwnedJob['state'],
  more: Pick<OwnedJob, 'name' | 'uid'> & Partial<OwnedJob>,
): OwnedJob {
  return {
    namespace: 'default',
    ownerUid: 'owner',
    resourceVersion: '1',
    createdAt: nominalTime,
    period: { nominalTime, chosenTime: nominalTime },
    state,
    finishedAt: state === 'active' ? null : nominalTime + 30_000,
    deletingSince: null,
    ...more,
  }
}

/** An hourly KronJob, created at 09:00. */
export function kronJobOf(
  spec: WrittenSpec = {},
  status?: KronJob['status'],
  generation = 1,
): KronJob {
  return applyDefaults({
    kind: kronJobs.kind,
    metadata: {
      namespace: 'default',
      name: 'backup',
      uid: 'owner',
      resourceVersion: '1',
      creationTimestamp: '2026-03-01T09:00:00Z',
      generation,
    },
    spec: { schedule: '0 * * * *', jobTemplate: template, ...spec },
    ...(status !== undefined && { status }),
  } as unknown as KubeObject) as KronJob
}
