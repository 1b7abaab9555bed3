import type { RunDocument } from '../client/index.js'

/** Why a run is planned, with who gave the hint that asks for it: `ai-interval (rules)`. */
export const sourceText = (source: string, giver: string | null | undefined): string =>
  giver === null || giver === undefined ? source : `${source} (${giver})`

export function runSourceText({ source, context }: RunDocument): string {
  if (source === 'ai-interval') return sourceText(source, context?.intervalHint?.giver)
  if (source === 'ai-oneshot') return sourceText(source, context?.oneShotHint?.giver)
  return source
}
