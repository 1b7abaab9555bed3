import type { Clock } from '@kron/runtime'
import { ApiFailure } from '../../src/kube/api-failure.js'
import type { KubeApi, WatchEvent } from '../../src/kube/kube-api.js'
import { type Fault, type FaultPlan, type FaultSource, plannedFaults } from './fault-plan.js'
import { type ApiCall, type ApiPassage, passingKubeApi } from './passing-kube-api.js'
import { conflict, expired, staleVersion } from './refusals.js'

/**
 * An API that fails as planned, and remembers what was asked of it: run something without a plan
 * to count its calls, then once for each call and fault.
 */
export class FaultyKubeApi implements KubeApi {
  readonly calls: ApiCall[] = []
  readonly list: KubeApi['list']
  readonly watch: KubeApi['watch']
  readonly get: KubeApi['get']
  readonly create: KubeApi['create']
  readonly tryCreate: KubeApi['tryCreate']
  readonly replace: KubeApi['replace']
  readonly patch: KubeApi['patch']
  readonly delete: KubeApi['delete']

  constructor(
    api: KubeApi,
    clock: Clock,
    faults: FaultPlan | readonly FaultPlan[] | FaultSource | null = null,
  ) {
    const source = typeof faults === 'function' ? faults : plannedFaults([faults ?? []].flat())
    const passing = passingKubeApi(api, faultyPassage(clock, source, this.calls))
    this.list = passing.list
    this.watch = passing.watch
    this.get = passing.get
    this.create = passing.create
    this.tryCreate = passing.tryCreate
    this.replace = passing.replace
    this.patch = passing.patch
    this.delete = passing.delete
  }
}

const defaultTimeoutMs = 10_000
const defaultEffectAfterMs = 30_000

function faultyPassage(clock: Clock, source: FaultSource, calls: ApiCall[]): ApiPassage {
  const faultOf = (call: ApiCall): Fault | null => {
    calls.push(call)
    return source(call)
  }
  return {
    act: async (call, effect, signal) => {
      const fault = faultOf(call)
      if (fault === null) return effect(signal)
      signal?.throwIfAborted()
      if (fault.kind === 'lost-answer') await effect(signal).catch(() => undefined)
      if (fault.kind === 'late') void lateEffect(clock, fault, effect)
      throw await failureOf(call, fault, clock, signal)
    },
    follow: (call, open, signal) => {
      const fault = faultOf(call)
      return fault === null ? open(signal) : faultyWatch(call, fault, clock, open, signal)
    },
  }
}

async function* faultyWatch(
  call: ApiCall,
  fault: Fault,
  clock: Clock,
  open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  signal.throwIfAborted()
  let left = fault.afterEvents ?? 0
  if (left > 0) {
    for await (const event of open(signal)) {
      yield event
      if (--left === 0) break
    }
    // It was over before so many events had come.
    if (left > 0) return
  }
  if (fault.kind !== 'cut') throw await failureOf(call, fault, clock, signal)
}

/** The caller has long gone, and so has its signal. */
async function lateEffect(
  clock: Clock,
  { effectAfterMs = defaultEffectAfterMs }: Fault,
  effect: (signal: undefined) => Promise<unknown>,
): Promise<void> {
  await clock.sleep(effectAfterMs)
  await effect(undefined).catch(() => undefined)
}

/** What the caller gets, after the time that it takes. */
async function failureOf(
  { resource, name }: ApiCall,
  { kind, timeoutMs = defaultTimeoutMs }: Fault,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<ApiFailure> {
  switch (kind) {
    case 'conflict':
      return conflict(resource, name, staleVersion)
    case 'expired':
      return expired('The resourceVersion for the provided request is too old.')
    case 'throttled': {
      const details = { status: 429, reason: 'TooManyRequests', retryAfterMs: 1000 }
      return new ApiFailure('the server has received too many requests', details)
    }
    case 'broken':
      return new ApiFailure('an error on the server', { status: 500, reason: 'InternalError' })
    case 'unavailable': {
      const details = { status: 503, reason: 'ServiceUnavailable' }
      return new ApiFailure('the server is currently unable to handle the request', details)
    }
    case 'timed-out':
    case 'late':
      await clock.sleep(timeoutMs, signal)
      return new ApiFailure(`no answer within ${timeoutMs} ms`, { status: null })
    case 'lost-answer':
    case 'cut':
      return new ApiFailure('the connection was reset', { status: null })
  }
}
