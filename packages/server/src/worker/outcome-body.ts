import type { Outcome } from '../scheduling/index.js'

/** The outcome as if its response had no body, which is not kept or can't be. */
export function withoutBody(
  outcome: Outcome,
  change: { readonly truncated?: boolean } = {},
): Outcome {
  const { response } = outcome
  if (response === null || response.body.byteLength === 0) return outcome
  return { ...outcome, response: { ...response, body: new Uint8Array(), ...change } }
}
