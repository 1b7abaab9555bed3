import type { ApiCall, ApiPassage } from '../../testing/kube-api/passing-kube-api.js'

export const sides = ['before', 'after'] as const

/** Requests that change something, as `verb resource`. */
export const acts = [
  'create jobs',
  'patch kronjobs/status',
  'create events',
  'delete jobs',
] as const

/** A moment right before a request is sent or after its answer has come. */
export interface Death {
  readonly act: (typeof acts)[number]
  readonly side: (typeof sides)[number]
  /** The first time is 1. */
  readonly passage: number
  /** Real time from the start of the process on during which it can't die. */
  readonly notBeforeMs: number
}

/** Kills this very process, with the signal that nobody can catch, at the moment. */
export function deadlyPassage(death: Death | null): ApiPassage {
  let passages = 0
  const pass = ({ verb, resource, subresource }: ApiCall, side: Death['side']): void => {
    const of = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`
    if (death === null || `${verb} ${of}` !== death.act || side !== death.side) return
    if (performance.now() < death.notBeforeMs) return
    if (++passages >= death.passage) process.kill(process.pid, 'SIGKILL')
  }
  return {
    async act(call, effect, signal) {
      pass(call, 'before')
      const answer = await effect(signal)
      pass(call, 'after')
      return answer
    },
    follow: (_, open, signal) => open(signal),
  }
}
