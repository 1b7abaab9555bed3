import { isPlainObject } from './json.js'

/** JSON merge patch, RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const merged: Record<string, unknown> = isPlainObject(target) ? { ...target } : {}
  for (const [field, part] of Object.entries(patch)) {
    if (part === null) delete merged[field]
    else if (part !== undefined) merged[field] = mergePatch(merged[field], part)
  }
  return merged
}
