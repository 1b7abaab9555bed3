import type { KronJobSpec, KronJobStatus } from '../../packages/operator/src/kronjob/index.js'
import {
  ApiFailure,
  jobs,
  type KubeApi,
  type KubeObject,
  kronJobs,
} from '../../packages/operator/src/kube/index.js'
import { changedKubeApi } from '../../packages/operator/testing/kube-api/index.js'
import { none, type Sabotage } from './sabotage.js'
import type { Scenario, Trouble } from './scenario.js'

function withCalls(change: (api: KubeApi) => Partial<KubeApi>): Sabotage {
  return { ...none, api: (api) => changedKubeApi(api, change(api)) }
}

/** Of all objects that the operator reads. */
const withSight = (see: (object: KubeObject) => KubeObject): Sabotage =>
  withCalls((api) => ({
    list: async (...asked) => {
      const list = await api.list(...asked)
      return { ...list, items: list.items.map(see) }
    },
    watch: async function* (...asked) {
      for await (const event of api.watch(...asked)) {
        yield event.type === 'BOOKMARK' ? event : { ...event, object: see(event.object) }
      }
    },
  }))

let names = 0

const randomNames = withCalls((api) => ({
  create: (resource, object, signal) => {
    if (resource !== jobs) return api.create(resource, object, signal)
    const name = `${object.metadata.name.slice(0, 50)}-${++names}`
    const renamed = { ...object, metadata: { ...object.metadata, name } }
    return api.create(resource, renamed, signal)
  },
}))

/** Jobs say nothing of their period, so that only the status does. */
const statusAlone = withSight((object) => {
  if (object.kind !== jobs.kind) return object
  const { annotations: _, labels, ...metadata } = object.metadata
  return {
    ...object,
    metadata: { ...metadata, labels: { 'kron.io/name': labels?.['kron.io/name'] ?? '' } },
  }
})

const blindToSuspension = withSight((object) => {
  if (object.kind !== kronJobs.kind) return object
  const spec = object['spec'] as { readonly policy?: object }
  return { ...object, spec: { ...spec, policy: { ...spec.policy, suspend: false } } }
})

/** Judges what was due before it answered for a KronJob, as if it always had. */
const backwardLooking = withSight((object) => {
  if (object.kind !== kronJobs.kind) return object
  const spec = object['spec'] as { readonly policy?: object }
  return { ...object, spec: { ...spec, policy: { ...spec.policy, first: 'run' } } }
})

/** Forgets the moment of the timing with each term, and takes that of its own first look. */
const forgetful = withSight((object) => {
  if (object.kind !== kronJobs.kind || object['status'] === undefined) return object
  const { responsibleSince: _, timing: __, ...status } = object['status'] as KronJobStatus
  return { ...object, status: { ...status, observedGeneration: 0 } }
})

/** Jobs that it does not see are not active. */
const blindToActivity = withSight((object) => {
  if (object.kind !== jobs.kind) return object
  const at = object.metadata.creationTimestamp ?? ''
  const complete = { type: 'Complete', status: 'True', lastTransitionTime: at }
  return { ...object, status: { conditions: [complete] } }
})

/** Takes a request that nobody answered for one that had no effect. */
const certain = withCalls((api) => ({
  create: async (resource, object, signal) => {
    try {
      return await api.create(resource, object, signal)
    } catch (error) {
      const isAmbiguous = error instanceof ApiFailure && error.isAmbiguous && resource === jobs
      throw isAmbiguous ? new ApiFailure('refused', { status: 500 }) : error
    }
  },
}))

/** Writes a status whatever has become of the one that it was made from. */
const careless = withCalls((api) => ({
  patch: (resource, name, patch, options, signal) =>
    api.patch(resource, name, { ...patch, metadata: {} }, options, signal),
}))

const inTheBackground = withCalls((api) => ({
  delete: (resource, name, options, signal) =>
    api.delete(resource, name, { ...options, propagation: 'Background' }, signal),
}))

/** Removes what is over as soon as it writes the status, the newest as well. */
const tooTidy = withCalls((api) => ({
  patch: async (resource, name, patch, options, signal) => {
    const patched = await api.patch(resource, name, patch, options, signal)
    const list = await api.list(jobs, { namespace: name.namespace }, signal)
    const own = list.items.filter(
      ({ metadata, ...job }) =>
        metadata.ownerReferences?.[0]?.name === name.name &&
        JSON.stringify(job['status'] ?? {}).includes('"True"'),
    )
    for (const { metadata } of own) {
      const which = { namespace: name.namespace, name: metadata.name }
      await api.delete(jobs, which, { propagation: 'Background' }, signal).catch(() => undefined)
    }
    return patched
  },
}))

const untidy = withCalls((api) => ({
  delete: async (resource, name, options, signal) => {
    if (options.propagation === 'Foreground') await api.delete(resource, name, options, signal)
  },
}))

/** Counts only the time in which it was awake, as clocks do that stop with their machine. */
const sleepless: Sabotage = {
  ...none,
  ports: (ports, life) => {
    let lost = 0
    let last = ports.elapsed()
    life.onThaw(() => {
      lost += ports.elapsed() - last
    })
    return {
      ...ports,
      elapsed: () => {
        last = ports.elapsed()
        return last - lost
      },
    }
  },
}

const early: Sabotage = {
  ...none,
  ports: (ports) => ({
    ...ports,
    clock: { ...ports.clock, now: () => new Date(ports.clock.now().getTime() + 20_000) },
  }),
}

/** Asks for everything once more at each change. */
const restless: Sabotage = {
  ...none,
  ports: (ports) => {
    const ask = async (): Promise<void> => {
      for (;;) {
        await ports.clock.sleep(60_000)
        await ports.api.get(kronJobs, { namespace: 'default', name: 'job-0' }).catch(() => null)
      }
    }
    void ask()
    return ports
  },
}

const deaf: Sabotage = withCalls((api) => ({
  create: async (resource, object, signal) => {
    if (resource !== jobs) return api.create(resource, object, signal)
    throw new ApiFailure('refused', { status: 403 })
  },
}))

/** Without a deadline, so that two who try at once soon disagree. */
const hurried = Array.from(
  { length: 8 },
  (): KronJobSpec => ({
    schedule: '*/2 * * * *',
    policy: { concurrency: 'allow', deadline: '0s' },
    jobTemplate: { spec: { template: { spec: {} } } },
  }),
)

export interface PlantedBug {
  readonly sabotage: Sabotage
  /** How it is found out. */
  readonly shows: RegExp
  /** A world in which it matters. */
  readonly in?: Partial<Omit<Scenario, 'trouble'>> & { readonly trouble?: Partial<Trouble> }
}

/** Mistakes, by what an operator that makes them does. */
export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  'names Jobs at random': {
    sabotage: randomNames,
    shows: /second Job/,
    in: { lawless: 2 },
  },
  'trusts the status alone': {
    sabotage: statusAlone,
    shows: /second Job|long before|went back|had no Job/,
    in: { trouble: { deaths: 1, erasures: 1 } },
  },
  'does not see that a KronJob is suspended': { sabotage: blindToSuspension, shows: /suspended/ },
  'starts what was due before an edit': {
    sabotage: backwardLooking,
    shows: /before it had its timing/,
    in: { lawless: 0, trouble: { edits: 1 } },
  },
  'forgets since when a KronJob has its timing': {
    sabotage: forgetful,
    shows: /with the same timing/,
    in: { trouble: { deaths: 1 } },
  },
  'takes every Job for finished': { sabotage: blindToActivity, shows: /beside|active/ },
  'takes a request without an answer for one without an effect': {
    sabotage: certain,
    shows: /by who asked/,
    in: { trouble: { faults: 0.3 } },
  },
  'writes a status that was made from an old one': {
    sabotage: careless,
    shows: /went back|and is/,
    in: { lawless: 2, skewMs: 3000, specs: hurried, trouble: { faults: 0.4 } },
  },
  'replaces in the background': { sabotage: inTheBackground, shows: /had ended/ },
  'prunes the newest Job at once': {
    sabotage: tooTidy,
    shows: /second Job/,
    in: { trouble: { erasures: 1, deaths: 1 } },
  },
  'never prunes': { sabotage: untidy, shows: /too many/ },
  'leads on after it was frozen': {
    sabotage: sleepless,
    shows: /while .* led/,
    in: { lawless: 0, trouble: { freezes: 1 } },
  },
  'is early': { sabotage: early, shows: /early/ },
  'does not come to rest': { sabotage: restless, shows: /at rest/ },
  'gives up when a Job is refused': { sabotage: deaf, shows: /was lost/, in: { trouble: {} } },
}
